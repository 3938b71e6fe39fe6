"""All lessons on one page for paper: the questions first, every answer at the end."""

from __future__ import annotations

from tropviz.figures.theme import LIGHT
from tropviz.io.lessons import Lesson
from tropviz.language import current, say
from tropviz.ui.prose import inline, prose

_CSS = (
    "body{font:16px/1.55 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:" + LIGHT.text + "}"
    "h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2.2rem}section{break-inside:avoid}"
    "ol{list-style:upper-alpha}.everyday{font-style:italic}.answers{break-before:page}"
    "hr{border:0;border-bottom:1px solid #999;height:1.7rem}@media print{a{color:inherit}body{margin:0 auto}}"
)


def html(lessons: tuple[Lesson, ...]) -> str:
    """A complete document; it needs no network.

    >>> from tropviz.io.lessons import read_lessons
    >>> text = html(read_lessons()[0])
    >>> text.count("<h2"), "Answers" in text
    (20, True)
    """
    title, many = say("tropviz: lessons"), say("tropviz: {n} lessons", n=len(lessons))
    return (
        f'<!doctype html><html lang="{current()}"><meta charset="utf-8"><title>{title}</title><style>{_CSS}</style>'
        f"<h1>{many}</h1>{''.join(map(_question, lessons))}"
        f'<div class="answers"><h1>{say("Answers")}</h1>{"".join(map(_answer, lessons))}</div></html>'
    )


def _title(lesson: Lesson) -> str:
    return f"<h2>{lesson.number} · {inline(lesson.title)}</h2>"


def _question(lesson: Lesson) -> str:
    options = "".join(f"<li>{inline(option)}</li>" for option in lesson.prediction.options)
    return (
        f'<section>{_title(lesson)}<p class="everyday">{inline(lesson.everyday)}</p>{prose(lesson.before)}'
        f"<p><b>{inline(lesson.prediction.question)}</b></p><ol>{options}</ol><p><b>{say('Your turn')}.</b> "
        f"{inline(lesson.check.task)} <small>(lessons?lesson={lesson.number})</small></p><hr></section>"
    )


def _answer(lesson: Lesson) -> str:
    asked = lesson.prediction
    return (
        f"<section>{_title(lesson)}<p><b>{'ABCDEF'[asked.right]}: {inline(asked.options[asked.right])}</b> "
        f"{inline(asked.reveal)}</p>{prose(lesson.after)}<p><b>{say('Your turn')}.</b> "
        f"{inline(lesson.check.answer)}</p></section>"
    )
