"""From notebooks to the published site: execute in parallel, cache, stage, and hand over to Sphinx."""
