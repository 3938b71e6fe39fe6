"""Where app.py, pages/ and assets/ are: beside the package in a checkout, inside it once it is installed."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
#: Installed, the wheel carries them in here (see pyproject.toml).
_INSTALLED = _PACKAGE / "_app"
#: The folder that holds app.py, pages/, assets/ and .streamlit/.
HOME = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent


def asset(*parts: str) -> Path:
    """Path of a shipped file below assets/.

    Examples
    --------
    >>> asset("examples", "router.json").is_file()
    True
    """
    return HOME.joinpath("assets", *parts)
