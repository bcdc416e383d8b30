/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries in a directory, put together: those that are of use count, and of
 * each member of the others it is said why it is not seen.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/shards/summaries.h"
#include "model_fixture.h"
#include "temp_dir.h"

#define NOW (INT64_C(1772366400) * NANOS_PER_SECOND) /* 2026-03-01T12:00:00Z */
#define N_SHARDS 2

static const char *const clusters[] = {"m1", "m2", "m3", "m4"};
#define N_CLUSTERS (sizeof(clusters) / sizeof(clusters[0]))
static const struct summary_purpose purpose = {"https://x", "c1", "s"};

struct summary_rig {
    struct temp_dir dir;
    struct arena *arena;
    struct member_sources sources;
    struct summaries_options options;
    struct slicing slicing; /* of those who write */
    struct fleet *fleet;    /* of the last look */
};

static void
rig_init(struct summary_rig *rig)
{
    *rig = (struct summary_rig){
        .dir = temp_dir_make(),
        .arena = arena_new(),
        .sources = {.order = {SOURCE_PODS, SOURCE_NODES}, .count = 2},
    };
    rig->options = (struct summaries_options){
        .carrier = summary_directory(arena_printf(rig->arena, "%s/summaries", rig->dir.path)),
        .purpose = purpose,
        .sources = &rig->sources,
        .clock = clock_of_system(),
        .max_age = NANOS_PER_MINUTE,
    };
}

static void
rig_release(struct summary_rig *rig)
{
    fleet_free(rig->fleet);
    arena_free(rig->arena);
    temp_dir_remove(&rig->dir);
}

/* Nodes of each member, as one shard tells of them. */
static void
put(struct summary_rig *rig, struct shard shard, struct summary_purpose of, int64_t time)
{
    struct summary_writer *writer = summary_writer_new(shard, rig->slicing, time);
    struct model_fixture f;
    struct buf text;

    buf_init(&text, SUMMARY_MAX);
    model_begin(&f);
    fleet_builder_expect(f.builder, (struct fleet_expectation){
                                        .choice = share_choice(summary_writer_share(writer))});
    fleet_builder_tap(f.builder, summary_writer_tap(writer));
    summary_writer_is_for(writer, of);
    for (size_t i = 0; i < N_CLUSTERS; i++) {
        model_add_cluster(&f, clusters[i]);
        model_add(&f, "n", i, clusters[i],
                  "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'}}");
        fleet_builder_saw(f.builder, clusters[i], MEMBER_NODES);
    }
    struct fleet *fleet = model_finish(&f);

    fleet->captured_at = TIME_NONE;
    CHECK_OK(summary_writer_finish(writer, fleet, &text, &f.err), f.err);
    const struct summary_carrier *carrier = &rig->options.carrier;

    CHECK_OK(carrier->put(carrier->context, rig->arena, shard, &text, &f.err) != NULL, f.err);
    buf_release(&text);
    fleet_free(fleet);
    model_end(&f);
    summary_writer_free(writer);
}

static void
put_all(struct summary_rig *rig, uint32_t count, int64_t time)
{
    for (uint32_t i = count; i > 0; i--) {
        put(rig, (struct shard){i, count}, purpose, time);
    }
}

static bool
look(struct summary_rig *rig, struct error *err)
{
    const struct member_port port = summaries_port(&rig->options);
    struct model_fixture f;

    model_begin(&f);
    for (size_t i = 0; i < N_CLUSTERS; i++) {
        model_add_cluster(&f, clusters[i]);
    }
    bool done = port.look(port.context, f.builder, NOW, err);

    fleet_free(rig->fleet);
    rig->fleet = done ? model_finish(&f) : NULL;
    model_end(&f);
    return done;
}

