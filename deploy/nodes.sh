#!/bin/sh
# Nodes of one service on this machine, as plain processes, on a PostgreSQL server that is there.
# usage: deploy/nodes.sh DOCUMENT postgres://... [PORT...]; default: 8081 8082 8083
# Each node listens on 127.0.0.1, its operator's port is 1000 higher. Ended by Ctrl-C or SIGTERM.
set -eu

if [ $# -lt 2 ]; then
  sed -n '2,4s/^# //p' "$0" >&2
  exit 2
fi
root=$(CDPATH='' cd -P "$(dirname "$0")/.." && pwd -P)
document=$1
data=$2
shift 2
[ $# -gt 0 ] || set -- 8081 8082 8083

nodes=''
end() {
  trap - INT TERM EXIT
  for node in $nodes; do kill -TERM "$node" 2>/dev/null || true; done
  wait
}
trap 'end; exit 0' INT TERM
trap end EXIT

for port in "$@"; do
  LACUNA_DATA=$data "${LACUNA:-$root/lacuna}" serve "$document" \
    --port "$port" --admin "$((port + 1000))" --log text &
  nodes="$nodes $!"
done
wait
