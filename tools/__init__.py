"""Commands that are no part of the site: normalise, plain notebooks, address, slides, PDF, serve."""
