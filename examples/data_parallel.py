"""The digits of `digits.py`, trained by two processes: each takes its share of every batch.

The gradient function goes to the workers of a Dask cluster as any function does. What they give for
their shares is averaged, so that the training is the one that a single process would make.
"""

import sys

import digits
import numpy as np

import adlsp

try:
    from dask.distributed import Client, LocalCluster
except ImportError:
    sys.exit("This example needs Dask: pip install dask distributed")

loss_and_gradients = adlsp.value_and_grad(digits.loss, wrt=("w1", "b1", "w2", "b2"))


def shared_by(client):
    """The function for the loss and its gradients, each batch split over the workers."""
    workers = list(client.nthreads())

    def averaged(w1, b1, w2, b2, x, labels):
        shares = np.array_split(np.arange(len(labels)), len(workers))
        futures = [
            client.submit(loss_and_gradients, w1, b1, w2, b2, x[rows], labels[rows], workers=worker)
            for worker, rows in zip(workers, shares, strict=True)
        ]
        values, gradients = zip(*client.gather(futures), strict=True)
        counts = [len(rows) for rows in shares]
        return np.average(values, weights=counts), [
            np.average(bars, axis=0, weights=counts) for bars in zip(*gradients, strict=True)
        ]

    return averaged


if __name__ == "__main__":
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as cluster,
        Client(cluster) as client,
    ):
        digits.train(n_epochs=10, batch=128, rate=0.8, differentiated=shared_by(client))
