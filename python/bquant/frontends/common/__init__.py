"""What frontends share: operands and what is written of them, shapes, names, messages."""
