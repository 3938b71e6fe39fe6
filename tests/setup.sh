#!/usr/bin/env bash
# Installs what the tests need, once: a venv with the pinned packages, and a Chromium to drive the app with.
# Works as root and, with sudo, as anybody else. Run it from anywhere.
set -euo pipefail
cd "$(dirname "$0")/.."

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
debian() { as_root apt-get update -q && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"; }

# Debian keeps venv in a package of its own.
[ -x .venv/bin/python ] || python3.11 -m venv .venv || { rm -rf .venv; debian python3.11-venv; python3.11 -m venv .venv; }
.venv/bin/pip install --quiet --disable-pip-version-check --requirement tests/requirements.txt
missing=()
command -v chromium > /dev/null || missing+=(chromium fonts-dejavu-core)
# Playwright brings a node of its own, which wants a library that a bare Debian does not have.
.venv/bin/playwright --version > /dev/null 2>&1 || missing+=(libatomic1)
# The nginx that tests/browser/test_hosting.py puts in front of the app; started by the tests alone.
command -v nginx > /dev/null || [ -x /usr/sbin/nginx ] || missing+=(nginx-light)
[ ${#missing[@]} = 0 ] || debian "${missing[@]}"
# Lint and types of the scripts in the browser: tests/js, with the node of tests/requirements.txt.
PATH="$PWD/.venv/bin:$PATH" npm ci --prefix tests/js --silent --no-progress
