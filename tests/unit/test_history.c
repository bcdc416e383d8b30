/* SPDX-License-Identifier: Apache-2.0
 *
 * The history of runs: what a later undo took back, write by write, and what an
 * undo of the undo gave back; which workloads are asked about.
 */
#include "ballast/record/history.h"

#include "ballast/base/str.h"
#include "check.h"

#define RUN "20260301T120000Z-0000000000000001"
#define UNDO "20260302T120000Z-0000000000000002"
#define REDO "20260303T120000Z-0000000000000003"

static struct record_item
write_to(const char *name, const char *status)
{
    return (struct record_item){.kind = BINDING_RESOURCE,
                                .namespace_ = "shop",
                                .name = name,
                                .resource = {.kind = "Deployment", .name = name},
                                .status = status};
}

struct three_runs {
    struct record_item of_run[2], of_undo[2], of_redo[1];
    const char *undone[1], *redone[1];
    struct record records[3];
    const struct record *list[3];
};

static void
fill(struct three_runs *runs)
{
    *runs = (struct three_runs){
        .of_run = {write_to("web", "Done"), write_to("api", "Done")},
        .of_undo = {write_to("web", "Done"), write_to("api", "Conflict")},
        .of_redo = {write_to("web", "Done")},
        .undone = {RUN},
        .redone = {UNDO},
    };
    runs->records[0] = (struct record){.id = RUN, .items = runs->of_run, .n_items = 2};
    runs->records[1] = (struct record){.id = UNDO,
                                       .undoes = {.items = runs->undone, .count = 1},
                                       .items = runs->of_undo,
                                       .n_items = 2};
    runs->records[2] = (struct record){.id = REDO,
                                       .undoes = {.items = runs->redone, .count = 1},
                                       .items = runs->of_redo,
                                       .n_items = 1};
    for (int i = 0; i < 3; i++) {
        runs->list[i] = &runs->records[i];
    }
}

static void
test_undone(void)
{
    struct arena *arena = arena_new();
    struct three_runs runs;

    fill(&runs);
    const struct history *history =
        history_new(arena, runs.list, 2, &(struct history_question){.name = NULL});

    CHECK_INT(history->n_runs, 2);
    CHECK_STR(history->runs[0].record->id, UNDO); /* the latest first */
    CHECK_INT(history->runs[0].n_written, 1);
    CHECK_INT(history->runs[1].n_written, 2);
    CHECK_INT(history->runs[1].n_undone, 1);
    CHECK(history->runs[1].items[0].undone_by == runs.list[1]);
    CHECK(history->runs[1].items[1].undone_by == NULL); /* the undo did not write it */

    history = history_new(arena, runs.list, 3, &(struct history_question){.name = NULL});
    CHECK(history->runs[1].items[0].undone_by == runs.list[2]);
    CHECK(history->runs[2].items[0].undone_by == NULL); /* it stands again */
    arena_free(arena);
}

static void
test_question(void)
{
    struct arena *arena = arena_new();
    struct three_runs runs;

    fill(&runs);
    const struct history *history =
        history_new(arena, runs.list, 3, &(struct history_question){.name = "api"});

    CHECK_INT(history->n_runs, 2);
    CHECK_INT(history->runs[1].n_items, 1);
    CHECK_STR(history->runs[1].items[0].item->name, "api");
    history = history_new(arena, runs.list, 3,
                          &(struct history_question){.namespace_ = "pay", .name = "api"});
    CHECK_INT(history->n_runs, 0);
    history =
        history_new(arena, runs.list, 3,
                    &(struct history_question){.namespace_ = "shop", .kind = "Job", .name = "api"});
    CHECK_INT(history->n_runs, 0);
    arena_free(arena);
}

void suite_history(void);

void
suite_history(void)
{
    check_suite("history");
    check_test("undone", test_undone);
    check_test("question", test_question);
}
