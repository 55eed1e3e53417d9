#!/bin/sh
# Starts iTalk, asks whether it is ready, or runs one of its commands.
set -eu
from=$PWD
case "$0" in */*) cd "${0%/*}" ;; esac
export NODE_ENV=production ITALK_MODE="${ITALK_MODE-}"
export LD_LIBRARY_PATH="$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
# A demo's data stays beside the release, for the next one.
[ "$ITALK_MODE" = production ] || export DATA_DIR="${DATA_DIR:-$PWD/../italk-data}"
command="${1:-start}"
[ $# -eq 0 ] || shift
case "$command" in
  start)
    # Files the program writes are readable only by its own account.
    umask 077
    exec bin/node build/program/main.mjs "$@" ;;
  ready)
    exec bin/node -e "fetch('http://127.0.0.1:${PORT:-3000}/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))" ;;
  backup | restore | migrate | rekey | audit-verify)
    # The backup's path is the caller's.
    case "$command ${1-}" in
      'restore ' | 'restore /'* | 'restore -'*) ;;
      'restore '*)
        file=$from/$1
        shift
        set -- "$file" "$@" ;;
    esac
    exec bin/node "build/commands/$command.mjs" "$@" ;;
  *)
    echo "Choose a command: start, ready, backup, restore, migrate, rekey, audit-verify." >&2
    exit 2 ;;
esac
