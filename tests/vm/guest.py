#!/usr/bin/env python3
"""Is what a guest of kernels.sh shows so?

    guest.py CHECK FILE...

FILEs are tests/live/frames.py's FRAMES and LOADs; what is printed is its too.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "live"))
from frames import Wrong, frames as read, main      # noqa: E402

WRITTEN = 500 * 4096            # guest.sh, pipe_bytes()


def frames(path):
    return "%d frames" % len(read(path))


def bytes_of(found, metric, inode):
    values = [r["value"] for frame in found for r in frame["readings"]
              if r["metric"] == metric and r["key_name"].split()[1:] == [inode]]
    if not values:
        raise Wrong("no %s of inode %s" % (metric, inode))
    return max(values)


def bytes(path, load):
    """Both ends of one pipe, exact."""
    inode = re.search(r"pipe:\[(\d+)\]", open(load).read())
    if not inode:
        raise Wrong("no pipe in the witness")
    found = read(path)
    got = [bytes_of(found, "pipe_bytes." + end, inode.group(1))
           for end in ("read", "written")]
    text = "read %d, written %d, so %d" % (*got, WRITTEN)
    if got != [WRITTEN, WRITTEN]:
        raise Wrong(text)
    return text


main(__doc__, {f.__name__: f for f in (frames, bytes)})
