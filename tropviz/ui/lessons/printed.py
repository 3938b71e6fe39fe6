"""All lessons on one page for paper: the questions first, every answer at the end, and what is seen where."""

from __future__ import annotations

from html import escape

from tropviz.figures.theme import LIGHT
from tropviz.io.lessons import Lesson
from tropviz.language import current, say
from tropviz.ui.gallery import drawn
from tropviz.ui.lessons.course import scene_of
from tropviz.ui.prose import inline, prose

#: Side of a picture in pixels.
SIDE = 260

_CSS = (
    "body{font:16px/1.55 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:" + LIGHT.text + "}"
    "h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2.2rem}section{break-inside:avoid}"
    "ol{list-style:upper-alpha}.everyday{font-style:italic}.answers{break-before:page}"
    "hr{border:0;border-bottom:1px solid #999;height:1.7rem}@media print{a{color:inherit}body{margin:0 auto}}"
)


def html(lessons: tuple[Lesson, ...], address: str = "") -> str:
    """A complete document; it needs no network. Its links lead to the app at `address`, which ends with a slash.

    >>> from tropviz.io.lessons import read_lessons
    >>> text = html(read_lessons()[0])
    >>> text.count("<h2"), "Answers" in text
    (20, True)
    """
    title, many = say("tropviz: lessons"), say("tropviz: {n} lessons", n=len(lessons))
    head = f'<meta charset="utf-8"><title>{title}</title><style>{_CSS}</style>'
    if address:
        head += f'<base href="{escape(address)}">'
    return (
        f'<!doctype html><html lang="{current()}">{head}'
        f"<h1>{many}</h1>{''.join(_question(lesson, address) for lesson in lessons)}"
        f'<div class="answers"><h1>{say("Answers")}</h1>{"".join(map(_answer, lessons))}</div></html>'
    )


def _title(lesson: Lesson) -> str:
    return f"<h2>{lesson.number} · {inline(lesson.title)}</h2>"


def _picture(lesson: Lesson) -> str:
    """The plane of a lesson's scene; a lesson about dimensions has none."""
    return "" if lesson.page == "resilience" else f"<p>{drawn(scene_of(lesson), SIDE, words=True)}</p>"


def _question(lesson: Lesson, address: str) -> str:
    options = "".join(f"<li>{inline(option)}</li>" for option in lesson.prediction.options)
    seen = "" if lesson.hidden else _picture(lesson)
    where = f"<small>({escape(address)}lessons?lesson={lesson.number})</small>"
    return (
        f'<section>{_title(lesson)}<p class="everyday">{inline(lesson.everyday)}</p>{prose(lesson.before)}{seen}'
        f"<p><b>{inline(lesson.prediction.question)}</b></p><ol>{options}</ol>"
        f"<p><b>{say('Your turn')}.</b> {inline(lesson.check.task)} {where}</p><hr></section>"
    )


def _answer(lesson: Lesson) -> str:
    asked, seen = lesson.prediction, _picture(lesson) if lesson.hidden else ""
    return (
        f"<section>{_title(lesson)}<p><b>{'ABCDEF'[asked.right]}: {inline(asked.options[asked.right])}</b> "
        f"{inline(asked.reveal)}</p>{seen}{prose(lesson.after)}<p><b>{say('Your turn')}.</b> "
        f"{inline(lesson.check.answer)}</p></section>"
    )
