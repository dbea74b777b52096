#!/bin/sh
# crash.sh [--message=TEXT] COMMAND [ARG...] FILE
# Interesting (1) if the command ends by a signal on FILE, or, with a text, fails
# and says it on standard error.
text=
case $1 in --message=*) text=${1#--message=}; shift ;; esac
exec 2>/dev/null # Shells tell of signals.
said=$("$@" 2>&1 >/dev/null)
status=$?
if [ -z "$text" ]; then
  [ $status -lt 128 ]
  exit
fi
[ $status -eq 0 ] && exit
case $said in *"$text"*) exit 1 ;; esac
exit 0
