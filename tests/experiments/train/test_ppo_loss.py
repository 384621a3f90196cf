"""The loss of PPO against values computed by hand, and its gradient against that of the formula."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from agents.learned.network import masked
from experiments.train.learner import Means
from experiments.train.ppo import PpoLoss, ppo_loss

# Three legal actions of probabilities 1/2, 1/4, 1/4; the fourth is illegal.
LOGITS = torch.tensor([[math.log(2.0), 0.0, 0.0, 9.0]])
LEGAL = torch.tensor([[True, True, True, False]])
WEIGHTS: dict[str, Any] = {"clip": 0.2, "dual_clip": 3.0, "value_weight": 0.5, "entropy_weight": 0.0}


def loss_of(advantage: float, old: float, logits: torch.Tensor = LOGITS, **changes: Any) -> PpoLoss:
    """The loss of one decision: action 0 of probability 1/2, which was `old` when it was played; V = 1, R = 1.5."""
    given = [torch.tensor([value], dtype=torch.float32) for value in (math.log(old), advantage, 1.0, 1.5)]
    return ppo_loss(masked(logits, LEGAL), torch.tensor([0]), *given, **{**WEIGHTS, **changes})


@pytest.mark.parametrize(
    ("advantage", "old", "surrogate"),
    [
        (2.0, 0.5, 2.0),  # ratio 1: the advantage itself
        (2.0, 0.45, 2 * 0.5 / 0.45),  # 1.11, within the clip
        (2.0, 0.25, 2.4),  # ratio 2: no more than 1 + clip
        (2.0, 1.0, 1.0),  # ratio 1/2: not clipped from below, so that it can be undone
        (-2.0, 1.0, -1.6),  # ratio 1/2: no less than 1 - clip
        (-2.0, 0.25, -4.0),  # ratio 2: not clipped from above
        (-2.0, 0.1, -6.0),  # ratio 5: bounded by the dual clip
        (2.0, 0.1, 2.4),  # the dual clip bounds bad actions only
    ],
)
def test_the_surrogate_is_clipped_on_the_right_side(advantage: float, old: float, surrogate: float) -> None:
    loss = loss_of(advantage, old)
    ratio = 0.5 / old
    assert loss.policy.item() == pytest.approx(-surrogate, rel=1e-5)
    assert loss.total.item() == pytest.approx(-surrogate + 0.5 * 0.125, rel=1e-5)
    assert loss.approx_kl.item() == pytest.approx(ratio - 1 - math.log(ratio), rel=1e-4, abs=1e-6)
    assert loss.clip_fraction.item() == (abs(ratio - 1) > 0.2)


def test_terms_and_weights() -> None:
    """H = 1.5 ln 2; Huber(0.5) = 0.125; KL to the uniform policy = ln 3 - H."""
    entropy = 1.5 * math.log(2)
    magnet = masked(torch.zeros(1, 4), LEGAL)
    loss = loss_of(1.0, 0.5, entropy_weight=0.1, value_weight=2.0, magnet_weight=0.3, magnet_logits=magnet)
    assert loss.entropy.item() == pytest.approx(entropy)
    assert loss.value.item() == pytest.approx(0.125)
    assert loss.magnet_kl is not None
    assert loss.magnet_kl.item() == pytest.approx(math.log(3) - entropy)
    assert loss.total.item() == pytest.approx(-1 + 2 * 0.125 - 0.1 * entropy + 0.3 * (math.log(3) - entropy))
    assert loss_of(1.0, 0.5, magnet_logits=magnet).magnet_kl is None


@pytest.mark.parametrize(("advantage", "old", "flows"), [(2.0, 0.5, True), (2.0, 0.25, False), (-2.0, 0.1, False)])
def test_neither_clipped_decisions_nor_illegal_actions_have_a_gradient(
    advantage: float, old: float, flows: bool
) -> None:
    logits = LOGITS.clone().requires_grad_()
    loss_of(advantage, old, logits).total.backward()
    # d(-r A) / d logits = -r A (1[a] - pi), with the ratio r = 1/2 / old.
    expected = [-0.5 / old * advantage * part if flows else 0.0 for part in (0.5, -0.25, -0.25, 0.0)]
    assert logits.grad is not None
    assert logits.grad[0].tolist() == pytest.approx(expected, abs=1e-6)


def test_a_minibatch_is_the_mean_of_its_decisions() -> None:
    logits = masked(LOGITS.repeat(2, 1), LEGAL.repeat(2, 1))
    old, advantages = torch.tensor([0.5, 0.25]).log(), torch.tensor([2.0, -2.0])
    loss = ppo_loss(logits, torch.tensor([0, 0]), old, advantages, torch.zeros(2), torch.tensor([0.0, 3.0]), **WEIGHTS)
    assert loss.policy.item() == pytest.approx((-2 + 4) / 2)
    assert loss.value.item() == pytest.approx((0 + 2.5) / 2)
    assert loss.clip_fraction.item() == 0.5


def test_a_mean_counts_its_own_numbers_only() -> None:
    """The magnet's KL is added apart from the rest, which must not halve the others."""
    means = Means()
    means.add(magnet=torch.tensor(3.0))
    means.add(kl=1.0, loss=torch.tensor(4.0))
    means.add(kl=2.0, loss=torch.tensor(6.0))
    assert means.mean("train/") == {"train/magnet": 3.0, "train/kl": 1.5, "train/loss": 5.0}
