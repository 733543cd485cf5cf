#!/bin/sh
# Makes the checkout ready to run: virtual environment, packages, eslint and a Chromium. Does nothing where all is in place.
set -eu
cd "$(dirname "$0")/.."

die() {
    echo "setup: $1" >&2
    exit 1
}

python=${PYTHON:-python3}
for tool in "$python" node npm git; do
    command -v "$tool" >/dev/null || die "\`$tool\` is not on PATH: install it and try again"
done
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || die "Python 3.11 or newer is needed (PYTHON=... names another)"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ] || die "Node 18 or newer is needed, this is $(node --version)"

if [ ! -x .venv/bin/python ]; then
    rm -rf .venv
    "$python" -m venv .venv || {
        rm -rf .venv
        die "python3 has no venv module: on Debian, \`apt-get install -y python3-venv\` brings it"
    }
fi
if [ ! -e .venv/.ready ] || [ pyproject.toml -nt .venv/.ready ]; then
    echo "setup: Python packages"
    .venv/bin/python -m pip install --quiet --quiet --disable-pip-version-check --editable '.[dev]'
    touch .venv/.ready
fi
if [ ! -e node_modules/.ready ] || [ package-lock.json -nt node_modules/.ready ]; then
    echo "setup: eslint"
    npm ci --silent --no-audit --no-fund
    touch node_modules/.ready
fi

has_chromium() {
    [ -n "${TRAF_CHROMIUM:-}" ] && return 0
    for name in chromium chromium-browser google-chrome-stable google-chrome; do
        command -v "$name" >/dev/null && return 0
    done
    return 1
}
if ! has_chromium; then
    install='apt-get install -y --no-install-recommends chromium chromium-driver'
    command -v apt-get >/dev/null || die "no Chromium on PATH: install one, or name it in TRAF_CHROMIUM"
    as_root=
    if [ "$(id -u)" != 0 ]; then
        sudo -n true 2>/dev/null || die "no Chromium on PATH: \`sudo $install\` installs it"
        as_root='sudo -n'
    fi
    echo "setup: Chromium"
    { $as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $as_root $install -qq; } >/dev/null ||
        die "no Chromium on PATH, and \`$as_root $install\` failed"
fi
