"""Judges what traf proposes against what developers did: datasets of public fixes, experiments, measures."""
