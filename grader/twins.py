"""Equal submissions: the same program under other names, comments and white space."""

import ast
import hashlib

from grader.doors import parsed


def digest(sources):
    """A digest of cells of code that does not change when names, comments, text or layout do.

    Only names that the code itself binds are renamed (by order of appearance): ``sum(x)`` and ``max(x)``
    stay different.  Empty for no code at all.

    >>> one = "def f(x):\\n    y = x + 1  # more\\n    return y"
    >>> digest([one]) == digest(["def f(a): b = a+1; return b"])
    True
    >>> digest([one]) == digest(["def f(a): b = a+2; return b"])
    False
    """
    parts = []
    for source in sources:
        tree = parsed(source)
        try:
            parts.append(ast.dump(_Renamed(tree).visit(tree)) if tree else "".join(source.split()))
        except (RecursionError, ValueError):  # too deep, or a number of too many digits
            parts.append("".join(source.split()))
    text = "\n".join(part for part in parts if part)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16] if text else ""


class _Renamed(ast.NodeTransformer):
    """Local names by order of appearance, no docstrings; top-level functions keep their names."""

    def __init__(self, tree):
        bound = {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        # The lab prescribes the names of the answers; they stay, or two short answers would look alike.
        self.names = {name: None for name in bound - {getattr(n, "name", None) for n in tree.body}}
        self.count = 0

    def new(self, name):
        if name in self.names and self.names[name] is None:
            self.count += 1
            self.names[name] = f"name{self.count}"
        return self.names.get(name, name)

    def visit_Name(self, node):
        node.id = self.new(node.id)
        return node

    def visit_arg(self, node):
        node.arg, node.annotation = self.new(node.arg), None
        return node

    def visit_Expr(self, node):
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)
