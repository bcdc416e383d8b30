/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries in a directory, put together: those that are of use count, and of
 * each member of the others it is said why it is not seen.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "ballast/base/str.h"
#include "summary_rig.h"

#define N_SHARDS 2

/* Both shards have members, else the cases say nothing. */
static void
test_shards_have_members(void)
{
    unsigned seen = 0;

    for (size_t i = 0; i < RIG_CLUSTERS; i++) {
        seen |= 1u << shard_of(rig_clusters[i], N_SHARDS);
    }
    CHECK_INT(seen, 0x6);
}

/* What is wrong with the second summary; the first one is seen all the same. */
static const struct {
    struct summary_purpose purpose;
    int64_t time;
    const char *why;
} others[] = {
    {{"https://y", "c1", "s"}, RIG_NOW, "2-of-2.summary: it is of another fleet: https://y"},
    {{"https://x", "c0", "s"}, RIG_NOW, "2-of-2.summary: it is of another cycle: c0"},
    {{"https://x", "", "s"}, RIG_NOW, "it is of another cycle: "},
    {{"https://x", "c1", "t"}, RIG_NOW, "it was made with other settings: t, want s"},
    {{"https://x", "c1", "s"},
     RIG_NOW - NANOS_PER_MINUTE - 1,
     "it is of 2026-03-01T11:58:59Z, too far"},
    {{"https://x", "c1", "s"},
     RIG_NOW + NANOS_PER_MINUTE + 1,
     "it is of 2026-03-01T12:01:00Z, too far"},
};

static void
test_others(void)
{
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct summary_rig rig;

        rig_init(&rig);
        rig_put(&rig, (struct shard){1, 2}, rig_purpose, RIG_NOW);
        rig_put(&rig, (struct shard){2, 2}, others[i].purpose, others[i].time);
        rig_check_seen(&rig, 2, 0x2, others[i].why);
        rig_release(&rig);
    }
}

/* As a file: not there, empty, cut, of another version, another shard's. */
static void
test_files(void)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "2-of-2.summary: it is no summary"},
        {"ballast-summary v1alpha3 0 1\n", "it is torn: want 1 bytes, got 0"},
        {"ballast-summary v1alpha3 0 0\n", "it is torn: its checksum is another one"},
        {"ballast-summary v1alpha2 0 0\n", "it is of version \"v1alpha2\", want v1alpha3"},
        {"ballast-summary v2 0 0\n", "it is of version \"v2\", want v1alpha3"},
        {"\x7f\x45LF", "it is no summary"},
    };
    struct summary_rig rig;

    rig_init(&rig);
    rig_check_seen(&rig, 2, 0, "there is no summary in ");
    rig_put(&rig, (struct shard){1, 2}, rig_purpose, RIG_NOW);
    rig_check_seen(&rig, 2, 0x2, "there is no summary of shard 2 of 2");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        temp_write(&rig.dir, "summaries/2-of-2.summary", cases[i].text, 0600);
        rig_check_seen(&rig, 2, 0x2, cases[i].why);
    }
    const char *first = temp_path(&rig.dir, "summaries/1-of-2.summary");
    const char *second = temp_path(&rig.dir, "summaries/2-of-2.summary");

    unlink(second);
    CHECK_INT(link(first, second), 0);
    rig_check_seen(&rig, 2, 0x2, "2-of-2.summary: it is of shard 1 of 2");
    unlink(second);
    CHECK_INT(mkdir(second, 0700), 0);
    rig_check_seen(&rig, 2, 0x2, "2-of-2.summary: it cannot be read: it is no regular file");
    rmdir(second);
    CHECK_INT(symlink("nowhere", second), 0);
    rig_check_seen(&rig, 2, 0x2, "2-of-2.summary: it cannot be read: No such file");
    rig_release(&rig);
}

/* Names that are none, and summaries of another count that are older, do not matter. */
static void
test_counts(void)
{
    static const char *const strangers[] = {"3-of-2.summary",         "0-of-2.summary",
                                            "02-of-2.summary",        "1-of-2.summary~",
                                            "1-of-.summary",          "x",
                                            "1-of-4294967298.summary"};
    struct summary_rig rig;

    rig_init(&rig);
    rig_put_all(&rig, 3, RIG_NOW - NANOS_PER_SECOND);
    rig_put_all(&rig, 2, RIG_NOW);
    for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++) {
        temp_write(&rig.dir, arena_printf(rig.arena, "summaries/%s", strangers[i]), "x", 0600);
    }
    rig_check_seen(&rig, 2, 0x6, "");
    rig.options.count = 3;
    rig_check_seen(&rig, 3, 0xe, "");
    rig.options.count = 1;
    rig_check_seen(&rig, 1, 0, "there is no summary of shard 1 of 1");
    rig_release(&rig);
}

