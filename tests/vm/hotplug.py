# SPDX-License-Identifier: GPL-2.0-or-later
# What did the guest of hotplug.sh print?  One line per verdict.
import json
import sys

CPU = 3


def say(good, name, detail=""):
    print("ok" if good else "bad", name, detail.replace("\n", "; "))


def numbers(value):
    if isinstance(value, dict):
        for v in value.values():
            yield from numbers(v)
    elif isinstance(value, list):
        for v in value:
            yield from numbers(v)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def read(path):
    frames, raw, seq, status, doctor, end = [], {}, 0, {}, [], False
    for line in open(path, errors="replace"):
        # The firmware's last line has no end of its own.
        word, _, rest = line[max(line.find("@"), 0):].rstrip().partition(" ")
        if word == "@OVERVIEW":
            frames.append(json.loads(rest))
        elif word == "@RAW" and rest.startswith('"seq"'):
            seq = int(rest.split(":")[1])
        elif word == "@RAW":
            r = json.loads(rest)
            raw.setdefault(r["metric"], {}).setdefault(seq, []).append(r)
        elif word == "@STATUS":
            status[rest.split()[0]] = rest.split()[1]
        elif word == "@DOCTOR":
            doctor.append(rest)
        elif word == "@END":
            end = True
    return frames, raw, status, doctor, end


def cpus(raw, metric, field="key"):
    return [{r.get(field, 0) for r in rows}
            for _, rows in sorted(raw.get(metric, {}).items())]


def main():
    frames, raw, status, doctor, end = read(sys.argv[1])
    say(end, "guest_came_to_its_end")
    say(status.get("overview") == "0" and status.get("raw") == "0",
        "no_crash", str(status))
    say(len(frames) >= 13, "all_frames", str(len(frames)))
    odd = [v for f in frames for v in numbers(f["rows"])
           if v < 0 or v > 1e12]
    say(not odd, "no_negative_or_absurd_number", str(odd[:5]))
    text = [json.dumps(f) for f in frames]
    say(any("offline" in t for t in text), "offline_is_said")
    say("offline" not in text[0] and "offline" not in text[-1],
        "online_at_both_ends", text[-1][:200])
    for metric, field in (("stat.user", "key"), ("irq.loc", "key"),
                          ("rq.now", "key"), ("sched.switches", "key")):
        seen = cpus(raw, metric, field)
        gone = [CPU not in s for s in seen]
        back = bool(seen) and CPU in seen[0] and CPU in seen[-1]
        if metric == "sched.switches": # of each CPU, offline meanwhile or not
            fell, most = [], {}
            for at, rows in sorted(raw.get(metric, {}).items()):
                for r in rows:
                    if r["value"] < most.get(r["key"], 0):
                        fell.append((at, r))
                    most[r["key"]] = r["value"]
            say(back and not fell, "sched_counts_never_fall", str(fell[:3]))
        else:
            say(back and any(gone), metric + "_leaves_and_returns",
                str([sorted(s) for s in seen]))
    say(any("schedstat" in line and "version" in line for line in doctor),
        "doctor_has_schedstat", "\n".join(doctor)[:300])


main()
