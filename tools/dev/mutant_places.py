"""The places of C++ sources that a mutant may change, and sources with mutants in them.

Tree-sitter finds the places: it needs no headers, and what it takes for an expression and is
none does not compile with a mutant, which `mutants.py` then leaves out.
"""

import dataclasses
import re

import tree_sitter
import tree_sitter_cpp

# What takes the place of an operator; the last ones of the logical ones stand for an operand.
OPERATORS = {
    "<": ["<=", ">"],
    "<=": ["<", ">="],
    ">": [">=", "<"],
    ">=": [">", "<="],
    "==": ["!="],
    "!=": ["=="],
    "+": ["-"],
    "-": ["+", "swap"],
    "*": ["+", "/"],
    "/": ["*", "swap"],
    "%": ["*", "/"],
    "&": ["|"],
    "|": ["&"],
    "^": ["|"],
    "<<": [">>"],
    ">>": ["<<"],
    "&&": ["||", "left", "right"],
    "||": ["&&", "left", "right"],
    "+=": ["-="],
    "-=": ["+="],
    "*=": ["/="],
    "/=": ["*="],
    "%=": ["/="],
    "&=": ["|="],
    "|=": ["&="],
    "^=": ["|="],
    "<<=": [">>="],
    ">>=": ["<<="],
}
_PAIRS = """min max, fmin fmax, floor ceil, success failure, all_of any_of, front back,
    take_front take_back, drop_front drop_back, __builtin_elementwise_min
    __builtin_elementwise_max, __builtin_reduce_min __builtin_reduce_max"""
NAMES = {}
for _pair in _PAIRS.split(","):
    _one, _other = _pair.split()
    NAMES |= {_one: _other, _other: _one}
# Operations that are created, by others of their operands.
CREATED = {
    "AddIOp": "SubIOp",
    "SubIOp": "AddIOp",
    "MulIOp": "AddIOp",
    "AndIOp": "OrIOp",
    "OrIOp": "AndIOp",
    "XOrIOp": "OrIOp",
    "ShLIOp": "ShRUIOp",
    "ShRUIOp": "ShRSIOp",
    "ShRSIOp": "ShRUIOp",
    "ExtUIOp": "ExtSIOp",
    "ExtSIOp": "ExtUIOp",
    "AddFOp": "SubFOp",
    "SubFOp": "AddFOp",
    "MulFOp": "AddFOp",
    "DivFOp": "MulFOp",
}

# Not evaluated when the program runs, or not parsed.
SKIPPED = {
    "alignas_qualifier",
    "array_declarator",
    "attribute_declaration",
    "attribute_specifier",
    "decltype",
    "enumerator",
    "preproc_def",
    "preproc_function_def",
    "preproc_include",
    "sizeof_expression",
    "static_assert_declaration",
    "template_argument_list",
    "template_parameter_list",
    "ERROR",
}
MACROS = re.compile(rb"\bBQUANT_(INLINE|SOLVERS|VECTOR_CLONES)\b")
MESSAGE = re.compile(r"emit\w*(Error|Warning|Remark)|notifyMatchFailure|remark::|unreachable")
# In the place of a mutant's number, which it gets last.
NUMBER = object()

# Text, two offsets of the file for what is between them, or NUMBER.
Piece = object


@dataclasses.dataclass
class Place:
    """Of a file what is between two offsets, and what it may become."""

    file: str
    start: int
    end: int
    kind: str
    choices: list[tuple[str, list[Piece]]]  # how it is shown, and what is compiled


@dataclasses.dataclass
class Mutant:
    """A place with its choice made."""

    place: Place
    shown: str
    pieces: list[Piece]


def between(mutated: list[Piece], original: list[Piece]) -> list[Piece]:
    return ["(bquant_mutant(", NUMBER, ") ? ", *mutated, " : ", *original, ")"]


