# stalltop: one Makefile, not recursive.
#
#   make            build build/stalltop
#   make run        install what is missing, build, watch this box
#   make check      every test that needs no quiet machine
#   make check-live as root: workloads with known answers on the live kernel
#   make check-vm   as root: the same program in Debian's kernels, in guests
#   make asan       the programs' tests under ASan and UBSan
#   make fuzz       each fuzz target for FUZZ_S seconds
#   make bench      cost beside what one would run instead
#   make install    DESTDIR= PREFIX=
#
# V=1 shows the commands; WERROR=1 makes warnings errors; SAN=1 builds with
# sanitizers; BUILD=DIR builds elsewhere; DEPS=0 does not look at packages;
# BPF=0 builds without the in-kernel engine (no clang, no libbpf);
# CROSS=PREFIX- builds for another machine: with DEPS=0, a BUILD of its own, and
# pkg-config told where that machine's packages are (tests/vm/vm.inc does it).
# Sources are found by wildcard, so a new .c file is registered nowhere here.

BUILD	?= build
PREFIX	?= /usr/local
FUZZ_S	?= 60
LIBPERF	?= $(BUILD)/libperf

# ---- variants: plain, SAN=1, FUZZ=1; each has a folder of objects ----------

UBSAN	:= -fsanitize=address,undefined -fno-sanitize-recover=undefined
VARIANT	:= $(if $(FUZZ),fuzz,$(if $(SAN),san,plain))
OBJ_plain  := $(BUILD)
OBJ_san	   := $(BUILD)/san
OBJ_fuzz   := $(BUILD)/fuzz
FLAGS_plain := -O2
FLAGS_san   := -O1 -fno-omit-frame-pointer $(UBSAN)
FLAGS_fuzz  := -O1 -fno-omit-frame-pointer $(UBSAN) -fsanitize=fuzzer-no-link
CC_plain    := $(CROSS)gcc
CC_san	    := $(CROSS)gcc
CC_fuzz	    := clang

OBJ	:= $(OBJ_$(VARIANT))
ifeq ($(origin CC),default)
CC	:= $(CC_$(VARIANT))
endif
ifeq ($(origin AR),default)
AR	:= $(CROSS)ar
endif

WARN	:= -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	   -Wwrite-strings -Wformat=2 -Wpointer-arith -Wvla \
	   -Werror=implicit-function-declaration \
	   $(if $(filter 1,$(WERROR)),-Werror)
LANG_FLAGS := -std=gnu11 -g -D_GNU_SOURCE
COMPILE	= $(CC) $(LANG_FLAGS) $(FLAGS_$(VARIANT)) $(WARN) $(CPPFLAGS) \
	  $(CFLAGS) -MMD -MP

# pkg-config is asked once, and only when a recipe needs the answer: on a fresh
# box `deps` installs it first.
once	= $(eval $(1) := $(2))$($(1))
CURSES_CFLAGS = $(call once,CURSES_CFLAGS,$(shell pkg-config --cflags ncursesw))
LIBS = $(call once,LIBS,$(shell \
	pkg-config --libs ncursesw libproc2 libzstd libcbor \
	$(if $(filter 1,$(BPF)),libbpf)) -lpfm -lm)

# ---- what there is ----------------------------------------------------------

