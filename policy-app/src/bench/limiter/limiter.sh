#!/usr/bin/env bash
# What counting calls in a store that nodes share costs: validate on two nodes of one database, the one counting in
# process, the other in the store, pressed in turns. Needs wrk, curl and a PostgreSQL with two empty databases.
#   limiter.sh policy-app.jar jdbc:postgresql://.../policy jdbc:postgresql://.../rates [rounds] [seconds] [connections]
set -euo pipefail
jar=$(realpath "$1") db=$2 rates=$3 rounds=${4:-5} seconds=${5:-6} connections=${6:-64}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
cd "$work"
export POLICY_DB_URL=$db POLICY_PORT=0 POLICY_RATE_LIMIT_PER_SECOND=100000 POLICY_SIGNUPS_PER_HOUR=0
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$work"' EXIT

start() { # name, then settings
  local name=$1; shift
  env "$@" java -Xmx512m -jar "$jar" >"$name.out" 2>"$name.err" &
  until grep -qs Listening "$name.out"; do kill -0 $! || exit 1; sleep 0.1; done
  sed -n 's/Listening on //p' "$name.out"
}
start own >own.address
start shared POLICY_RATE_LIMIT_URL="$rates" >shared.address
own=$(cat own.address) shared=$(cat shared.address)

call() { # method, path, body: with the cookie of the user
  curl -sf -b cookie -c cookie -X "$1" "$own/api/app/v1/$2" -H 'Content-Type: application/json' -d "$3"
}
ips='{"crypto":{"min":0,"target":0.2,"max":0.5},"tradfi":{"min":0,"target":0.6,"max":1},"cashFloor":0,
  "maxDrawdown":0.5,"maxSlippage":0.05}'
holdings='{"name":"Paper","kind":"paper","cash":"50000","positions":[{"symbol":"SPY","assetType":"tradfi",
  "quantity":"100","price":"500"}]}'
for user in $(seq 10); do
  rm -f cookie
  login="{\"email\":\"bench$user-$$@example.com\",\"password\":\"correct horse battery\"}"
  call POST users "$login" >/dev/null
  call POST session "$login" >/dev/null
  call PUT ips "$ips" >/dev/null
  call PUT custodians/paper "$holdings" >/dev/null
  for key in $(seq 40); do
    call POST keys "{\"name\":\"$key\",\"keyType\":\"live\",\"scopes\":[\"validate\"],\"policy\":{}}" |
      sed 's/.*"key":"\([^"]*\)".*/\1/' >>keys
    echo >>keys
  done
done
sed -i '/^$/d' keys

press() { # address, seconds: calls a second, ms at 50 %, ms at 99 %, refused
  wrk -t1 -c"$connections" -d"$2s" -s "$here/validate.lua" "$1" -- keys | tail -1
}
press "$own" 15 >/dev/null
press "$shared" 15 >/dev/null
echo "round  in process: calls/s p50 p99 refused | shared: calls/s p50 p99 refused"
for round in $(seq "$rounds"); do
  a=$(press "$own" "$seconds") b=$(press "$shared" "$seconds")
  echo "$round  $a | $b" | tee -a figures
done
curl -s "$shared/metrics" | grep '^policy_counter'
median() { awk "{ print \$$1 }" figures | sort -n | awk '{ all[NR] = $1 } END { print (all[int((NR + 1) / 2)] + all[int(NR / 2) + 1]) / 2 }'; }
awk "BEGIN { printf \"median %d in process, %d shared, ratio %.2f\n\", $(median 2), $(median 7), $(median 7) / $(median 2) }"
