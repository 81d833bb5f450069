#!/bin/bash
# Runs inside a Debian that systemd booted, with the package installed: the commands of docs/operations.md, until records flow.
set -euo pipefail
say() { echo "deb-check: $*"; }
fail() {
  echo "deb-check: FAILED: $*"
  systemctl list-units --all --plain --no-legend 'tubeline*' 'broker*' 'stub*'
  journalctl --no-pager --output=cat --lines=60
  exit 1
}
until_holds() { # what, command…
  for _ in $(seq 120); do
    if "${@:2}" >/dev/null 2>&1; then return; fi
    sleep 0.5
  done
  fail "$1"
}

# A broker and an API that hold made-up data.
systemd-run --quiet --unit=stub /usr/bin/youtube-stub --port 8099
systemd-run --quiet --unit=broker --property=StandardOutput=file:/run/broker /usr/bin/tubeline broker
until_holds "the broker" test -s /run/broker
servers=$(head -1 /run/broker)

echo any-key | install -m 0600 /dev/stdin /etc/tubeline/youtube-api-key
sed -i "s/^KAFKA_BOOTSTRAP_SERVERS=.*/KAFKA_BOOTSTRAP_SERVERS=$servers/" /etc/tubeline/tubeline.env
printf '%s\n' YOUTUBE_API_URL=http://127.0.0.1:8099 WORKER_GUARANTEE=at-least-once KAFKA_SESSION_TIMEOUT_MS=6000 >>/etc/tubeline/tubeline.env

units=(tubeline-search@1 tubeline-channels@1 tubeline-playlists@1 tubeline-videos@1 tubeline-videos@08 tubeline-catalog)
ports=(9401 9101 9201 9301 9308 8090)
systemctl enable --quiet --now "${units[@]}" || fail "enable --now"
healthy() { exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3 && grep -q 200 <<<"$(head -1 <&3)"; }
for port in "${ports[@]}"; do until_holds "the program on port $port" healthy "$port"; done
echo Apple | kcat -P -b "$servers" -t channel-requests
records() { [ "$(kcat -C -b "$servers" -t video-records -o beginning -e -q -f '%k\n' | sort -u | wc -l)" -ge "$1" ]; }
until_holds "312 records of Apple" records 312
listed() { exec 3<>/dev/tcp/127.0.0.1/8090 && printf 'GET /metrics HTTP/1.0\r\n\r\n' >&3 && grep -qx "tubeline_catalog_videos $1" <&3; }
until_holds "312 videos in the catalogue" listed 312
say "${#units[@]} units, enabled and started: 312 records of Apple, and in the catalogue"
runuser -u tubeline -- sh -c 'set -a; . /etc/tubeline/tubeline.env; XDG_STATE_HOME=/var/lib tubeline status' >/run/status || fail "tubeline status"
for line in '^videos/' '^default  *15 '; do grep -q "$line" /run/status || { cat /run/status; fail "tubeline status tells something else"; }; done
say "tubeline status as docs/runbooks.md has it: the workers, and 15 units spent"

worker=$(systemctl show --property=MainPID --value tubeline-videos@1)
[ "$(stat -c %U "/proc/$worker")" = tubeline ] || fail "the worker's user"
grep -q 'NoNewPrivs:.1' "/proc/$worker/status" || fail "the worker may become more than it is"
grep -q 'CapEff:.0*$' "/proc/$worker/status" || fail "the worker has capabilities"
if setpriv --reuid=tubeline --regid=tubeline --clear-groups cat /etc/tubeline/youtube-api-key 2>/dev/null; then fail "the key's file can be read"; fi
[ "$(stat -c %U:%a /var/lib/tubeline)" = tubeline:750 ] || fail "the state folder"

# A restart of one after the other, and a kill: both come back, and work goes on.
for unit in "${units[@]}"; do systemctl restart "$unit" || fail "restart of $unit"; done
systemctl kill --signal=SIGKILL tubeline-videos@1
echo Microsoft | kcat -P -b "$servers" -t channel-requests
until_holds "the records of Microsoft after restarts and a kill" records $((312 + 845))
until_holds "the killed worker's restart" healthy 9301
until_holds "the videos of Microsoft in the catalogue" listed $((312 + 845))
say "restarted one after the other, and one killed: 845 records of Microsoft"

# An upgrade, here to the same version, restarts what runs.
worker=$(systemctl show --property=MainPID --value tubeline-videos@08)
dpkg --install /root/tubeline.deb >/dev/null || fail "the upgrade"
[ "$(systemctl show --property=MainPID --value tubeline-videos@08)" != "$worker" ] || fail "the upgrade restarted nothing"
for port in "${ports[@]}"; do until_holds "the program on port $port after the upgrade" healthy "$port"; done
grep -q '^YOUTUBE_API_URL=' /etc/tubeline/tubeline.env || fail "the upgrade took the settings"
say "an upgrade restarts the workers and keeps the settings"

systemctl stop 'tubeline-*.service'
for unit in "${units[@]}"; do
  [ "$(systemctl show --property=Result --value "$unit")" = success ] || fail "$unit did not end well: $(systemctl show --property=Result "$unit")"
done
if journalctl --no-pager --output=cat --unit='tubeline-*' | grep -i 'operation not permitted\|permission denied\|bad system call'; then fail "the units' limits are in the way"; fi

# A wrong setting ends a worker for good, and tells which.
echo WORKER_CONCURRENCY=many >/etc/tubeline/videos.env
systemctl start tubeline-videos@1 || true
until_holds "the end of a worker with a wrong setting" sh -c 'systemctl is-failed tubeline-videos@1'
grep -q WORKER_CONCURRENCY <<<"$(journalctl --no-pager --output=cat --unit=tubeline-videos@1)" || fail "the log does not name the setting"
say "a wrong setting stops the unit, and the log names it"
echo well >/root/result