/* Those of the shards whose bit is set are seen; of the others it is said why not. */
static void
check_seen(struct summary_rig *rig, uint32_t count, unsigned seen, const char *why)
{
    struct error err = ERROR_INIT;

    if (!CHECK_OK(look(rig, &err), err)) {
        return;
    }
    for (uint32_t i = 0; i < rig->fleet->n_clusters; i++) {
        const struct member *member = &rig->fleet->members[i];
        bool wanted = ((seen >> shard_of(member->name, count)) & 1) != 0;

        CHECK_MSG(member->has_nodes == wanted && (member->n_nodes == 1) == wanted,
                  "%s: seen %d, want %d (%s)", member->name, member->has_nodes, wanted, why);
        if (wanted) {
            CHECK(member->gap.parts == NULL);
        } else if (CHECK(member->gap.parts != NULL)) {
            CHECK_STR(member->gap.parts, "pods, nodes");
            CHECK_CONTAINS(member->gap.message, why);
        }
    }
}

/* Both shards have members, else the cases say nothing. */
static void
test_shards_have_members(void)
{
    unsigned seen = 0;

    for (size_t i = 0; i < N_CLUSTERS; i++) {
        seen |= 1u << shard_of(clusters[i], N_SHARDS);
    }
    CHECK_INT(seen, 0x6);
}

/* What is wrong with the second summary; the first one is seen all the same. */
static const struct {
    struct summary_purpose purpose;
    int64_t time;
    const char *why;
} others[] = {
    {{"https://y", "c1", "s"}, NOW, "2-of-2.summary: it is of another fleet: https://y"},
    {{"https://x", "c0", "s"}, NOW, "2-of-2.summary: it is of another cycle: c0"},
    {{"https://x", "", "s"}, NOW, "it is of another cycle: "},
    {{"https://x", "c1", "t"}, NOW, "it was made with other settings: t, want s"},
    {{"https://x", "c1", "s"},
     NOW - NANOS_PER_MINUTE - 1,
     "it is of 2026-03-01T11:58:59Z, too far"},
    {{"https://x", "c1", "s"},
     NOW + NANOS_PER_MINUTE + 1,
     "it is of 2026-03-01T12:01:00Z, too far"},
};

static void
test_others(void)
{
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct summary_rig rig;

        rig_init(&rig);
        put(&rig, (struct shard){1, 2}, purpose, NOW);
        put(&rig, (struct shard){2, 2}, others[i].purpose, others[i].time);
        check_seen(&rig, 2, 0x2, others[i].why);
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
    check_seen(&rig, 2, 0, "there is no summary in ");
    put(&rig, (struct shard){1, 2}, purpose, NOW);
    check_seen(&rig, 2, 0x2, "there is no summary of shard 2 of 2");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        temp_write(&rig.dir, "summaries/2-of-2.summary", cases[i].text, 0600);
        check_seen(&rig, 2, 0x2, cases[i].why);
    }
    const char *first = temp_path(&rig.dir, "summaries/1-of-2.summary");
    const char *second = temp_path(&rig.dir, "summaries/2-of-2.summary");

    unlink(second);
    CHECK_INT(link(first, second), 0);
    check_seen(&rig, 2, 0x2, "2-of-2.summary: it is of shard 1 of 2");
    unlink(second);
    CHECK_INT(mkdir(second, 0700), 0);
    check_seen(&rig, 2, 0x2, "2-of-2.summary: it cannot be read: it is no regular file");
    rmdir(second);
    CHECK_INT(symlink("nowhere", second), 0);
    check_seen(&rig, 2, 0x2, "2-of-2.summary: it cannot be read: No such file");
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
    put_all(&rig, 3, NOW - NANOS_PER_SECOND);
    put_all(&rig, 2, NOW);
    for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++) {
        temp_write(&rig.dir, arena_printf(rig.arena, "summaries/%s", strangers[i]), "x", 0600);
    }
    check_seen(&rig, 2, 0x6, "");
    rig.options.count = 3;
    check_seen(&rig, 3, 0xe, "");
    rig.options.count = 1;
    check_seen(&rig, 1, 0, "there is no summary of shard 1 of 1");
    rig_release(&rig);
}