static void
test_memory(void)
{
    struct summary_rig rig;

    rig_init(&rig);
    rig_put_all(&rig, 1, RIG_NOW);
    rig.options.memory = 64;
    rig_check_seen(&rig, 1, 0, "it takes more memory than there is for summaries (--memory-limit)");
    rig_release(&rig);
}

/* Memory for three of them is memory for the first three, however they were written and are
 * listed. */
static void
test_memory_order(void)
{
    static const uint32_t count = 9; /* whose third one has a member, and others, too */
    struct summary_rig rig;
    struct summary_purpose wide = rig_purpose;
    char cycle[8193];

    memset(cycle, 'c', sizeof(cycle) - 1);
    cycle[sizeof(cycle) - 1] = '\0';
    wide.cycle = cycle;
    rig_init(&rig);
    rig.options.purpose = wide;
    for (uint32_t i = 0; i < count; i++) {
        rig_put(&rig, (struct shard){1 + (i + 5) % count, count}, wide, RIG_NOW);
    }
    rig.options.memory = 4 * (sizeof(cycle) * 7 / 2); /* a quarter is for the text */
    rig_check_seen(&rig, count, 0xe, "it takes more memory than there is for summaries");
    rig_release(&rig);
}

/* What cannot be listed is an error: nothing would be known of anybody. */
static void
test_no_directory(void)
{
    struct summary_rig rig;
    struct error err = ERROR_INIT;

    rig_init(&rig);
    temp_write(&rig.dir, "summaries", "a file", 0600);
    CHECK(!rig_look(&rig, &err));
    CHECK_CONTAINS(err.message, "summaries: Not a directory");
    rig_release(&rig);
}

/* Who knows how many there are waits for them, up to a time, and looks at each change of a file. */
static void
test_waiting(void)
{
    struct summary_rig rig;
    atomic_bool stop = true;
    struct error err = ERROR_INIT;

    rig_init(&rig);
    rig.options.count = 2;
    rig.options.patience = NANOS_PER_MINUTE;
    rig_put_all(&rig, 2, RIG_NOW);
    rig_check_seen(&rig, 2, 0x6, ""); /* at once: else the test would take a minute */
    temp_write(&rig.dir, "summaries/2-of-2.summary", "under way", 0600);
    rig.options.stop = &stop;
    CHECK(!rig_look(&rig, &err));
    CHECK_INT(err.code, ERROR_STOPPED);
    rig.options.patience = 1;
    rig.options.stop = NULL;
    rig_check_seen(&rig, 2, 0x2, "it is no summary");
    rig_release(&rig);
}

/* --- members in slices --- */

/* m1 alone is not seen, for that reason; "": it is. */
static void
check_m1(struct summary_rig *rig, const char *why)
{
    struct error err = ERROR_INIT;

    if (!CHECK_OK(rig_look(rig, &err), err)) {
        return;
    }
    for (uint32_t i = 0; i < rig->fleet->n_clusters; i++) {
        const struct member *member = &rig->fleet->members[i];
        bool is_seen = i > 0 || str_is_empty(why);

        CHECK_MSG(member->has_nodes == is_seen && (member->n_nodes == 1) == is_seen,
                  "%s: seen %d (%s)", member->name, member->has_nodes, why);
        CHECK_STR(member->gap.parts == NULL ? "" : member->gap.parts, is_seen ? "" : "pods, nodes");
        CHECK_CONTAINS(member->gap.message == NULL ? "" : member->gap.message, is_seen ? "" : why);
    }
}

/* How many slices the shards say there are, each in its turn, and whoever puts them together. 0: it
 * is whole, without a word. */
static const struct {
    uint32_t of_first, of_second, wanted;
    const char *why;
} cuts[] = {
    {0, 0, 0, ""},
    {1, 1, 0, ""},
    {0, 0, 1, ""},
    {2, 2, 2, ""},
    {3, 3, 3, ""},
    {2, 2, 0, "1-of-2.summary: it has the member in 2 slices, want it whole (--slice-members)"},
    {0, 0, 2, "2-of-2.summary: it has the member whole, want it in 2 slices (--slice-members)"},
    {2, 2, 3, "1-of-2.summary: it has the member in 2 slices, want it in 3 slices"},
    {3, 2, 3, "2-of-2.summary: it has the member in 2 slices, want it in 3 slices"},
    {3, 2, 2, "1-of-2.summary: it has the member in 3 slices, want it in 2 slices"},
    {2, 0, 2, "2-of-2.summary: it has the member whole, want it in 2 slices"},
};

