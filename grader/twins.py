"""Equal submissions: the same answers under other names and comments, whatever stands around them."""

import ast
import hashlib
import re
from collections import deque

from grader.doors import parsed
from grader.lab import assigned

MAGIC = re.compile(r"^[ \t]*[%!].*$", re.MULTILINE)  # of a notebook: no Python, and no answer


def digest(sources, starters):
    """A digest of the answers in some cells: names, comments, type hints, text and layout do not change it.

    Only the first definition of each name that the starters ask for counts, and of the functions that it
    uses; a ``print`` more is no difference.  Empty if there is none.

    >>> task = ["def f(x):\\n    raise NotImplementedError"]
    >>> one = "def f(x):\\n    y = x + 1  # more\\n    return y"
    >>> digest([one], task) == digest(["def f(a): b = a+1; print(b); return b", "f(3)"], task)
    True
    >>> digest([one], task) == digest(["def f(a): b = a+2; return b"], task)
    False
    """
    defined, unread, asked = {}, [], []  # the first statement that binds a name
    for source in starters:
        asked += assigned(ast.parse(source))
    for source in sources:
        tree = parsed(MAGIC.sub("", source))
        if tree is None:
            unread.append("".join(source.split()))
            continue
        for statement in tree.body:
            for name in assigned(ast.Module([statement], [])):
                defined.setdefault(name, statement)
    parts, todo, seen = [], deque(asked), set()
    while todo:
        name = todo.popleft()
        if id(statement := defined.get(name)) in seen or statement is None:
            continue  # each statement once, however many names it binds
        seen.add(id(statement))
        try:
            renamed = _Renamed(statement)
            used = (node.id for node in ast.walk(statement) if isinstance(node, ast.Name))
            todo.extend(dict.fromkeys(word for word in used if word not in renamed.names))
            parts.append(ast.dump(renamed.visit(statement)))
        except (RecursionError, ValueError):  # too deep, or a number of too many digits
            parts.append(name)
    text = "\n".join([*parts, *unread])
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16] if text else ""


class _Renamed(ast.NodeTransformer):
    """Local names by order of appearance, no docstrings, nothing printed; top-level names stay."""

    def __init__(self, tree):
        bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        outer = set(assigned(ast.Module([tree], [])))
        self.names = {name: None for name in bound - outer}
        self.count = 0

    def new(self, name):
        if name in self.names and self.names[name] is None:
            self.count += 1
            self.names[name] = f"name{self.count}"
        return self.names.get(name, name)

    def visit_Name(self, node):
        node.id = self.new(node.id)
        return node

    def visit_AnnAssign(self, node):
        return self.visit(ast.Assign([node.target], node.value)) if node.value else None

    def visit_FunctionDef(self, node):
        node.returns = None
        return self.generic_visit(node)

    def visit_Pass(self, node):
        return None

    def visit_arg(self, node):
        node.arg, node.annotation = self.new(node.arg), None
        return node

    def visit_Expr(self, node):
        called = getattr(node.value, "func", None)
        idle = isinstance(node.value, ast.Constant) or isinstance(called, ast.Name) and called.id == "print"
        return None if idle else self.generic_visit(node)
