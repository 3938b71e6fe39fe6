"""Every tolerance of the project, by name, with its reason. No other file holds a bare one."""

#: Relative size of one float64 rounding step; the unit all error bounds are multiples of.
UNIT_ROUNDOFF = 2.0**-53
#: The same of float32.
UNIT_ROUNDOFF_32 = 2.0**-24
#: Rows shorter than this against the largest number of a router, or points longer than QUICK_RANGE or shorter than its
#: inverse, are near where float32 overflows or loses digits in subnormals: float64 decides there.
QUICK_FLOOR, QUICK_RANGE = 2.0**-60, 2.0**50

#: Quadrature of the slice law: an integrand is followed until it has dropped by exp(-this), below 1e-16.
QUADRATURE_DROP = 38.0
#: Step of the trapezoid rule after the sinh substitution: its error is about exp(-2 pi (pi/4) / step) = 3e-17.
QUADRATURE_STEP_SINH = 0.13
#: Step of the trapezoid rule on the line in units of N^(-1/2): its error is below exp(-2 pi^2 / step^2).
QUADRATURE_STEP_LINE = 0.5
#: Half-length of that line: exp(-8^2) is far below 1e-16 of the peak for every N up to 4096.
QUADRATURE_REACH = 8.0

#: A point drawn in a ball is drawn this much inside it, so that its rounded norm does not exceed the radius.
BALL_INSET = 16 * UNIT_ROUNDOFF

#: Steps after which the continued fraction of a spherical cap is given up; about sqrt(d) are needed (320 at d = 1e5).
FRACTION_ITERATIONS = 100_000

#: Unit directions that differ by less may be the same one; integers decide.
NEARLY_PARALLEL = 1e-7
#: Two unit normals whose cross product is below this bound no finite piece of each other: eight roundings of 1.
PARALLEL = 1e-14
#: Points closer than this share of the window are one corner: what crossing two walls at a grazing angle can lose.
SAME_POINT = 1e-12
#: Cells that miss the size of their window by this share do not fill it: a missing one, not rounding.
FILLED = 1e-9
#: Rounding of a hinge's value at a corner, against its terms: two roundings of the corner, two products, two sums.
HINGE_ROUNDING = 8 * UNIT_ROUNDOFF

#: Bound on the relative error of a corner's coordinates above which they are computed again in exact integers; it
#: overestimates by one to three digits.
DIGITS_LEFT = 1e-10
#: Relative error of a float64 corner above which it is computed again in exact integers.
ILL_CONDITIONED = 1e-9

#: Rounding of a determinant of up to four rows whose entries carry two roundings each, against the same determinant
#: with every sign made plus: 4 entries of 2 roundings, 3 products, 5 sums, the last sum, doubled for safety.
DETERMINANT_ROUNDING = 64 * UNIT_ROUNDOFF
#: Below this a product of four scaled numbers may have lost digits to underflow; nothing is decided there.
DETERMINANT_FLOOR = 1e-280
#: Rounding of the coordinate that crossing points are sorted by, after its own divisions and two products.
KEY_ROUNDING = 16 * UNIT_ROUNDOFF

#: A direction counts as running along a wall when its sine to it is below this many roundings: each entry of u and of
#: W carries one, normalising adds two, and the sum of d products about sqrt(d) (added where it is used).
WALL_ROUNDOFFS = 8.0
#: A corner is dropped without a second look only if it violates a wall by this share of the terms compared; anything
#: nearer is decided in exact arithmetic.
CLEARLY_OUTSIDE = 1e-9
#: Unit rows whose smallest singular value is at most this span fewer directions than there are rows.
SAME_DIRECTION = 1e-12

#: A determinant of unit-sized rows above this times their lengths is certainly not zero in float64; below it the rank
#: is found in exact integers.
FULL_RANK = 1e-10
#: An arc of a great circle shorter than this, in radians, is a corner: what two nearly equal walls can lose.
ARC_FLOOR = 1e-12
#: An arc this close to half a great circle, in radians, does not tell from its ends which way it goes.
HALF_TURN = 1e-6

#: Binary exponent beyond which scores are rescaled by a power of two before they are compared, so that none overflows.
SAFE_EXPONENT = 500

#: A piece of a unit disk below this area is the rounding of its own corners: a disk that touches a wall is not cut.
DISK_DUST = 64 * UNIT_ROUNDOFF

#: Scores that differ by less than this (relative to the largest weight) have lost digits, or are tied, in float64: the
#: certified offset is then taken from differences of rows.
STEEP = 1e-6
#: Scores this close (relative to the largest weight) are taken for a possible wall and then decided by the certificate.
SIEVE = 1e-9

#: A zero of a series counts as real when it is this near to the real line: double zeros move by about sqrt(1e-16).
NEARLY_REAL = 1e-5
#: A leading coefficient below this share of the largest is rounding, not degree.
LEADING = 1e-13
#: Two zeros this close may be a double one; the curve is then also looked at between them.
TWIN_ZEROS = 1e-5
#: Two zeros this close may be one.
SAME_ZERO = 1e-11
#: Rounding of a score along a curve, relative to the sum of its terms' sizes, for series of up to some hundred terms.
SCORE_ROUNDING = 512 * UNIT_ROUNDOFF

#: Entries of scaled rows below this could underflow in the products of a determinant: exact integers then.
TINY = 2.0**-120

#: An expert this close to the threshold at a crowded corner (relative to the longest row) is left to the
#: exact pivot as the next one: a wrong proposal costs time, never correctness.
STILL_TIED = 1e-13

#: Scores at a corner, whose coordinates may be off by ILL_CONDITIONED, relative to their terms.
CORNER_ROUNDING = 10 * ILL_CONDITIONED

#: A cell counts as there if a linear programme finds a point this deep in it; the solver's own feasibility is 1e-7, and
#: a random cell that thin is rarer than one in a million.
CELL_DEPTH = 1e-6

#: Balancing, in units of the largest difference of scores: a gap that counts as none, and unevenness of loads likewise.
BALANCED = 1e-5
#: Factor by which the soft problem gets harder from one step to the next.
BALANCE_STEP = 0.4

#: Rounding of a line's value at a corner in a stack of layers, against the magnitudes it was summed from: a difference,
#: a rounded map, a rounded corner and two sums of three products make ten; doubled for safety.
LINE_ROUNDING = 20 * UNIT_ROUNDOFF