static void
test_memory(void)
{
    struct summary_rig rig;

    rig_init(&rig);
    put_all(&rig, 1, NOW);
    rig.options.memory = 64;
    check_seen(&rig, 1, 0, "it takes more memory than there is for summaries (--memory-limit)");
    rig_release(&rig);
}

/* Memory for three of them is memory for the first three, however they were written and are
 * listed. */
static void
test_memory_order(void)
{
    static const uint32_t count = 9; /* whose third one has a member, and others, too */
    struct summary_rig rig;
    struct summary_purpose wide = purpose;
    char cycle[8193];

    memset(cycle, 'c', sizeof(cycle) - 1);
    cycle[sizeof(cycle) - 1] = '\0';
    wide.cycle = cycle;
    rig_init(&rig);
    rig.options.purpose = wide;
    for (uint32_t i = 0; i < count; i++) {
        put(&rig, (struct shard){1 + (i + 5) % count, count}, wide, NOW);
    }
    rig.options.memory = 4 * (sizeof(cycle) * 7 / 2); /* a quarter is for the text */
    check_seen(&rig, count, 0xe, "it takes more memory than there is for summaries");
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
    CHECK(!look(&rig, &err));
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
    put_all(&rig, 2, NOW);
    check_seen(&rig, 2, 0x6, ""); /* at once: else the test would take a minute */
    temp_write(&rig.dir, "summaries/2-of-2.summary", "under way", 0600);
    rig.options.stop = &stop;
    CHECK(!look(&rig, &err));
    CHECK_INT(err.code, ERROR_STOPPED);
    rig.options.patience = 1;
    rig.options.stop = NULL;
    check_seen(&rig, 2, 0x2, "it is no summary");
    rig_release(&rig);
}

/* --- members in slices --- */

static struct slicing
cut_m1(uint32_t slices)
{
    static const struct sliced_member items[] = {{"m1", 1}, {"m1", 2}, {"m1", 3}, {"m1", 4}};

    if (slices == 0) {
        return (struct slicing){.count = 0};
    }
    return (struct slicing){&items[slices - 1], 1};
}

