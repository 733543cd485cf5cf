"""One module per output format, all fed the same result objects; nothing is decided here."""
