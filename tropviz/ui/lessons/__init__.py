"""Lessons: a scene, a prediction, a reveal and a check, from the files in assets/lessons."""
