"""What a spec belongs to: root, workspaces, framework, config files read as data, and the state folder. Runs nothing."""

from traf.project.find import context_for, find_project
from traf.project.model import Project
from traf.project.modules import load_module
from traf.project.state import runs_dir, state_dir

__all__ = ["Project", "context_for", "find_project", "load_module", "runs_dir", "state_dir"]
