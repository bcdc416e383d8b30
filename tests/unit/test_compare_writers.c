/* SPDX-License-Identifier: Apache-2.0
 *
 * Two looks at a fleet: whose doing a split is.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "compare_fixture.h"
#include "planner_fixture.h"

/* "m1:6>4 m2:+2 m3:-1": of the only binding that changed; "" of none. */
static const char *
targets_text(struct looks *looks, const struct comparison *comparison)
{
    const struct compared_binding *binding =
        comparison->n_bindings > 0 ? &comparison->bindings[0] : NULL;
    const char *text = "";

    for (uint32_t i = 0; binding != NULL && i < binding->n_targets; i++) {
        const struct compared_target *target = &binding->targets[i];
        struct arena *arena = looks->after.arena;

        text = arena_printf(arena, "%s%s%s:", text, i > 0 ? " " : "", target->name);
        if (target->was_target && target->is_target) {
            text = arena_printf(arena, "%s%d>%d", text, (int)target->before, (int)target->after);
        } else {
            text = arena_printf(arena, "%s%c%d", text, target->is_target ? '+' : '-',
                                (int)(target->before + target->after));
        }
    }
    return text;
}

/* "Ballast(record r1) Other()": of the same. */
static const char *
writers_text(struct looks *looks, const struct comparison *comparison)
{
    const struct compared_binding *binding =
        comparison->n_bindings > 0 ? &comparison->bindings[0] : NULL;
    const char *text = "";

    for (uint32_t i = 0; binding != NULL && i < binding->n_writers; i++) {
        text = arena_printf(looks->after.arena, "%s%s%s(%s)", text, i > 0 ? " " : "",
                            compared_who_name(binding->writers[i].who), binding->writers[i].proof);
    }
    return text;
}

#define AT(minutes) "2026-11-20T11:" minutes ":00Z"
/* A move in the history: from m1 to m2, so many. */
#define MOVE(minutes, replicas)                                                                    \
    "\\'time\\':\\'" AT(minutes) "\\',\\'from\\':[{\\'name\\':\\'m1\\',\\'replicas\\':" replicas   \
                                 "}],\\'to\\':[{\\'name\\':\\'m2\\',\\'replicas\\':" replicas      \
                                 "}],\\'reason\\':\\'UnschedulableReplicas\\'"

/* Replicas in m1, m2 and m3. */
struct split_in {
    int m1, m2, m3;
};

struct one_look {
    struct split_in split;
    const char *history; /* the inside of the annotation; "" none */
    const char *status;  /* the inside of it */
    const char *tasks;   /* of gracefulEvictionTasks */
    const char *uid;
};

/* The split as targets of three clusters, of which those with none are left out. */
static struct target_list
targets_in(struct arena *arena, struct split_in split)
{
    const int counts[] = {split.m1, split.m2, split.m3};
    static const char *const names[] = {"m3", "m2", "m1"}; /* not in the order of the fleet */
    struct target *items = ARENA_ARRAY(arena, struct target, 3);
    struct target_list ret = {.items = items};

    for (int i = 0; i < 3; i++) {
        if (counts[2 - i] > 0) {
            items[ret.count++] = (struct target){names[i], CLUSTER_NONE, counts[2 - i]};
        }
    }
    return ret;
}

static void
add_look(struct small_fleet *f, const struct one_look *look)
{
    const struct target_list targets = targets_in(f->arena, look->split);
    const char *clusters = "";

    for (uint32_t i = 0; i < targets.count; i++) {
        clusters = arena_printf(f->arena, "%s%s{'name':'%s','replicas':%d}", clusters,
                                i > 0 ? "," : "", targets.items[i].name, targets.items[i].replicas);
    }
    for (int i = 1; i <= 3; i++) {
        add_cluster(f, arena_printf(f->arena, "m%d", i), 100);
    }
    small_fleet_add(f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'ns','name':'web','uid':'%s'," OWNED_LABEL
                    ",'annotations':{%s%s%s}},"
                    "'spec':{'resource':{'apiVersion':'apps/v1','kind':'Deployment','name':'web',"
                    "'namespace':'ns'},'replicas':6,'clusters':[%s],'placement':{%s},"
                    "'gracefulEvictionTasks':[%s]},'status':{%s}}",
                    look->uid, look->history[0] != '\0' ? "'ballast.io/last-move':'{" : "",
                    look->history, look->history[0] != '\0' ? ",\\'attempt\\':1}'" : "", clusters,
                    DYNAMIC, look->tasks, look->status);
}

