"""Experiments: the `burako` command and what it is made of.

Worker processes are the parallelism here, so the numerical libraries get one thread each. They read these variables
when they are imported, which is why this comes before everything else; what the environment says already is left alone.
"""

import os

for _name, _value in {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
}.items():
    os.environ.setdefault(_name, _value)
