"""Every git call, hardened once: listed files, blobs, and history as data. Knows nothing about waits."""

from traf.git.repository import Repository, open_repository

__all__ = ["Repository", "open_repository"]
