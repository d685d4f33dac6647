#!/bin/sh
# Do keys do on a real terminal what they do in the key scripts?
. "$(dirname "$0")/../case.sh"
. "$(dirname "$0")/screen.inc"

screen_open 100 30
screen_type "$STALLTOP -i 0.3" Enter
shows "status" '^stalltop .* cpu +LIVE 300ms +window 10s.*[0-9:]{8}$'
shows "headline" '^ switches [0-9.]+[kM]?/s .*run queue [0-9.]+ max [0-9]'
shows "tabs" '^ 1 Overview +2 Schedule'
shows "overview" 'RUN QUEUE'
shows "hints" '^ \? help .*q quit'

screen_type 2
shows "schedule pane" 'SHARE|no schedule sources'
screen_type Tab
shows "next pane" 'RUN QUEUE'
screen_type BTab
gone "pane before" 'RUN QUEUE'

screen_type '?'
shows "help" '^ Keys$'
shows "help of keys" 'sum the rows up over 1 s'
screen_type G
shows "columns in the help" 'SHARE +share of the switches seen'
screen_type Escape
gone "help leaves" 'share of the switches seen'

screen_type w
shows "window 60 s" 'window (60s|1\.0min)'
screen_type w
shows "window all" 'window all'

screen_type Space
shows "pause" 'PAUSED'
screen_type '[' '['
shows "step back" 'PAUSED -[0-9.]+m?s'
screen_type Space
shows "goes on" 'LIVE 300ms'
screen_type +
shows "interval" 'LIVE 500ms'

if on 'SHARE'; then
	screen_type /
	screen_type zzz
	shows "filter prompt" '^ /zzz_ +0 of [0-9]+ rows match'
	shows "no row" 'no row matches "zzz"'
	screen_type Enter
	shows "filter kept" '^ "zzz": 0 of [0-9]+ rows match'
	screen_type Escape
	gone "filter cleared" 'rows match'
	screen_type s
	shows "sort picker" '^ sort by'
	screen_type Escape
	gone "picker leaves" '^ sort by'
	screen_type '>'
	screen_type Enter
	shows "opened row" 'Esc back'
	screen_type Escape
	gone "back" 'Esc back'
else
	skip "table keys" "no schedule sources here"
fi

screen_type q
usable "after q"
screen_close
finish