class Finder:
    """Finds the places of a file."""

    def __init__(self, file: str, data: bytes):
        self.file, self.data = file, data
        self.places: list[Place] = []
        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))
        blank = MACROS.sub(lambda match: b" " * len(match[0]), data)
        self.visit(parser.parse(blank).root_node, "")

    def text(self, node) -> str:
        return self.data[node.start_byte : node.end_byte].decode()

    def add(self, node, kind: str, *choices: tuple[str, list[Piece]]) -> None:
        if choices:
            place = Place(self.file, node.start_byte, node.end_byte, kind, list(choices))
            self.places.append(place)

    def expression(self, node, kind: str, *mutated: list[Piece]) -> None:
        """A place for an expression that becomes one of some others."""
        choices = []
        for pieces in mutated:
            shown = "".join(
                piece if isinstance(piece, str) else self.data[slice(*piece)].decode()
                for piece in pieces
            )
            choices.append((shown, between(pieces, [span(node)])))
        self.add(node, kind, *choices)

    def negate(self, node) -> None:
        pieces = ["!(", span(node), ")"]
        shown = f"!({self.text(node)})"
        self.add(node, "negate", (shown, between(pieces, ["bool(", span(node), ")"])))

    def visit(self, node, returns: str) -> None:
        """`returns`: what the function about `node` is declared to."""
        text = self.text(node) if node.is_named and node.end_byte - node.start_byte < 400 else "{"
        if node.type in SKIPPED or (MESSAGE.search(text) and "{" not in text):
            return
        if node.type == "call_expression" and re.match(r"assert\b", text):
            return
        if node.type in ("declaration", "field_declaration") and re.match(
            r"[^=({]*\bconstexpr\b", text
        ):
            return
        if node.type == "function_definition":
            declared = node.child_by_field_name("type")
            returns = self.text(declared) if declared else ""
        elif node.type == "lambda_expression":
            returns = ""
        if node.type == "binary_expression" and '"' in text and "{" not in text:
            return  # a message
        if method := getattr(self, "on_" + node.type, None):
            method(node, returns)
        for child in node.children:
            if node.type == "case_statement" and child == node.child_by_field_name("value"):
                continue
            self.visit(child, returns)

    def on_binary_expression(self, node, returns) -> None:
        left, right = (span(node.child_by_field_name(side)) for side in ("left", "right"))
        operator = self.text(node.child_by_field_name("operator"))
        mutated = []
        for other in OPERATORS.get(operator, []):
            if other in ("left", "right"):
                mutated.append(["bool(", left if other == "left" else right, ")"])
            elif other == "swap":
                mutated.append(["(", right, f") {operator} (", left, ")"])
            else:
                mutated.append(["(", left, f") {other} (", right, ")"])
        self.expression(node, operator, *mutated)

    def on_assignment_expression(self, node, returns) -> None:
        left, right = (span(node.child_by_field_name(side)) for side in ("left", "right"))
        operator = self.text(node.child_by_field_name("operator"))
        mutated = [[left, f" {other} ", right] for other in OPERATORS.get(operator, [])]
        self.expression(node, operator, *mutated)

    def on_update_expression(self, node, returns) -> None:
        operator = self.text(node.child_by_field_name("operator"))
        argument = node.child_by_field_name("argument")
        other = "--" if operator == "++" else "++"
        before = argument.start_byte > node.start_byte
        mutated = [other, span(argument)] if before else [span(argument), other]
        self.expression(node, operator, mutated)

    def on_unary_expression(self, node, returns) -> None:
        operator = self.text(node.child_by_field_name("operator"))
        argument = span(node.child_by_field_name("argument"))
        if operator == "!":
            self.expression(node, operator, ["bool(", argument, ")"])
        elif operator in "-~":
            self.expression(node, operator, ["(", argument, ")"])

    def on_number_literal(self, node, returns) -> None:
        ends = [" + 1"] if re.match(r"0[uUlL]+$", self.text(node)) else [" + 1", " - 1"]
        self.expression(node, "constant", *([span(node), end] for end in ends))

    def on_true(self, node, returns) -> None:
        self.expression(node, "constant", ["false" if self.text(node) == "true" else "true"])

    on_false = on_true

    def on_call_expression(self, node, returns) -> None:
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        name = self.text(function)
        if match := re.search(r"(\w+)(<[^<>]*>)?$", name):
            if other := NAMES.get(match[1]):
                at = function.start_byte + match.start(1)
                renamed = [(node.start_byte, at), other, (at + len(match[1]), node.end_byte)]
                self.expression(node, match[1], renamed)
        if match := re.search(r"(\w+)::create$", name):
            if other := CREATED.get(match[1]):
                at = function.start_byte + match.start(1)
                rest = (at + len(match[1]), node.end_byte)
                choices = [["mlir::Value(", (node.start_byte, at), other, rest, ")"]]
                if match[1] in ("SubIOp", "ShLIOp", "ShRUIOp", "ShRSIOp", "SubFOp", "DivFOp"):
                    *first, left, right = (span(child) for child in arguments.named_children)
                    swapped = ["mlir::Value(", (node.start_byte, left[0]), right, ", ", left, "))"]
                    choices.append(swapped)
                original = ["mlir::Value(", span(node), ")"]
                self.add(node, match[1], *((other, between(c, original)) for c in choices))

    def on_if_statement(self, node, returns) -> None:
        if not any(child.type == "constexpr" for child in node.children):
            value = node.child_by_field_name("condition").child_by_field_name("value")
            if value and value.type != "declaration":
                self.negate(value)

    on_while_statement = on_if_statement

    def on_for_statement(self, node, returns) -> None:
        if condition := node.child_by_field_name("condition"):
            self.negate(condition)

    on_conditional_expression = on_for_statement

    def on_return_statement(self, node, returns) -> None:
        value = node.named_children[0] if node.named_children else None
        if returns == "bool" and value and value.type not in ("true", "false"):
            self.negate(value)

    def on_expression_statement(self, node, returns) -> None:
        pieces = ["{ if (!bquant_mutant(", NUMBER, ")) { ", span(node), " } }"]
        self.add(node, "delete", ("", pieces))

    on_continue_statement = on_break_statement = on_expression_statement


