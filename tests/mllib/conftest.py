"""What the tests of algorithms share: a real Dask cluster of two processes, started when first asked for."""

import pytest


@pytest.fixture(scope="session")
def dask_cluster():
    distributed = pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
