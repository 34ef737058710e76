"""The softmax cross-entropy, for `digits.py`."""

import numpy as np


def cross_entropy(logits, labels):
    """The negative log-probability of each label. `logits` is (n, classes), `labels` (n,)."""
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    log_total = np.log(np.sum(np.exp(shifted), axis=1))
    chosen = shifted[np.arange(len(labels)), labels]
    return log_total - chosen