# Programs for the kernel are x.bpf.c; BPF=0 builds without them.
BPF	?= 1
BPF_LIB	:= $(addprefix collectors/,bpf.c bpf_maps.c bpf_types.c)
BPF_OUT	:= $(BUILD)/bpf
BPF_SRC	:= $(if $(filter 1,$(BPF)),$(wildcard collectors/*.bpf.c))
SKELETONS := $(patsubst collectors/%.bpf.c,$(BPF_OUT)/%.skel.h,$(BPF_SRC))
SRC	:= $(filter-out %.bpf.c \
	   $(if $(filter 1,$(BPF)),collectors/bpf_none.c,$(BPF_LIB)), \
	   $(wildcard src/*.c ui/*.c collectors/*.c))
ENGINE	:= $(patsubst %.c,$(OBJ)/%.o,$(filter-out src/main.c,$(SRC))) \
	   $(if $(filter 1,$(BPF)),$(OBJ)/bpf_images.o)
MAIN	:= $(patsubst %.c,$(OBJ)/%.o,$(filter src/main.c,$(SRC)))
PROGRAM	:= $(if $(MAIN),$(OBJ)/stalltop)
ARCHIVE	:= $(OBJ)/stalltop.a
UNITS	:= $(patsubst %.c,$(OBJ)/%,$(wildcard tests/unit/test_*.c))
LOADS	:= $(patsubst tests/%.c,$(BUILD)/%,$(wildcard tests/workloads/*.c))
FUZZERS	:= $(patsubst %.c,$(OBJ)/%,$(wildcard tests/fuzz/fuzz_*.c))
MANUALS	:= $(wildcard man/*.[1-8])

Q	:= $(if $(filter 1,$(V)),,@)
say	= $(if $(filter 1,$(V)),,@printf '  %-7s %s\n' $(1) $(2))

.PHONY: all run check check-bare check-live check-vm asan fuzz fuzz-all bench deps \
	install uninstall clean FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: $(PROGRAM) $(ENGINE)

run: all
	@exec $(PROGRAM) $(ARGS)

# ---- packages ----------------------------------------------------------------

PKGS_BUILD := libc6-dev pkg-config libncurses-dev libproc2-dev libpfm4-dev \
	      libzstd-dev libcbor-dev binutils xz-utils
PKGS_BPF   := clang bpftool libbpf-dev libelf-dev zlib1g-dev
PKGS_CHECK := tmux mandoc strace universal-ctags valgrind python3 linux-perf \
	      bzip2 procps libcap2-bin
PKGS_BENCH := linux-perf htop atop bc procps
PKGS_FUZZ  := clang libclang-rt-14-dev
PKGS := $(sort $(PKGS_BUILD) $(if $(filter 1,$(BPF)),$(PKGS_BPF)) \
	$(if $(filter check check-live asan,$(MAKECMDGOALS)),$(PKGS_CHECK)) \
	$(if $(filter bench,$(MAKECMDGOALS)),$(PKGS_BENCH)) \
	$(if $(filter fuzz fuzz-all,$(MAKECMDGOALS)),$(PKGS_FUZZ)))

# libperf is in no Debian package: the kernel's source is, and any version of
# it serves, so an archive that is already there is taken as it is.
define DEPS_SH
set -u
command -v dpkg-query >/dev/null || exit 0
have=" $$(dpkg-query -W -f '$${db:Status-Status}:$${Package} ' $(PKGS) \
	2>/dev/null | tr '\n' ' ')"
missing=
for p in $(PKGS); do
	case $$have in *" installed:$$p "*) ;; *) missing="$$missing $$p" ;; esac
done
set -- /usr/src/linux-source-*.tar.*
[ -e "$$1" ] || [ -e $(LIBPERF)/stamp ] || \
	pkg-config --exists libperf 2>/dev/null || \
	missing="$$missing linux-source"
[ -n "$$missing" ] || exit 0
get="apt-get install -y --no-install-recommends$$missing"
as=
if [ "$$(id -u)" -ne 0 ]; then
	as=sudo
	command -v sudo >/dev/null || {
		echo "stalltop: packages are missing; as root: $$get" >&2
		exit 1
	}
fi
echo "stalltop: installing$$missing" >&2
mkdir -p $(BUILD)
log=$(BUILD)/deps.log
: >"$$log"
apt() {
	$$as env DEBIAN_FRONTEND=noninteractive apt-get -qq \
		-o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$$@" \
		</dev/null >>"$$log" 2>&1
}
set -- /var/lib/apt/lists/*_Packages*
[ -e "$$1" ] || apt update
apt install -y --no-install-recommends $$missing || {
	apt update && apt install -y --no-install-recommends $$missing
} || {
	tail -n 20 "$$log" >&2
	echo "stalltop: packages could not be installed; as root: $$get" >&2
	exit 1
}
endef

deps: export SCRIPT = $(DEPS_SH)
deps:
	$(if $(filter 0,$(DEPS)),,@sh -c "$$SCRIPT")

# ---- libperf and libapi --------------------------------------------------------
#
# From pkg-config where a distribution has it; else unpacked (tools/ only) and
# built by the kernel's own makefiles, once for all variants. These see neither
# our variables nor our flags. What a user of libperf has to say to the compiler
# is left in two response files, cflags and libs.

kernel_arch = $(shell echo $(machine) | sed -e 's/i.86/x86/' \
	-e s/x86_64/x86/ -e 's/aarch64.*/arm64/' -e 's/riscv.*/riscv/' \
	-e 's/ppc.*/powerpc/' -e 's/powerpc.*/powerpc/' -e s/s390x/s390/)

define LIBPERF_SH
set -eu
to=$(LIBPERF)
tmp=$$to.$$$$
rm -rf "$$tmp"
mkdir -p "$$tmp/out/perf" "$$tmp/out/api"
trap 'rm -rf "$$tmp"' EXIT
if pkg-config --exists libperf; then
	pkg-config --cflags libperf >"$$tmp/cflags"
	pkg-config --libs libperf >"$$tmp/libs"
else
	archive=$$(ls /usr/src/linux-source-*.tar.* 2>/dev/null | sort -V | \
		tail -n 1)
	[ -n "$$archive" ] || {
		echo "stalltop: libperf: no /usr/src/linux-source-*.tar.xz;" \
			"install linux-source" >&2
		exit 1
	}
	top='linux-source-*/tools'
	XZ_OPT=-T0 tar -xf "$$archive" -C "$$tmp" --strip-components=1 \
		--wildcards --no-wildcards-match-slash \
		"$$top/arch" "$$top/build" "$$top/include" "$$top/lib" \
		"$$top/scripts"
	abs=$$(cd "$$tmp" && pwd)
	for lib in perf api; do
		env -i PATH="$$PATH" HOME=/ $(MAKE_COMMAND) -s \
			-C "$$abs/tools/lib/$$lib" OUTPUT="$$abs/out/$$lib/" \
			EXTRA_CFLAGS='-O2 -w -Wno-error' WERROR=0 \
			$(if $(CROSS),CROSS_COMPILE=$(CROSS) ARCH=$(kernel_arch)) \
			fixdep "$$abs/out/$$lib/lib$$lib.a" \
			>"$$tmp/log" 2>&1 || { cat "$$tmp/log" >&2; exit 1; }
		cp "$$tmp/out/$$lib/lib$$lib.a" "$$tmp/"
	done
	rm -rf "$$tmp/out" "$$tmp/log"
	for dir in lib/perf/include lib include arch/$(kernel_arch)/include \
	    arch/$(kernel_arch)/include/uapi include/uapi; do
		echo "-isystem $$to/tools/$$dir"
	done >"$$tmp/cflags"
	echo "$$to/libperf.a $$to/libapi.a" >"$$tmp/libs"
fi
touch "$$tmp/stamp"
rm -rf "$$to"
mv "$$tmp" "$$to"
endef

$(LIBPERF)/stamp: export SCRIPT = $(LIBPERF_SH)
$(LIBPERF)/stamp: | deps
	$(call say,LIBPERF,$(LIBPERF))
	$(Q)sh -c "$$SCRIPT"

# ---- objects --------------------------------------------------------------------

# Rewritten only when the way things are compiled changes.
$(OBJ)/flags: FORCE | deps
	@mkdir -p $(@D)
	@echo '$(COMPILE) BPF=$(BPF)' | cmp -s - $@ || \
		echo '$(COMPILE) BPF=$(BPF)' >$@

INC_src	       := -Iinclude
INC_ui	       := -Iinclude -Iui
INC_collectors := -Iinclude -Icollectors
INC_tests      := -Iinclude -Iui -Icollectors -Itests/unit
includes	= $(INC_$(firstword $(subst /, ,$<)))

$(OBJ)/ui/curses.o: LIB_CFLAGS = $(CURSES_CFLAGS)
$(OBJ)/collectors/perf.o: LIB_CFLAGS = @$(LIBPERF)/cflags
$(OBJ)/collectors/perf.o: $(LIBPERF)/stamp

$(OBJ)/%.o: %.c $(OBJ)/flags
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(includes) $(LIB_CFLAGS) -c -o $@ $<

# ---- programs for the kernel ------------------------------------------------------
#
# The same for all variants. They need no header of the kernel they will run on:
# core.bpf.h declares what is read, and libbpf fits it when it loads.

machine	= $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
BPF_ARCH = $(patsubst x86_64,x86,$(patsubst aarch64,arm64,$(machine)))
BPF_COMPILE = $(BPF_CLANG) -std=gnu11 -g -O2 -target bpf -mcpu=v3 \
	  -D__TARGET_ARCH_$(BPF_ARCH) -Wall -Wextra -Wno-unused-parameter \
	  $(if $(filter 1,$(WERROR)),-Werror) \
	  -Icollectors -I/usr/include/$(shell gcc -print-multiarch)
BPF_CLANG ?= clang

define BPF_TOOLS_SH
PATH="$$PATH:/usr/sbin"
for tool in $(firstword $(BPF_CLANG)) bpftool; do
	command -v "$$tool" >/dev/null || missing="$$missing $$tool"
done
pkg-config --exists libbpf || missing="$$missing libbpf"
[ -z "$$missing" ] || {
	echo "stalltop: not found:$$missing; install what is missing, or build" \
		"without the in-kernel engine: make BPF=0" >&2
	exit 1
}
endef

$(BPF_OUT)/flags: export SCRIPT = $(BPF_TOOLS_SH)
$(BPF_OUT)/flags: FORCE | deps
	@missing= sh -c "$$SCRIPT"
	@mkdir -p $(@D)
	@echo '$(BPF_COMPILE)' | cmp -s - $@ || echo '$(BPF_COMPILE)' >$@

$(BPF_OUT)/%.bpf.o: collectors/%.bpf.c $(BPF_OUT)/flags
	$(call say,CLANG,$@)
	@mkdir -p $(@D)
	$(Q)$(BPF_COMPILE) -MMD -MP -MT $@ -c -o $@ $<

$(BPF_OUT)/%.skel.h: $(BPF_OUT)/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)PATH="$$PATH:/usr/sbin" bpftool gen skeleton $< \
		name $(subst .,_,$*)_bpf >$@

# Rewritten when a program comes or goes.
$(OBJ)/bpf_images.c: $(SKELETONS) FORCE
	@mkdir -p $(@D)
	@{ echo '#include "bpf_images.h"'; \
	for s in $(SKELETONS:$(BPF_OUT)/%.skel.h=%); do \
		echo "#include \"$$s.skel.h\""; done; \
	echo 'const struct bpf_image bpf_images[] = {'; \
	for s in $(SKELETONS:$(BPF_OUT)/%.skel.h=%); do \
		echo "	{ \"$$s\", $${s}_bpf__elf_bytes },"; done; \
	echo '	{ 0, 0 } };'; } >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(OBJ)/bpf_images.o: $(OBJ)/bpf_images.c $(OBJ)/flags
	$(call say,CC,$@)
	$(Q)$(CC) $(LANG_FLAGS) $(FLAGS_$(VARIANT)) -w -MMD -MP -Icollectors \
		-I$(BPF_OUT) -c -o $@ $<

# Everything but main.o; a program takes from it what it calls.
$(ARCHIVE): $(ENGINE)
	$(call say,AR,$@)
	@mkdir -p $(@D)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

LINK = $(CC) $(FLAGS_$(VARIANT)) $(LDFLAGS) -o $@ $(filter %.o,$^) \
       $(ARCHIVE) @$(LIBPERF)/libs $(LIBS)

$(OBJ)/stalltop: $(MAIN) $(ARCHIVE) $(LIBPERF)/stamp
	$(call say,LINK,$@)
	$(Q)$(LINK)

$(OBJ)/tests/unit/test_%: $(OBJ)/tests/unit/test_%.o $(ARCHIVE) $(LIBPERF)/stamp
	$(call say,LINK,$@)
	$(Q)$(LINK)

$(OBJ)/tests/fuzz/fuzz_%: $(OBJ)/tests/fuzz/fuzz_%.o $(ARCHIVE) $(LIBPERF)/stamp
	$(call say,LINK,$@)
	$(Q)$(LINK) -fsanitize=fuzzer

# Workloads are what stalltop watches: never sanitized, nothing of ours inside.
$(BUILD)/workloads/%: tests/workloads/%.c | deps
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)gcc $(LANG_FLAGS) -O2 $(WARN) -pthread -MMD -MP -o $@ $<

