#!/bin/sh
# The same as quick_known_waits.sh with a thousand waits of each kind and more,
# one in 61 of all switches sampled.
WAITS=1000 EVERY=61
export WAITS EVERY
exec "$(dirname "$0")/quick_known_waits.sh"