/* m1 alone is not seen, for that reason; "": it is. */
static void
check_m1(struct summary_rig *rig, const char *why)
{
    struct error err = ERROR_INIT;

    if (!CHECK_OK(look(rig, &err), err)) {
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
        rig.slicing = cut_m1(cuts[i].of_second);
        put(&rig, (struct shard){2, 2}, purpose, NOW);
        rig.slicing = cut_m1(cuts[i].of_first);
        put(&rig, (struct shard){1, 2}, purpose, NOW);
        rig.options.slicing = cut_m1(cuts[i].wanted);
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
        rig.slicing = rig.options.slicing = cut_m1(slices);
        put_all(&rig, count, NOW);
        check_m1(&rig, "");
        bool is_alone = true; /* with it goes the sight of m1, and of nobody else */

        for (size_t i = 1; i < N_CLUSTERS; i++) {
            is_alone = is_alone && shard_of(clusters[i], count) != owner.index;
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
        put(&rig, (struct shard){1, 3}, purpose, NOW);
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

        CHECK(!look(&rig, &err));
        CHECK_INT(err.code, ERROR_STOPPED);
        CHECK_INT(counted.n_lists, 4);
        CHECK_INT(counted.n_reads, 2);
        rig_release(&rig);
    }
}

/* --- as they come --- */

/* The first look finds the first shard's alone, and each one after that one more. */
struct arriving {
    struct summary_carrier carrier;
    uint32_t n_there;
    void (*found)(void *found_context, const struct carried_summary *summary);
    void *found_context;
    const char *torn; /* a file that is written anew, and badly, before the fourth look */
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
    if (arriving->n_there == 4 && arriving->torn != NULL) {
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

static void
arrive(struct summary_rig *rig, struct arriving *arriving, const char *torn)
{
    *arriving = (struct arriving){.carrier = rig->options.carrier, .torn = torn, .dir = &rig->dir};
    rig->options.carrier.context = arriving;
    rig->options.carrier.list = list_arrived;
    rig->options.carrier.read = read_arrived;
    rig->options.carrier.pause = 1000;
    rig->options.patience = NANOS_PER_MINUTE;
}

/* While some are waited for, those that are there go into the fleet: so there need not be memory
 * for the text of all of them at once. Which cycle they are of has to be said, or they may be of
 * the one before, and the last word counts. */
static void
test_as_they_come(void)
{
    static const uint32_t count = 4;

    for (int is_named = 0; is_named < 2; is_named++) {
        struct summary_rig rig;
        struct arriving arriving;
        char name[8193];

        memset(name, 'c', sizeof(name) - 1);
        name[sizeof(name) - 1] = '\0';
        rig_init(&rig);
        const struct summary_purpose wide = {purpose.fleet, name, purpose.settings};

        for (uint32_t i = 1; i <= count; i++) {
            put(&rig, (struct shard){i, count}, wide, NOW);
        }
        rig.options.purpose = wide;
        rig.options.purpose.cycle = is_named ? name : "";
        rig.options.count = count;
        rig.options.memory = 4 * (sizeof(name) * 3 / 2); /* a quarter is for the text: of one */
        arrive(&rig, &arriving, NULL);
        if (is_named) {
            check_seen(&rig, count, 0x1e, "");
            CHECK_INT(arriving.n_there, count);
        } else {
            rig.options.patience = NANOS_PER_SECOND / 10;
            check_seen(&rig, count, 0x2, "it takes more memory than there is for summaries");
        }
        rig_release(&rig);
    }
}

/* What was taken from a shard stays, whatever becomes of its summary. */
static void
test_taken_stays(void)
{
    const uint32_t shard = shard_of("m4", 4);

    CHECK(shard < 4); /* it is there before the fourth look */
    for (int is_named = 0; is_named < 2; is_named++) {
        struct summary_rig rig;
        struct arriving arriving;

        rig_init(&rig);
        put_all(&rig, 4, NOW);
        rig.options.purpose.cycle = is_named ? purpose.cycle : "";
        rig.options.count = 4;
        arrive(&rig, &arriving,
               arena_printf(rig.arena, "summaries/%u-of-4.summary", (unsigned)shard));
        rig.options.patience = is_named ? NANOS_PER_MINUTE : NANOS_PER_SECOND / 10;
        check_seen(&rig, 4, is_named ? 0x1e : 0x1eu & ~(1u << shard), "it is no summary");
        rig_release(&rig);
    }
}

/* A member that is cut waits for all of its slices. */
static void
test_slices_as_they_come(void)
{
    static const uint32_t count = 4;

    for (int is_torn = 0; is_torn < 2; is_torn++) {
        struct summary_rig rig;
        struct arriving arriving;

        rig_init(&rig);
        rig.slicing = rig.options.slicing = cut_m1(4);
        put_all(&rig, count, NOW);
        rig.options.count = count;
        arrive(&rig, &arriving, is_torn ? "summaries/4-of-4.summary" : NULL);
        rig.options.patience = is_torn ? NANOS_PER_SECOND / 10 : NANOS_PER_MINUTE;
        struct error err = ERROR_INIT;

        if (!CHECK_OK(look(&rig, &err), err)) {
            rig_release(&rig);
            return;
        }
        for (uint32_t i = 0; i < rig.fleet->n_clusters; i++) {
            const struct member *member = &rig.fleet->members[i];
            bool is_lost =
                is_torn && (str_eq(member->name, "m1") || shard_of(member->name, count) == 4);

            CHECK_MSG(member->n_nodes == (is_lost ? 0 : 1), "%s: %u nodes", member->name,
                      (unsigned)member->n_nodes);
        }
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
    check_test("as they come", test_as_they_come);
    check_test("taken stays", test_taken_stays);
    check_test("slices as they come", test_slices_as_they_come);
}
