"""Finds likely wait times in similar lines of the same directory and in their history, and ranks them."""
