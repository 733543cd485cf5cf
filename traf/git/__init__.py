"""Every git call, hardened once: listed files, blobs, and history as data. Knows nothing about waits."""

from traf.git.repository import Repository, open_objects, open_repository
from traf.git.tree import Tree

__all__ = ["Repository", "Tree", "open_objects", "open_repository"]
