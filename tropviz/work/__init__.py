"""Heavy work in a bounded pool of processes, so that one person's work holds up nobody else's sliders.

Knows no screen and no mathematics: a piece of work is a function of a module and its arguments, both pickled. One
computation serves all who ask for the same key; who was served longest ago is served next; each piece of work has a
budget of time and memory and can be stopped; a worker that dies costs one piece of work and never the server.

Why not a library: Pebble ends a task that takes too long and survives a worker that dies, as this does, but has one
queue in order of arrival, no memory limit, no progress and no processor-time budget, and starts its workers through
multiprocessing, which runs the main module again in each (under Streamlit that is the page). Queue, sharing, lanes,
progress and limits would be our own code around it all the same; it would spare the sixty lines of `process.py`.
"""

from tropviz.work.job import Budget, Job, Refused
from tropviz.work.pool import Limits, Pool
from tropviz.work.report import part, progress

__all__ = ["Budget", "Job", "Limits", "Pool", "Refused", "part", "progress"]
