#!/bin/bash
# Installs, starts, upgrades, purges and reinstalls the Debian package $1. Runs as root of a Debian that can be thrown away.
set -euo pipefail
export POLICY_PORT=18080
logs=$(mktemp -d)

start() {
    (
        set -a
        . /etc/agent-policy/agent-policy.env
        POLICY_PORT=18080
        cd /var/lib/agent-policy
        exec setpriv --reuid=agent-policy --regid=agent-policy --clear-groups agent-policy >"$logs/out" 2>"$logs/err"
    ) &
    service=$!
    until grep -q '^Listening on ' "$logs/out" 2>/dev/null; do
        kill -0 "$service" || { cat "$logs/err"; exit 1; }
        sleep 0.2
    done
    exec 3<>/dev/tcp/127.0.0.1/18080
    printf 'GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
    grep -q ' 200 ' <&3
    exec 3<&-
    kill "$service"
    wait "$service"
    rm "$logs/out"
}

dpkg --install "$1"
[ "$(stat -c '%U %a' /var/lib/agent-policy)" = 'agent-policy 700' ]
[ "$(stat -c '%U %G %a' /etc/agent-policy/agent-policy.env)" = 'root agent-policy 640' ]
agent-policy --version
start
key=$(sha256sum </var/lib/agent-policy/master-key.json)
echo 'POLICY_SIGNUP=closed' >>/etc/agent-policy/agent-policy.env

dpkg --install "$1"
grep -q '^POLICY_SIGNUP=closed' /etc/agent-policy/agent-policy.env
start
[ "$key" = "$(sha256sum </var/lib/agent-policy/master-key.json)" ]

mv /etc/agent-policy/agent-policy.env "$logs/settings"
dpkg --install "$1" 2>&1 | grep 'agent-policy.env is missing, so the service is not started'
[ ! -e /etc/agent-policy/agent-policy.env ]
dpkg --force-confmiss --install "$1"
[ "$(stat -c '%U %G %a' /etc/agent-policy/agent-policy.env)" = 'root agent-policy 640' ]

dpkg --purge agent-policy
[ ! -e /etc/agent-policy ]
[ ! -e /usr/lib/agent-policy ]
[ ! -e /usr/bin/agent-policy ]
[ "$key" = "$(sha256sum </var/lib/agent-policy/master-key.json)" ]

dpkg --install "$1"
start
[ "$key" = "$(sha256sum </var/lib/agent-policy/master-key.json)" ]
echo 'The package holds.'