def span(node) -> tuple[int, int]:
    return node.start_byte, node.end_byte


def render(data: bytes, start: int, end: int, mutants: dict[int, Mutant]) -> str:
    """The text with all mutants in it, each between marks that say which."""
    text, at = "", start
    order = sorted(mutants.items(), key=lambda item: (item[1].place.start, -item[1].place.end))
    for number, mutant in order:
        place = mutant.place
        if place.start < at:
            continue  # in one that is done
        inner = {n: m for n, m in order if n != number and within(m.place, place)}
        text += data[at : place.start].decode() + f"\1{number}\2"
        for piece in mutant.pieces:
            if piece is NUMBER:
                text += str(number)
            elif isinstance(piece, str):
                text += piece
            else:
                own = {n: m for n, m in inner.items() if piece[0] <= m.place.start}
                own = {n: m for n, m in own.items() if m.place.end <= piece[1]}
                text += render(data, *piece, own)
        text += "\3"
        at = place.end
    return text + data[at:end].decode()


def within(inner: Place, outer: Place) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def strip_marks(text: str) -> tuple[str, dict[tuple[int, int], int]]:
    """The text, and which mutant is the innermost at a line and column, both from 1."""
    plain, where, stack = [], {}, []
    line, column = 1, 1
    for piece in re.split("(\1\\d+\2|\3)", text):
        if piece[:1] == "\1":
            stack.append(int(piece[1:-1]))
        elif piece == "\3":
            stack.pop()
        else:
            plain.append(piece)
            for character in piece:
                if stack:
                    where[line, column] = stack[-1]
                column += len(character.encode())
                if character == "\n":
                    line, column = line + 1, 1
    return "".join(plain), where