static void
test_cuts(void)
{
    for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
        struct summary_rig rig;

        rig_init(&rig);
        rig.slicing = rig_cut_m1(cuts[i].of_second);
        rig_put(&rig, (struct shard){2, 2}, rig_purpose, RIG_NOW);
        rig.slicing = rig_cut_m1(cuts[i].of_first);
        rig_put(&rig, (struct shard){1, 2}, rig_purpose, RIG_NOW);
        rig.options.slicing = rig_cut_m1(cuts[i].wanted);
        check_m1(&rig, cuts[i].why);
        rig_release(&rig);
    }
}

/* One slice less, and nothing of the member counts; of the others all does. */
static void
test_slices_missing(void)
{
    static const uint32_t slices = 4, count = 16;

    for (uint32_t slice = 1; slice <= slices; slice++) {
        struct summary_rig rig;
        struct shard owner = {shard_of_slice("m1", slice, slices, count), count};

        rig_init(&rig);
        rig.slicing = rig.options.slicing = rig_cut_m1(slices);
        rig_put_all(&rig, count, RIG_NOW);
        check_m1(&rig, "");
        bool is_alone = true; /* with it goes the sight of m1, and of nobody else */

        for (size_t i = 1; i < RIG_CLUSTERS; i++) {
            is_alone = is_alone && shard_of(rig_clusters[i], count) != owner.index;
        }
        CHECK(is_alone);
        const char *path = temp_path(
            &rig.dir, arena_printf(rig.arena, "summaries/%u-of-16.summary", (unsigned)owner.index));
        CHECK_INT(unlink(path), 0);
        check_m1(&rig, arena_printf(rig.arena,
                                    "there is no summary of shard %u of 16 with its slice %u of 4",
                                    (unsigned)owner.index, (unsigned)slice));
        temp_write(&rig.dir,
                   arena_printf(rig.arena, "summaries/%u-of-16.summary", (unsigned)owner.index),
                   "under way", 0600);
        check_m1(&rig, arena_printf(rig.arena, "%u-of-16.summary: it is no summary",
                                    (unsigned)owner.index));
        rig_release(&rig);
    }
}

/* --- how often --- */

struct counted {
    struct summary_carrier carrier;
    int n_lists, n_reads;
    atomic_bool stop;
};

static bool
count_list(void *context, void (*found)(void *found_context, const struct carried_summary *summary),
           void *found_context, struct error *err)
{
    struct counted *counted = context;

    counted->n_lists++;
    counted->stop = counted->n_lists >= 4; /* often enough */
    return counted->carrier.list(counted->carrier.context, found, found_context, err);
}

static char *
count_read(void *context, const struct carried_summary *summary, size_t most, size_t *ret_length,
           struct error *err)
{
    struct counted *counted = context;

    counted->n_reads++;
    return counted->carrier.read(counted->carrier.context, summary, most, ret_length, err);
}

/* What is of no use, or cannot be read at all, is not read again and again while the others are
 * waited for. */
static void
test_read_once(void)
{
    for (int is_read = 0; is_read < 2; is_read++) {
        struct summary_rig rig;

        rig_init(&rig);
        rig_put(&rig, (struct shard){1, 3}, rig_purpose, RIG_NOW);
        if (is_read) {
            temp_write(&rig.dir, "summaries/2-of-3.summary", "under way", 0600);
        } else {
            CHECK_INT(mkdir(temp_path(&rig.dir, "summaries/2-of-3.summary"), 0700), 0);
        }
        struct counted counted = {.carrier = rig.options.carrier};

        rig.options.carrier.context = &counted;
        rig.options.carrier.list = count_list;
        rig.options.carrier.read = count_read;
        rig.options.carrier.pause = 1000;
        rig.options.count = 3;
        rig.options.patience = NANOS_PER_MINUTE;
        rig.options.stop = &counted.stop;
        struct error err = ERROR_INIT;

        CHECK(!rig_look(&rig, &err));
        CHECK_INT(err.code, ERROR_STOPPED);
        CHECK_INT(counted.n_lists, 4);
        CHECK_INT(counted.n_reads, 2);
        rig_release(&rig);
    }
}

void suite_summaries(void);

void
suite_summaries(void)
{
    check_suite("summaries");
    check_test("shards have members", test_shards_have_members);
    check_test("others", test_others);
    check_test("files", test_files);
    check_test("counts", test_counts);
    check_test("memory", test_memory);
    check_test("memory order", test_memory_order);
    check_test("no directory", test_no_directory);
    check_test("waiting", test_waiting);
    check_test("cuts", test_cuts);
    check_test("slices missing", test_slices_missing);
    check_test("read once", test_read_once);
}
