// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Can the name of a process disturb a screen?
 *
 *	rename SECONDS [TICK_MS]
 *
 * Takes one hostile name after the other and sleeps 1,000 times a second, so
 * that it has a row wherever tasks are shown.  Prints the names it took and
 * the rounds it went, on its own stdout in \x form.
 */
#include "load.h"

static const char *const hostile[] = {
	"\033[2J\033[1;1Hgone",		/* clears, moves home */
	"\033]0;title\007",		/* sets the terminal's title */
	"\033[31mred\033[5m",		/* colours, blinks */
	"\033c",			/* resets the terminal */
	"\033[10;10Hmoved",
	"new\nline\r\nhere",
	"tab\tback\b\b\bx",
	"bell\007\016so\017si",
	"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe5\xad\x97",	/* four wide */
	"e\xcc\x81\xcc\x81\xcc\x81x",	/* combining marks */
	"\xf0\x9f\x92\xa9\xf0\x9f\x92\xa9 wide",
	"cut \xe6\x97",			/* ends within a character */
	"\xff\xfe\xc0\xaf bad",		/* never UTF-8 */
	"\xc2\x9b" "2Jc1",		/* CSI as U+009B */
	"\x9b" "2Jraw c1",		/* CSI as a bare byte */
	"\xe2\x80\xaetxet rtl",		/* right-to-left override */
	"a) R 1 1 1 (b",		/* the marks of /proc/PID/stat */
	") S 0 0\n(x",
	" ",
	"%s%n%d",
	"\"quote\\back\"",
	"\x7f" "del\x01\x02",
};

enum { NAMES = sizeof(hostile) / sizeof(hostile[0]) };

static void print_name(const char *name)
{
	printf("name ");
	for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
		if (*c > ' ' && *c < 0x7f && *c != '\\')
			putchar(*c);
		else
			printf("\\x%02x", *c);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	uint64_t span_s = number(argc, argv, 1, 0);
	uint64_t tick_ns = number(argc, argv, 2, 50) * 1000000;
	uint64_t from_ns = now_ns(), until_ns, taken = 0;

	if (argc < 2 || !span_s || !tick_ns || span_s >= LIMIT_S)
		usage("rename SECONDS [TICK_MS]");
	alarm(LIMIT_S);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < NAMES; i++)
		print_name(hostile[i]);
	fflush(stdout);
	until_ns = from_ns + span_s * 1000000000;
	while (now_ns() < until_ns) {
		uint64_t next_ns = now_ns() + tick_ns;

		name_self(hostile[taken++ % NAMES]);
		while (now_ns() < next_ns)
			sleep_ns(1000000);
	}
	say("", "names", NAMES);
	say("", "taken", taken);
	return 0;
}
