"""How large a scene may be: the limits of the screen, shared by links, controls and pages."""

from __future__ import annotations

#: Experts of a router on screen: two are the least that can compete, 256 the widest router in common use.
EXPERTS = (2, 256)
#: Steps of their slider: each number of the classroom, then ever wider.
EXPERT_SCALE = (*range(2, 17), 18, 20, 24, 28, 32, 40, 48, 64, 96, 128, 160, 192, 224, 256)
#: Hidden width H of one expert.
WIDTH = (1, 256)
#: Length of the offset of the data cloud, in units of the input space: what a slider offers, and what a scene may have
#: (along a wall collapse is certain only very far out; beyond a billion, scores keep too few digits of the cloud).
OFFSET = (0.0, 20.0)
OFFSET_FAR = (0.0, 1e9)
#: Standard deviation of the data cloud.
SPREAD = (0.05, 5.0)
#: Number of data points: enough for shares to one per cent, few enough to be redrawn during a drag.
POINTS = (50, 5000)
#: Own points that are used, of all that a file holds, and the most numbers in them.
OWN_POINTS, OWN_NUMBERS = 5000, 4_000_000
#: Most bytes of numbers that one session may have brought.
BROUGHT = 192_000_000
#: A file of more bytes is read in a process of its own.
READ_HERE = 200_000
#: Half the side of the square window.
WINDOW = (0.5, 50.0)
#: Seeds.
SEED = (0, 999_999)
#: Experts drawn in space.
EXPERTS_SPACE = 64
#: Experts whose lines of equal scores are all cut, in rationals.
EXPERTS_LINES = 32
#: Corners (central: rays) after which the search of a fan in space stops on screen and its count is a lower bound.
CORNERS_SPACE = 60_000
#: A router of more dimensions than the screen: cells expected, corners, and dimensions (any, up to
#: N - 1) up to which its own cells are searched while the page waits.
CELLS_OWN, CORNERS_OWN, DIMENSIONS_OWN = 500, 1000, 6
#: Inputs up to which a router is searched in all of them at once (a matrix of their square, 32 MB), where fewer
#: coordinates do not show every choice of experts.
INPUTS_OWN = 2000


def active_experts(experts: int) -> tuple[int, int]:
    """Lowest and highest k for a router of so many experts: at k = N there would be nothing to route.

    >>> active_experts(8)
    (1, 7)
    """
    return 1, max(1, experts - 1)


#: Dimension of a flat slice on the pages about capacity; beyond N - 1 nothing is missing any more.
SLICE = (1, 256)
