# SPDX-License-Identifier: Apache-2.0
CC ?= gcc
MODE ?= release
BUILD := build/$(MODE)
PKGS := libcurl jansson yaml-0.1
CFLAGS_release := -O2 -g
CFLAGS_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_debug := -O0 -g
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
	-Wwrite-strings -Wformat=2 -Werror
override CPPFLAGS += -Iinclude -D_GNU_SOURCE $(shell pkg-config --cflags $(PKGS))
override CFLAGS += -std=c17 $(CFLAGS_$(MODE)) $(WARNINGS)
LDLIBS += $(shell pkg-config --libs $(PKGS)) -lm

LIB_SRC := $(sort $(wildcard src/*/*.c))
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
UNIT_SRC := $(sort $(wildcard tests/unit/*.c))
UNIT_OBJ := $(UNIT_SRC:%.c=$(BUILD)/%.o)
SUITES := $(patsubst tests/unit/test_%.c,%,$(filter tests/unit/test_%,$(UNIT_SRC)))

all: $(if $(wildcard src/main.c),$(BUILD)/ballast) $(BUILD)/libballast.a

$(BUILD)/ballast: $(BUILD)/src/main.o $(BUILD)/libballast.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/libballast.a: $(LIB_OBJ)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/test-unit: $(UNIT_OBJ) $(BUILD)/libballast.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcunit $(LDLIBS)

VECTORS ?= build/vectors
CONFORM_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/conformance/*.c)))
VECTOR_FILES := $(patsubst tests/conformance/%.xz,build/%,$(wildcard tests/conformance/vectors/*.xz))
$(BUILD)/conformance: $(CONFORM_OBJ) $(BUILD)/libballast.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

build/vectors/%: tests/conformance/vectors/%.xz
	@mkdir -p $(@D)
	xz -dc $< > $@.tmp && mv $@.tmp $@

$(BUILD)/tests/unit/check.o: CPPFLAGS += -I$(BUILD)
$(BUILD)/tests/unit/check.o: $(BUILD)/suites.inc
$(BUILD)/suites.inc: $(UNIT_SRC) | $(BUILD)
	printf 'SUITE(%s)\n' $(SUITES) > $@
$(BUILD):
	mkdir -p $@

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

test: $(BUILD)/test-unit
	$(BUILD)/test-unit

conformance: $(BUILD)/conformance $(if $(filter build/vectors,$(VECTORS)),$(VECTOR_FILES))
	$(BUILD)/conformance $(VECTORS)

clean:
	rm -rf build

.PHONY: all test conformance clean
-include $(shell find build -name '*.d' 2>/dev/null)
