"""Experiments of burako-selfplay: the `burako` command and what it is made of.

Worker processes are the parallelism here, so the numerical libraries get one thread each. They read these variables
when they are imported, which is why this comes before everything else; what the environment says already is left alone.
"""

import os
import sys

import burako_selfplay

for _name, _value in {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
}.items():
    os.environ.setdefault(_name, _value)

# So it is while `python -m experiments...` looks for its module: a command of its own, which ends as `burako` does.
if sys.argv[:1] == ["-m"]:
    burako_selfplay.guard()
