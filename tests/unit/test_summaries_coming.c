/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries that come one by one, while whoever plans waits for them.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "summary_rig.h"

#define SHARDS 4u
#define LOOKS 8 /* after which nobody is waited for any more */

/* The first look finds the first shard's alone, and each one after that one more. */
struct arriving {
    struct summary_carrier carrier;
    uint32_t n_there;
    void (*found)(void *found_context, const struct carried_summary *summary);
    void *found_context;
    const char *torn; /* a file that is written anew, and badly, before the last one comes */
    struct temp_dir *dir;
};

static void
find_arrived(void *context, const struct carried_summary *summary)
{
    struct arriving *arriving = context;

    if (summary->shard.index <= arriving->n_there) {
        arriving->found(arriving->found_context, summary);
    }
}

static bool
list_arrived(void *context,
             void (*found)(void *found_context, const struct carried_summary *summary),
             void *found_context, struct error *err)
{
    struct arriving *arriving = context;

    arriving->n_there++;
    arriving->found = found;
    arriving->found_context = found_context;
    if (arriving->n_there == SHARDS && arriving->torn != NULL) {
        temp_write(arriving->dir, arriving->torn, "torn", 0600);
    }
    return arriving->carrier.list(arriving->carrier.context, find_arrived, arriving, err);
}

static char *
read_arrived(void *context, const struct carried_summary *summary, size_t most, size_t *ret_length,
             struct error *err)
{
    struct arriving *arriving = context;

    return arriving->carrier.read(arriving->carrier.context, summary, most, ret_length, err);
}

/* A second for each look. */
static int64_t
looks_so_far(void *context)
{
    const struct arriving *arriving = context;

    return arriving->n_there * NANOS_PER_SECOND;
}

/* `torn`: a shard whose file is written anew, 0: none. */
static void
arrive(struct summary_rig *rig, struct arriving *arriving, uint32_t torn)
{
    *arriving = (struct arriving){.carrier = rig->options.carrier, .dir = &rig->dir};
    if (torn > 0) {
        arriving->torn = arena_printf(rig->arena, "summaries/%u-of-4.summary", (unsigned)torn);
    }
    rig->options.carrier.context = arriving;
    rig->options.carrier.list = list_arrived;
    rig->options.carrier.read = read_arrived;
    rig->options.carrier.pause = 1000;
    rig->options.clock.context = arriving;
    rig->options.clock.monotonic = looks_so_far;
    rig->options.patience = LOOKS * NANOS_PER_SECOND;
    rig->options.count = SHARDS;
}

/* While some are waited for, those that are there go into the fleet: so there need not be memory
 * for the text of all of them at once. Which cycle they are of has to be said, or they may be of
 * the one before, and the last word counts. */
static void
test_as_they_come(void)
{
    for (int is_named = 0; is_named < 2; is_named++) {
        struct summary_rig rig;
        struct arriving arriving;
        char name[8193];

        memset(name, 'c', sizeof(name) - 1);
        name[sizeof(name) - 1] = '\0';
        rig_init(&rig);
        const struct summary_purpose wide = {rig_purpose.fleet, name, rig_purpose.settings};

        for (uint32_t i = 1; i <= SHARDS; i++) {
            rig_put(&rig, (struct shard){i, SHARDS}, wide, RIG_NOW);
        }
        rig.options.purpose = wide;
        rig.options.purpose.cycle = is_named ? name : "";
        rig.options.memory = 4 * (sizeof(name) * 3 / 2); /* a quarter is for the text: of one */
        arrive(&rig, &arriving, 0);
        if (is_named) {
            rig_check_seen(&rig, SHARDS, 0x1e, "");
            CHECK_INT(arriving.n_there, SHARDS);
        } else {
            rig_check_seen(&rig, SHARDS, 0x2, "it takes more memory than there is for summaries");
        }
        rig_release(&rig);
    }
}

/* What was taken from a shard stays, whatever becomes of its summary. */
static void
test_taken_stays(void)
{
    const uint32_t shard = shard_of("m4", SHARDS);

    CHECK(shard < SHARDS); /* it is there before the last one comes */
    for (int is_named = 0; is_named < 2; is_named++) {
        struct summary_rig rig;
        struct arriving arriving;

        rig_init(&rig);
        rig_put_all(&rig, SHARDS, RIG_NOW);
        rig.options.purpose.cycle = is_named ? rig_purpose.cycle : "";
        arrive(&rig, &arriving, shard);
        rig_check_seen(&rig, SHARDS, is_named ? 0x1e : 0x1eu & ~(1u << shard), "it is no summary");
        rig_release(&rig);
    }
}

/* A member that is cut waits for all of its slices. */
static void
test_slices_as_they_come(void)
{
    for (int is_torn = 0; is_torn < 2; is_torn++) {
        struct summary_rig rig;
        struct arriving arriving;

        rig_init(&rig);
        rig.slicing = rig.options.slicing = rig_cut_m1(4);
        rig_put_all(&rig, SHARDS, RIG_NOW);
        arrive(&rig, &arriving, is_torn ? SHARDS : 0);
        struct error err = ERROR_INIT;

        if (!CHECK_OK(rig_look(&rig, &err), err)) {
            rig_release(&rig);
            return;
        }
        for (uint32_t i = 0; i < rig.fleet->n_clusters; i++) {
            const struct member *member = &rig.fleet->members[i];
            bool is_lost =
                is_torn && (str_eq(member->name, "m1") || shard_of(member->name, SHARDS) == SHARDS);

            CHECK_MSG(member->n_nodes == (is_lost ? 0 : 1), "%s: %u nodes", member->name,
                      (unsigned)member->n_nodes);
        }
        rig_release(&rig);
    }
}

void suite_summaries_coming(void);

void
suite_summaries_coming(void)
{
    check_suite("summaries coming");
    check_test("as they come", test_as_they_come);
    check_test("taken stays", test_taken_stays);
    check_test("slices as they come", test_slices_as_they_come);
}
