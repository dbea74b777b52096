#!/bin/sh
# slow-compile.sh SECONDS COMMAND [ARG...] FILE
# Interesting (1) if the command takes longer on FILE.
seconds=$1
shift
timeout "$seconds" "$@" >/dev/null 2>&1
[ $? -ne 124 ]
