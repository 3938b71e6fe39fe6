"""``python -m tropviz.ui.scene``: the parameters of a link, one by one, with their limits."""

from tropviz.ui.scene.link import table

if __name__ == "__main__":
    print(table())
