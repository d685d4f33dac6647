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
tids = {}		# tasks of outside keep the machine's tid
for r in json.loads(last)["readings"]:
    for side in ("key", "sub"):
        if side + "_tid" in r:
            tids.setdefault((r["metric"], r[side + "_name"]),
                            set()).add(r[side + "_tid"])
alive, switched = tids["task.state", "stalltop"], tids["sched.n", "stalltop"]
sleeper = tids.get(("task.state", "sleep"), set())
if len(alive) != 1 or max(alive) > 100:
    print("stalltop itself is", alive)
elif not alive <= switched:
    print("stalltop is", alive, "but was switched as", switched)
elif sleeper != {int(sys.argv[2])}:
    print("sleep", sys.argv[2], "is", sleeper)
else:
    print("ok")
EOF
	)
	is "tids of a pid namespace, --engine $engine" "$said" ok
done
finish
