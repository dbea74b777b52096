"""`python -m bquant.bench`: compiled networks beside what else a user could run.

The peers' engines run in an environment of their own, which `./dev bench --peers` makes; every
engine runs in a process of its own. docs/performance.md says what the figures mean.
"""
