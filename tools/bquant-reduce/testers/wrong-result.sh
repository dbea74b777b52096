#!/bin/sh
# wrong-result.sh [OPTION...] FILE
# Interesting (1) if bquant-run computes other bits on FILE with the options than
# with --strategy=reference after them, and fails with neither. An undefined result
# is not a wrong one.
# BQUANT_RUN names another bquant-run.
bquant_run=${BQUANT_RUN:-bquant-run}
directory=$(mktemp -d) || exit 0
trap 'rm -rf "$directory"' EXIT

# run NAME OPTION... FILE: writes the outputs as NAME.0, NAME.1, ... There is one,
# or bquant-run says how many it expected.
run() {
  name=$1
  shift
  said=$($bquant_run "$@" --output="$directory/$name.0" 2>&1) && return
  count=$(echo "$said" | sed -n 's/.*: expected \([0-9]*\) outputs of .*/\1/p')
  [ "${count:-0}" -gt 0 ] || exit 0 # Nothing to compare.
  i=0
  while [ "$i" -lt "$count" ]; do
    set -- "$@" --output="$directory/$name.$i"
    i=$((i + 1))
  done
  $bquant_run "$@" >/dev/null 2>&1 || exit 0
}

run got "$@"
run expected "$@" --strategy=reference

# differs NAME: whether an output differs from the expected one.
differs() {
  for file in "$directory"/expected.*; do
    cmp -s "$file" "$directory/$1.${file##*.}" || return 0
  done
  return 1
}
differs got || exit 0
# The reference differs from itself where a program reads what nothing has written,
# which glibc fills.
export MALLOC_PERTURB_=85
run filled "$@" --strategy=reference
differs filled || exit 1
