#!/bin/sh
# However it ends or is stopped, is the terminal the shell's again?
. "$(dirname "$0")/../case.sh"
. "$(dirname "$0")/screen.inc"

screen_open 80 24

start() {
	screen_type "clear; $STALLTOP -i 0.3; echo stat''us \$?" Enter
	shows "$1: starts" '^ \? help .*q quit'
}

# ends NAME NUMBER: that signal ends it
ends() {
	start "$1"
	kill -"$2" "$(screen_pid)"
	shows "$1: status" "^status $((128 + $2))$"
	usable "$1"
}

ends SIGTERM 15
ends SIGINT 2
ends SIGHUP 1
ends SIGQUIT 3

start "Ctrl-C"
screen_type C-c
shows "Ctrl-C: status" '^status 130$'
usable "Ctrl-C"

if [ -z "$SAN" ]; then
	ends SIGSEGV 11
	ends SIGABRT 6
	ends SIGBUS 7
else
	skip "fatal signals" "the sanitizer takes them"
fi

# C74: Ctrl-Z and fg; a stop that nobody announced
screen_type "clear; set -m" Enter
start "Ctrl-Z"
screen_type C-z
usable "Ctrl-Z"
screen_type "fg" Enter
shows "fg draws again" '^ \? help .*q quit'
pid=$(screen_pid)
kill -STOP "$pid"
shows "stopped" '^ready> *$|Stopped'
screen_type "echo over''written" Enter
shows "the shell writes" 'overwritten'
screen_type "fg" Enter
shows "draws again" '^ \? help .*q quit'
gone "all of it" 'overwritten'

# C12: Ctrl-L repairs what another program left
tty=$(on_screen display-message -p '#{pane_tty}')
printf '\033[5;5Hgarbage' >"$tty"
shows "garbage" 'garbage'
screen_type C-l
gone "Ctrl-L" 'garbage'
screen_type q
usable "after q"
screen_close
finish
