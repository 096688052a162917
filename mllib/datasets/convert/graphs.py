SETS = {}
