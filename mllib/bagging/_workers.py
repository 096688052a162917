"""Many tasks side by side: threads, processes or a cluster, as joblib gives them."""

from joblib import Parallel, delayed

from ..learner import progress


def ours(learner):
    """Whether a learner is of this package: those are compiled, and run beside each other in threads."""
    return type(learner).__module__.startswith("mllib.")


def spread(function, tasks, *, n_jobs=None, verbose=0, label="", threads=False, here=False):
    """``[function(*task) for task in tasks]`` by the workers that joblib gives us, in this order.

    Parameters
    ----------
    function : callable
    tasks : list of tuple
    n_jobs : int or None
        None: one, unless a :class:`joblib.parallel_config` says otherwise.
    verbose : int
        Above 0 a progress bar is shown.
    label : str
        What the bar counts.
    threads : bool
        Prefer threads to processes: for compiled code, which lets the others run meanwhile. A cluster that
        was asked for is still used.
    here : bool
        Threads of this process and nothing else: for tasks that write into shared arrays.

    Returns
    -------
    results : list

    Examples
    --------
    >>> spread(pow, [(2, 3), (2, 4)])
    [8, 16]
    """
    if len(tasks) == 1:
        return [function(*tasks[0])]
    workers = Parallel(
        n_jobs=n_jobs,
        prefer="threads" if threads else None,
        require="sharedmem" if here else None,
        return_as="generator",
    )
    results = workers(delayed(function)(*task) for task in tasks)
    return list(progress(results, verbose, label, len(tasks), "it"))
