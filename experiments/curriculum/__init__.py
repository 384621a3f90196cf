"""Does a child's way into the game help a network too?  `python -m experiments.curriculum FILE --out DIR`.

Two arms for every seed: the levels one after the other and then the goal, each stage beginning with what carries over
from the one before (`experiments/train/carry.py`); and the goal alone, with as many decisions as all stages together.
`plan.py` reads what is to be run, `run.py` trains and measures, `report.py` compares.
"""
