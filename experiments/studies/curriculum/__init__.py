"""Does a child's way into the game help a network too?  `python -m experiments.studies.curriculum FILE --out DIR`.

Three arms for every seed:

    curriculum  the levels one after the other and then the goal, each stage beginning with what carries over from the
                one before (`experiments/train/carry.py`)
    alone       the goal alone, with as many decisions as all stages together: whether the levels are worth their time
    short       the goal alone, with the decisions it has in the curriculum: what carrying over is worth in itself

`plan.py` reads what is to be run, `run.py` trains and measures, `report.py` compares.
"""