/* What a run left, or several did. */
struct left {
    const char *id; /* NULL: there is none */
    const char *minutes;
    struct split_in before, after;
    const char *status, *uid, *command;
};

static void
add_record(struct looks *looks, const struct left *left)
{
    struct arena *arena = looks->after.arena;
    struct record *record = ARENA_NEW(arena, struct record);
    struct record_item *item = ARENA_NEW(arena, struct record_item);

    *item = (struct record_item){
        .kind = BINDING_RESOURCE,
        .namespace_ = "ns",
        .name = "web",
        .uid = left->uid,
        .status = left->status,
        .before = targets_in(arena, left->before),
        .after = targets_in(arena, left->after),
    };
    *record =
        (struct record){.id = left->id, .command = left->command, .items = item, .n_items = 1};
    timestamp_parse(arena_printf(arena, "2026-11-20T11:%s:00Z", left->minutes), &record->time);
    record->written = timestamp_add(record->time, NANOS_PER_SECOND);
    looks->records[looks->n_records++] = record;
}

#define BY_HISTORY "Ballast(its ballast.io/last-move: UnschedulableReplicas)"

#define NO_RECORD                                                                                  \
    {                                                                                              \
        NULL, "", {0, 0, 0}, {0, 0, 0}, "", "", ""                                                 \
    }

