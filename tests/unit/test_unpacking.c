/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces unpacked ahead of whoever reads them.
 */
#include "shards/unpacking.h"

#include <stdio.h>

#include "ballast/base/compress.h"
#include "check.h"

#define N_PIECES 40u

/* Of lengths that differ: "1,1,1,...". */
struct pieces {
    struct buf texts[N_PIECES], packed[N_PIECES];
    struct summary_piece pieces[N_PIECES];
};

static void
set_up(struct pieces *p)
{
    for (uint32_t i = 0; i < N_PIECES; i++) {
        buf_init(&p->texts[i], 1 << 20);
        buf_init(&p->packed[i], 1 << 20);
        for (uint32_t j = 0; j < 1 + i * 7919 % 4099; j++) {
            buf_printf(&p->texts[i], "%u,", i);
        }
        compress_append(&p->packed[i], p->texts[i].data, p->texts[i].length);
        p->pieces[i] = (struct summary_piece){
            .bytes = p->packed[i].data,
            .length = p->packed[i].length,
            .original = p->texts[i].length,
        };
    }
}

static void
tear_down(struct pieces *p)
{
    for (uint32_t i = 0; i < N_PIECES; i++) {
        buf_release(&p->texts[i]);
        buf_release(&p->packed[i]);
    }
}

/* Each number of pieces, all of them read. */
static void
test_all_in_order(void)
{
    struct pieces p;

    set_up(&p);
    for (uint32_t count = 0; count <= N_PIECES; count++) {
        const struct summary_section section = {.pieces = p.pieces, .n_pieces = count};
        struct unpacking *unpacking = unpacking_begin(&section);

        for (uint32_t i = 0; i < count; i++) {
            const char *text = unpacking_next(unpacking);

            CHECK_MSG(text != NULL && strcmp(text, buf_text(&p.texts[i])) == 0,
                      "piece %u of %u is another", i, count);
        }
        unpacking_end(unpacking);
    }
    tear_down(&p);
}

/* One that is broken ends them, wherever it is; those before it are as they were. */
static void
test_broken(void)
{
    struct pieces p;

    set_up(&p);
    for (uint32_t broken = 0; broken < N_PIECES; broken++) {
        const struct summary_section section = {.pieces = p.pieces, .n_pieces = N_PIECES};

        p.pieces[broken].original--;
        struct unpacking *unpacking = unpacking_begin(&section);

        for (uint32_t i = 0; i < broken; i++) {
            const char *text = unpacking_next(unpacking);

            CHECK(text != NULL && strcmp(text, buf_text(&p.texts[i])) == 0);
        }
        CHECK_MSG(unpacking_next(unpacking) == NULL, "piece %u is none", broken);
        unpacking_end(unpacking);
        p.pieces[broken].original++;
    }
    tear_down(&p);
}

/* Who reads has had enough: of none, of some, where the buffers are full, and where they are not.
 */
static void
test_ended_early(void)
{
    struct pieces p;

    set_up(&p);
    for (uint32_t n = 0; n < N_PIECES; n++) {
        const struct summary_section section = {.pieces = p.pieces, .n_pieces = N_PIECES};
        struct unpacking *unpacking = unpacking_begin(&section);
        const char *text = "";

        for (uint32_t i = 0; i < n; i++) {
            text = unpacking_next(unpacking);
        }
        CHECK(n == 0 || (text != NULL && strcmp(text, buf_text(&p.texts[n - 1])) == 0));
        unpacking_end(unpacking);
    }
    tear_down(&p);
}

void suite_unpacking(void);

void
suite_unpacking(void)
{
    check_suite("unpacking");
    check_test("all in order", test_all_in_order);
    check_test("a broken piece", test_broken);
    check_test("ended early", test_ended_early);
}
