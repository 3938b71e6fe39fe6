"""Every tolerance of the project, by name, with its reason. No other file holds a bare one."""

#: Relative size of one float64 rounding step; the unit all error bounds are multiples of.
UNIT_ROUNDOFF = 2.0**-53
