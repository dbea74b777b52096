"""Doors: a folder for each framework whose networks come in."""