/* The looks are of 11:50 and 12:00. */
static const struct {
    const char *what;
    struct one_look before, after;
    struct left records[2];
    const char *writers;
} doings[] = {
    {"a record",
     {{6, 0, 0}, "", "", "", "u"},
     {{4, 2, 0}, "", "", "", "u"},
     {{"r1", "55", {6, 0, 0}, {4, 2, 0}, "Done", "u", "run"}},
     "Ballast(record r1)"},
    {"two records",
     {{6, 0, 0}, "", "", "", "u"},
     {{2, 2, 2}, "", "", "", "u"},
     {{"r2", "57", {4, 2, 0}, {2, 2, 2}, "Done", "u", "run"},
      {"r1", "55", {6, 0, 0}, {4, 2, 0}, "Done", "u", "run"}},
     "Ballast(record r1) Ballast(record r2)"},
    {"an undo",
     {{4, 2, 0}, "", "", "", "u"},
     {{6, 0, 0}, "", "", "", "u"},
     {{"r1", "55", {4, 2, 0}, {6, 0, 0}, "Done", "u", "undo"}},
     "Ballast(undo, record r1)"},
    {"a record of a fleet without uids",
     {{6, 0, 0}, "", "", "", "u"},
     {{4, 2, 0}, "", "", "", "u"},
     {{"r1", "55", {6, 0, 0}, {4, 2, 0}, "Done", "", "run"}},
     "Ballast(record r1)"},
    {"a record of another object",
     {{6, 0, 0}, "", "", "", "u"},
     {{4, 2, 0}, "", "", "", "u"},
     {{"r1", "55", {6, 0, 0}, {4, 2, 0}, "Done", "v", "run"}},
     "Other()"},
    {"a record from before the first look",
     {{6, 0, 0}, "", "", "", "u"},
     {{4, 2, 0}, "", "", "", "u"},
     {{"r1", "45", {6, 0, 0}, {4, 2, 0}, "Done", "u", "run"}},
     "Other()"},
    {"a record that ended a moment before the first look",
     {{6, 0, 0}, "", "", "", "u"},
     {{4, 2, 0}, "", "", "", "u"},
     {{"r1", "49", {6, 0, 0}, {4, 2, 0}, "Done", "u", "run"}},
     "Ballast(record r1)"},
    {"one whose move the first look has",
     {{6, 0, 0}, MOVE("49", "2"), "", "", "u"},
     {{4, 2, 0}, MOVE("49", "2"), "", "", "u"},
     {{"r1", "49", {6, 0, 0}, {4, 2, 0}, "Done", "u", "run"}},
     "Other()"},
    {"a write that failed",
     {{6, 0, 0}, "", "", "", "u"},
     {{2, 4, 0}, "", "", "", "u"},
     {{"r1", "55", {6, 0, 0}, {4, 2, 0}, "Failed", "u", "run"}},
     "Other()"},
    {"a run that was killed, and had written",
     {{6, 0, 0}, "", "", "", "u"},
     {{4, 2, 0}, "", "", "", "u"},
     {{"r1", "55", {6, 0, 0}, {4, 2, 0}, "Pending", "u", "run"}},
     "Ballast(record r1)"},
    {"more than a record says",
     {{6, 0, 0}, "", "", "", "u"},
     {{2, 2, 2}, "", "", "", "u"},
     {{"r1", "55", {6, 0, 0}, {4, 2, 0}, "Done", "u", "run"}},
     "Ballast(record r1) Other()"},
    {"somebody was there before the record",
     {{6, 0, 0}, "", "", "", "u"},
     {{3, 3, 0}, "", "", "", "u"},
     {{"r1", "55", {5, 1, 0}, {3, 3, 0}, "Done", "u", "run"}},
     "Ballast(record r1) Other()"},
    {"a record that wrote annotations alone",
     {{6, 0, 0}, "", "", "", "u"},
     {{4, 2, 0}, "", "", "", "u"},
     {{"r1", "55", {6, 0, 0}, {6, 0, 0}, "Done", "u", "run"}},
     "Other()"},
    {"the history",
     {{6, 0, 0}, "", "", "", "u"},
     {{4, 2, 0}, MOVE("55", "2"), "", "", "u"},
     {NO_RECORD},
     BY_HISTORY},
    {"the history, twice",
     {{6, 0, 0}, "", "", "", "u"},
     {{3, 3, 0}, MOVE("57", "1") ",\\'earlier\\':[{" MOVE("55", "2") "}]", "", "", "u"},
     {NO_RECORD},
     BY_HISTORY " " BY_HISTORY},
    {"a history that is not news",
     {{6, 0, 0}, MOVE("45", "2"), "", "", "u"},
     {{4, 2, 0}, MOVE("45", "2"), "", "", "u"},
     {NO_RECORD},
     "Other()"},
    {"more than the history says",
     {{6, 0, 0}, "", "", "", "u"},
     {{2, 2, 2}, MOVE("55", "2"), "", "", "u"},
     {NO_RECORD},
     BY_HISTORY " Other()"},
    {"a record and its annotation",
     {{6, 0, 0}, "", "", "", "u"},
     {{4, 2, 0}, MOVE("55", "2"), "", "", "u"},
     {{"r1", "55", {6, 0, 0}, {4, 2, 0}, "Done", "u", "run"}},
     "Ballast(record r1)"},
    {"the history, then a record",
     {{6, 0, 0}, "", "", "", "u"},
     {{2, 2, 2}, MOVE("55", "2"), "", "", "u"},
     {{"r2", "57", {4, 2, 0}, {2, 2, 2}, "Done", "u", "run"}},
     BY_HISTORY " Ballast(record r2)"},
    {"the scheduler",
     {{6, 0, 0}, "", "'lastScheduledTime':'" AT("40") "'", "", "u"},
     {{4, 2, 0}, "", "'lastScheduledTime':'" AT("56") "'", "", "u"},
     {NO_RECORD},
     "Scheduler(status.lastScheduledTime)"},
    {"the scheduler was there, and did nothing",
     {{6, 0, 0}, "", "", "", "u"},
     {{4, 2, 0}, MOVE("55", "2"), "'lastScheduledTime':'" AT("56") "'", "", "u"},
     {NO_RECORD},
     BY_HISTORY},
    {"the scheduler went on",
     {{6, 0, 0}, "", "", "", "u"},
     {{2, 2, 2}, MOVE("55", "2"), "'lastScheduledTime':'" AT("56") "'", "", "u"},
     {NO_RECORD},
     BY_HISTORY " Scheduler(status.lastScheduledTime)"},
    {"the scheduler had been there before",
     {{6, 0, 0}, "", "'lastScheduledTime':'" AT("40") "'", "", "u"},
     {{4, 2, 0}, "", "'lastScheduledTime':'" AT("40") "'", "", "u"},
     {NO_RECORD},
     "Other()"},
    {"Karmada's failover",
     {{4, 2, 0}, "", "", "", "u"},
     {{0, 6, 0},
      "",
      "'lastScheduledTime':'" AT("56") "'",
      "{'fromCluster':'m1','reason':'TaintUntolerated','producer':'TaintManager'}",
      "u"},
     {NO_RECORD},
     "Failover(eviction task of TaintManager from m1) Scheduler(status.lastScheduledTime)"},
    {"a task of Ballast's own",
     {{4, 2, 0}, "", "", "", "u"},
     {{0, 6, 0}, "", "", "{'fromCluster':'m1','reason':'x','producer':'ballast'}", "u"},
     {NO_RECORD},
     "Other()"},
    {"another object",
     {{6, 0, 0}, "", "", "", "u"},
     {{4, 2, 0}, MOVE("55", "2"), "", "", "v"},
     {{"r1", "55", {6, 0, 0}, {4, 2, 0}, "Done", "u", "run"}},
     "Other()"},
    {"nothing",
     {{6, 0, 0}, "", "", "", "u"},
     {{6, 0, 0}, MOVE("55", "2"), "", "", "u"},
     {NO_RECORD},
     ""},
};

