"""Where an operation of a torch.export program comes from, for locations and for messages."""

from __future__ import annotations

import re


def module_path(node) -> str:
    """`features.3.conv`, or nothing for what the outermost forward does itself."""
    stack = node.meta.get("nn_module_stack") or {}
    return next((path for path, _ in reversed(stack.values()) if path), "")


def root_class(graph) -> str:
    """The class of the module that the graph was exported from, as far as torch kept it."""
    stacks = (node.meta.get("nn_module_stack") or {} for node in graph.nodes)
    roots = (kind for stack in stacks for path, kind in stack.values() if not path)
    return next((kind if isinstance(kind, str) else kind.__qualname__ for kind in roots), "")


def source(node) -> tuple[str, int, str]:
    """File, line and text of the user's statement, as far as torch kept them: the innermost frame
    outside of torch's and bquant's own modules."""
    frames = re.findall(
        r'File "([^"]+)", line (\d+), in \S+\n\s*([^\n]*)', node.meta.get("stack_trace") or ""
    )
    own = [f for f in frames if not re.search(r"[/\\](torch[/\\]nn|bquant[/\\]nn)[/\\]", f[0])]
    for file, line, text in reversed(own or frames):
        return file, int(line), text
    return "", 0, ""


def location(node) -> tuple[str, str, int]:
    name = module_path(node) or str(node.target).split(".")[-2]
    file, line, _ = source(node)
    return name, file, line


def place(node) -> str:
    """Where an operation comes from, for messages."""
    path = module_path(node)
    file, line, text = source(node)
    where = f" in module '{path}'" if path else " in the outermost module"
    return where + (f", at {file}:{line}: {text}" if file else "")