-include $(SKELETONS:.skel.h=.bpf.d) $(OBJ)/bpf_images.d
-include $(patsubst %.c,$(OBJ)/%.d,$(SRC)) $(UNITS:=.d) $(FUZZERS:=.d) \
	 $(LOADS:=.d)

# ---- tests ----------------------------------------------------------------------

RUN_TESTS = BUILD=$(BUILD) OBJ=$(OBJ) SAN=$(SAN) tests/run.sh

check: all $(UNITS) $(LOADS)
	@$(RUN_TESTS) $(if $(SAN),sanitized,check)

# What differs without the in-kernel engine.
BARE	:= $(addprefix $(OBJ)/tests/unit/test_,bpf_why engine options)

check-bare: all $(BARE)
	@$(RUN_TESTS) bare

check-live: all $(LOADS)
	@$(RUN_TESTS) live

check-vm: all $(LOADS)
	@BUILD=$(BUILD) OBJ=$(OBJ) tests/vm/kernels.sh

asan:
	@$(MAKE) --no-print-directory check SAN=1

fuzz:
	@$(MAKE) --no-print-directory fuzz-all FUZZ=1

fuzz-all: $(FUZZERS)
	@for f in $(FUZZERS); do \
		name=$${f##*/fuzz_}; \
		seeds=tests/fuzz/corpus/$$name; \
		found=$(OBJ)/corpus/$$name; \
		mkdir -p $$found; \
		[ -d $$seeds ] || seeds=; \
		echo "  FUZZ    $$name $(FUZZ_S) s"; \
		$$f -max_total_time=$(FUZZ_S) -timeout=10 -print_final_stats=1 \
			-artifact_prefix=$(OBJ)/$$name- $$found $$seeds \
			2>$(OBJ)/$$name.log </dev/null || { \
			tail -n 40 $(OBJ)/$$name.log >&2; exit 1; }; \
		grep -a number_of_executed_units $(OBJ)/$$name.log; \
	done

bench: all $(LOADS)
	@for b in $(wildcard tests/bench/*.sh); do \
		BUILD=$(BUILD) $$b || exit 1; \
	done

# ---- install --------------------------------------------------------------------

BINDIR	= $(DESTDIR)$(PREFIX)/bin
MANDIR	= $(DESTDIR)$(PREFIX)/share/man
man_to	= $(MANDIR)/man$(subst .,,$(suffix $(1)))/$(notdir $(1))

install: all
	install -D -m 755 $(PROGRAM) $(BINDIR)/stalltop
	$(foreach m,$(MANUALS),install -D -m 644 $(m) $(call man_to,$(m));)

uninstall:
	rm -f $(BINDIR)/stalltop $(foreach m,$(MANUALS),$(call man_to,$(m)))

clean:
	rm -rf $(BUILD)
