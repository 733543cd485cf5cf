"""The nouns and rules that every other room shares; nothing here reads, writes or runs anything."""
