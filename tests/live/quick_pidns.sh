#!/bin/sh
# In a pid namespace of its own, are tids those that its /proc shows? The
# machine's would name other tasks.
. "$(dirname "$0")/../case.sh"

if ! unshare -pf --mount-proc true 2>/dev/null; then
	skip "tids of a pid namespace" "no pid namespace can be made"
	finish
fi
for engine in auto perf; do
	unshare -pf --mount-proc sh -c '
		sleep 7 & sleeper=$!
		"$0" --json -p raw --rows 0 -n 3 -d 0.5 --engine "$1" >"$2"
		echo "$sleeper" >"$2.sleeper"
		kill $sleeper' "$STALLTOP" $engine "$TMP/$engine"
	said=$(python3 - "$TMP/$engine" "$(cat "$TMP/$engine.sleeper")" <<'EOF'
import json, sys
last = open(sys.argv[1]).read().splitlines()[-1]
tids = {}
for r in json.loads(last)["readings"]:
    if r["metric"] in ("task.state", "sched.n"):
        for side in ("key", "sub"):
            if side + "_tid" in r:
                tids.setdefault(r[side + "_name"], set()).add(r[side + "_tid"])
own, sleeper = tids.get("stalltop", set()), tids.get("sleep", set())
if len(own) != 1 or max(own) > 100:
    print("stalltop itself is", own)
elif int(sys.argv[2]) not in sleeper:
    print("sleep", sys.argv[2], "is", sleeper)
else:
    print("ok")
EOF
	)
	is "tids of a pid namespace, --engine $engine" "$said" ok
done
finish
