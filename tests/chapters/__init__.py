"""What the chapters print, tried on data that they do not use."""
