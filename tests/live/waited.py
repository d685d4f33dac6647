#!/usr/bin/env python3
"""How long has each task waited for a CPU, by the kernel's own account?

Prints a line "now SECONDS" and lines "TID NAME NS", of all tasks by that NAME.
"""
import glob
import sys
import time

print("now", time.monotonic())
for task in glob.glob("/proc/[0-9]*/task/[0-9]*"):
    try:
        name = open(task + "/comm").read().strip()
        if name == sys.argv[1]:
            print(task.split("/")[-1], name,
                  open(task + "/schedstat").read().split()[1])
    except OSError:     # it has ended
        pass