static void
test_doings(void)
{
    for (size_t i = 0; i < sizeof(doings) / sizeof(doings[0]); i++) {
        struct looks looks;

        looks_open(&looks);
        add_look(&looks.before, &doings[i].before);
        add_look(&looks.after, &doings[i].after);
        for (int k = 0; k < 2 && doings[i].records[k].id != NULL; k++) {
            add_record(&looks, &doings[i].records[k]);
        }
        const struct comparison *comparison = compare_looks(&looks);

        if (CHECK(comparison != NULL)) {
            const char *got = writers_text(&looks, comparison);

            CHECK_MSG(str_eq(got, doings[i].writers), "%s: %s, want %s", doings[i].what, got,
                      doings[i].writers);
            CHECK_INT(comparison->totals.by[COMPARED_BY_BALLAST],
                      strstr(doings[i].writers, "Ballast") != NULL);
        }
        looks_close(&looks);
    }
}

static void
test_split(void)
{
    static const struct one_look before = {{4, 2, 0}, "", "", "", "u"};
    static const struct one_look after = {{3, 0, 4}, "", "", "", "u"};
    struct looks looks;

    looks_open(&looks);
    add_look(&looks.before, &before);
    add_look(&looks.after, &after);
    const struct comparison *comparison = compare_looks(&looks);

    if (CHECK(comparison != NULL)) {
        CHECK_STR(targets_text(&looks, comparison), "m1:4>3 m2:-2 m3:+4");
        CHECK_INT(comparison->totals.moved, 3);
        CHECK_INT(comparison->totals.added, 1);
        CHECK_INT(comparison->totals.removed, 0);
        CHECK_INT(comparison->totals.splits, 1);
        CHECK_INT(cluster_of(comparison, "m3")->replicas_after, 4);
    }
    looks_close(&looks);
}

/* What was first is last: nobody can be told from histories that are yet to come. */
static void
test_backwards(void)
{
    static const struct one_look before = {{4, 2, 0}, MOVE("55", "2"), "", "", "u"};
    static const struct one_look after = {{6, 0, 0}, "", "", "", "u"};
    struct looks looks;

    looks_open(&looks);
    add_look(&looks.before, &before);
    add_look(&looks.after, &after);
    const struct comparison_request request = {.before = look_of(&looks.before, 0),
                                               .after = look_of(&looks.after, EARLIER)};
    const struct comparison *comparison = compare(looks.after.arena, &request, &looks.err);

    if (CHECK(comparison != NULL)) {
        CHECK(comparison->is_backwards);
        CHECK_STR(targets_text(&looks, comparison), "m1:4>6 m2:-2");
        CHECK_STR(writers_text(&looks, comparison), "");
    }
    /* unless it is so near that nobody knows: clocks of servers are told to the second */
    looks.before.fleet->captured_at = looks.after.fleet->captured_at + NANOS_PER_SECOND;
    comparison = compare(looks.after.arena, &request, &looks.err);
    CHECK(comparison != NULL && !comparison->is_backwards);
    looks.before.fleet->captured_at++;
    comparison = compare(looks.after.arena, &request, &looks.err);
    CHECK(comparison != NULL && comparison->is_backwards);
    looks_close(&looks);
}

void suite_compare_writers(void);

void
suite_compare_writers(void)
{
    check_suite("compare: writers");
    check_test("a split", test_split);
    check_test("whose doing", test_doings);
    check_test("backwards", test_backwards);
}
