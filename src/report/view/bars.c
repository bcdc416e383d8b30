/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws bars, and formats amounts.
 */
#include "bars.h"

#include <inttypes.h>

#include "ballast/base/buf.h"
#include "ballast/base/wide.h"
#include "report/print/printer.h"

#define NANOS_PER_ONE 1000000000
#define GIB ((nanos128)1 << 30)

/* Rounds up to tenths. */
static const char *
tenths_text(struct arena *arena, nanos128 amount, nanos128 unit, const char *suffix)
{
    nanos128 tenths = (amount * 10 + unit - 1) / unit, whole = tenths / 10, rest = tenths % 10;

    return rest == 0 || tenths >= 1000
               ? arena_printf(arena, "%s%s", number_text(arena, pin_int64(whole + (rest > 0))),
                              suffix)
               : arena_printf(arena, "%" PRId64 ".%" PRId64 "%s", pin_int64(whole), pin_int64(rest),
                              suffix);
}

const char *
room_fine_text(struct arena *arena, enum ledger_resource resource, struct quantity amount)
{
    const bool is_memory = resource == LEDGER_MEMORY;
    const nanos128 thousandths = amount.nano / (is_memory ? GIB : 1) / (NANOS_PER_ONE / 1000);

    return arena_printf(arena, "%s.%03" PRId64 "%s",
                        number_text(arena, pin_int64(thousandths / 1000)),
                        pin_int64(thousandths % 1000), is_memory ? "Gi" : "");
}

const char *
room_need_text(struct arena *arena, enum ledger_resource resource, struct quantity amount)
{
    const nanos128 gib = GIB * NANOS_PER_ONE;

    if (resource != LEDGER_MEMORY) {
        return tenths_text(arena, amount.nano, NANOS_PER_ONE, "");
    }
    return amount.nano >= gib ? tenths_text(arena, amount.nano, gib, "Gi")
                              : tenths_text(arena, amount.nano, gib / 1024, "Mi");
}

struct bar
bar_of(const struct free_amount *amount, struct quantity free, struct quantity waiting)
{
    double whole = (double)amount->allocatable.nano;
    double left = (double)free.nano < whole ? (double)free.nano : whole;

    if (whole <= 0) {
        return (struct bar){0, 0};
    }
    return (struct bar){.taken = (whole - left) / whole, .stuck = (double)waiting.nano / whole};
}

/* Rounds to cells, but a used cluster shows a cell, and only a full one shows all. */
static size_t
cells_of(double share, size_t width)
{
    size_t cells = (size_t)pin_real(share * (double)width + 0.5);

    if (share > 0 && cells == 0) {
        return 1;
    }
    return cells >= width ? share < 1 && width > 1 ? width - 1 : width : cells;
}

/* Rounded down, with at most three digits. */
static int
percent_of(double share)
{
    return share > 0 ? pin_int32(pin_real(share < 9.99 ? share * 100 : 999)) : 0;
}

const char *
bar_text(struct arena *arena, enum bar_style style, const struct bar *bar, size_t width)
{
    static const char *const marks[][3] = {
        [BARS_NONE] = {"", "", ""},
        [BARS_ASCII] = {"#", "!", "."},
        [BARS_UNICODE] = {"\u2588", "\u2592", "\u00b7"},
    };
    size_t taken = cells_of(bar->taken, width), stuck = cells_of(bar->stuck, width);
    struct buf text;

    if (taken + stuck > width) { /* waiting replicas get a cell even in a full cluster */
        stuck = width - taken > 0 ? width - taken : 1;
        taken = width - stuck;
    }
    buf_init(&text, BAR_BYTES_MAX);
    for (size_t i = 0; i < width; i++) {
        buf_append_str(&text, marks[style][i < taken ? 0 : i < taken + stuck ? 1 : 2]);
    }
    const char *ret = arena_printf(arena, "%s%s%3d%%", buf_text(&text),
                                   style == BARS_NONE ? "" : " ", percent_of(bar->taken));

    buf_release(&text);
    return ret;
}

size_t
bar_width(uint32_t columns, size_t others, size_t bars)
{
    size_t left = columns > others ? (columns - others) / bars : 0;

    left = left > BAR_NUMBER ? left - BAR_NUMBER : 0;
    return left < BAR_LEAST ? BAR_LEAST : left < BAR_MOST ? left : BAR_MOST;
}

const char *
bar_legend(enum bar_style style)
{
    return style == BARS_UNICODE ? "\u2588 taken  \u2592 stuck  \u00b7 room"
                                 : "# taken  ! stuck  . room";
}
