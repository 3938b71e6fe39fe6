"""What the pages keep is bounded, in kinds and in objects of a kind."""

from tropviz.ui.model import KINDS_KEPT, _Kept


def test_kept_objects_are_made_once_and_bounded():
    kept, made = _Kept(2), []

    def make():
        made.append(1)
        return len(made)

    assert kept.get("fan", 1, make) == kept.get("fan", 1, make) == 1
    for key in range(5):
        kept.get("fan", key, make)
    assert len(kept.stores["fan"]) == 2
    for kind in range(3 * KINDS_KEPT):
        kept.get("fan", 4, make)
        kept.get(f"sweep {kind}", 0, make)
    assert len(kept.stores) == KINDS_KEPT and 4 in kept.stores["fan"]
