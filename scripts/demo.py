"""`make demo`: repairs a flaky Playwright test of the bundled parcel tracker in Chromium; git must take the patch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIXTURE = "playwright-parcels"
RUNS = 20

sys.path.insert(0, str(ROOT))
from fixtures.replay import replay  # noqa: E402 - the path is set just above


def main() -> int:
    """Replay the project into a temporary folder, repair its test, and try the patch."""
    with tempfile.TemporaryDirectory(prefix="traf-demo-") as folder:
        project = replay(FIXTURE, Path(folder) / "parcels")
        test = next(
            t for t in json.loads((ROOT / "fixtures" / FIXTURE / "truth.json").read_text())["tests"] if t["key"] == "a"
        )
        arguments = ["repair", f"{test['file']}:{test['line']}", "--mode", "full", "--runs", str(RUNS)]
        print(f"$ traf {' '.join(arguments)}", flush=True)
        env = {**os.environ, "TRAF_STATE_DIR": str(Path(folder) / "state"), "PYTHONPATH": str(ROOT)}
        report = Path(folder) / "report.txt"
        done = subprocess.run(
            [sys.executable, "-m", "traf", *arguments, "--output", str(report)], cwd=project, env=env, check=False
        )
        if report.exists():
            print(report.read_text(), flush=True)
        if done.returncode != 0:
            return done.returncode
        # The account above the diff is no hindrance: git skips what stands before a patch.
        subprocess.run(["git", "apply", "--check", str(report)], cwd=project, check=True)
        print("git apply --check: the patch applies")
    return 0


if __name__ == "__main__":
    sys.exit(main())
