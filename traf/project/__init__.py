"""What a spec belongs to: root, workspaces, framework, config files read as data, and the state folder. Runs nothing."""

from traf.project.find import context_for, find_project
from traf.project.model import Project
from traf.project.modules import load_module
from traf.project.state import runs_dir, state_dir
from traf.project.suite import suite_files
from traf.project.survey import Survey, Surveyor

__all__ = [
    "Project",
    "Survey",
    "Surveyor",
    "context_for",
    "find_project",
    "load_module",
    "runs_dir",
    "state_dir",
    "suite_files",
]
