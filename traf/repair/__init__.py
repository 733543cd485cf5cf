"""Turns a wait site and candidate times into a repair with evidence: validate, tune, confirm."""
