"""Gymnasium environments: a learner's side of a game against given opponents, one table or many side by side.

    import agents, burako_env, gymnasium

    rival = agents.load("heuristic", "burako-4")
    envs = gymnasium.make_vec("burako_env/Burako4-v0", num_envs=256, opponents=rival)
    env = gymnasium.make("burako_env/Burako4-v0", opponents=rival)

Importing `burako_env` registers one id for each game (`env_id`), `families.register` those of a later family. The
learner plays all seats of its side, and an observation is that of the seat to act. `docs/vector.md` says the rest.
"""

from burako_env.envs.aec import observation_space
from burako_env.envs.registration import env_id
from burako_env.envs.table_env import GameEnv
from burako_env.envs.vector_env import GameVectorEnv

__all__ = ["GameEnv", "GameVectorEnv", "env_id", "observation_space"]
