"""The document of every page brings our look and links to what is needed, and its links lead somewhere."""

from __future__ import annotations

import gzip
import re
import urllib.request

import pytest

from tests.bench.serve import server
from tropviz.ui.canvas.serve import BUNDLE, SCRIPTS, served
from tropviz.ui.head import document


@pytest.fixture(scope="module")
def address():
    with server("app.py", STREAMLIT_SERVER_BASE_URL_PATH="tv") as port:
        yield f"http://127.0.0.1:{port}/tv"


def asked(url: str, **headers: str):
    return urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60)


@pytest.mark.parametrize("page", ["", "hypersimplex"])
def test_the_document_has_our_look_and_all_its_links_lead_to_something(address, page):
    answer = asked(f"{address}/{page}", Accept="text/html", **{"If-None-Match": '"x"', "Accept-Encoding": "gzip"})
    text = gzip.decompress(answer.read()).decode()
    assert text.count(".tv-meaning") and text.index("<style>") > text.index("<body>")
    links = re.findall(r'<link rel="(?:modulepreload|preload)"[^>]*href="\./([^"]+)"', text)
    assert SCRIPTS in links and any("SourceSerif" in link for link in links)
    assert text.index(f'src="./{BUNDLE}"') < text.index('type="module"')  # on its way before Streamlit's own scripts
    assert all(asked(f"{address}/{link}").status == 200 for link in links)
    assert "etag" not in {name.lower() for name in answer.headers}


def test_scripts_are_kept_by_the_browser_packed_or_not(address):
    for encoding in ("gzip", "identity"):
        answer = asked(f"{address}/{BUNDLE}", **{"Accept-Encoding": encoding})
        body = answer.read()
        assert "immutable" in answer.headers["cache-control"]
        assert (gzip.decompress(body) if encoding == "gzip" else body) == served()[BUNDLE]


def test_the_library_is_a_script_of_its_own_without_what_stands_around_it_for_others():
    library = served()[BUNDLE]
    assert b"function(root, factory)" not in library[:1000] and library.rstrip().endswith(b"window.Plotly = Plotly;")
    assert library.count(b"\nreturn Plotly;") == 0


def test_what_an_element_of_streamlit_imports_is_asked_for_with_it():
    links = re.findall(r'href="\./static/js/([\w-]+)\.', document(b"<script></script></head><body>").decode())
    assert {"BidiComponent", "serialization", "recordbatch", "Slider", "moment"} <= set(links)
    assert len(links) == len(set(re.findall(r'href="\./static/js/([\w.-]+)"', document(b"</head><body>").decode())))


def test_what_is_no_document_and_no_script_of_ours_passes(address):
    assert asked(f"{address}/_stcore/health").read() == b"ok"
    answer = asked(f"{address}/scripts/none/canvas.js")
    assert b"tv-meaning" not in answer.read()  # Streamlit's own document, as for every address that it does not know
