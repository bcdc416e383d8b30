/* SPDX-License-Identifier: Apache-2.0
 *
 * The annotation of the last move: read from anybody, written within bounds.
 */
#include "ballast/annotations/last_move.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "small_fleet.h"

/* A binding with this annotation, in a fleet of its own. */
static const struct binding *
read_annotation(struct small_fleet *f, const char *text)
{
    char escaped[8192];
    size_t length = 0;

    for (const char *c = text; *c != '\0' && length + 2 < sizeof(escaped); c++) {
        if (*c == '\'') {
            escaped[length++] = '\\';
        }
        escaped[length++] = *c;
    }
    escaped[length] = '\0';
    small_fleet_open(f);
    small_fleet_add(f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'ns','name':'web','annotations':{'ballast.io/last-move':'%s'}},"
                    "'spec':{'resource':{'apiVersion':'apps/v1','kind':'Deployment','name':'web',"
                    "'namespace':'ns'}}}",
                    escaped);
    small_fleet_cluster(f, "m1");
    return small_fleet_diagnose(f) ? &f->fleet->bindings[0] : NULL;
}

#define WHEN "'time':'2026-03-01T12:00:00Z'"
#define NINE                                                                                       \
    "{'name':'a'},{'name':'b'},{'name':'c'},{'name':'d'},{'name':'e'},{'name':'f'},{'name':'g'},"  \
    "{'name':'h'},{'name':'i'}"

static void
test_refused(void)
{
    static const struct {
        const char *text, *problem;
    } cases[] = {
        {"", "it is no JSON of up to 2048 bytes"},
        {"{", "it is no JSON of up to 2048 bytes"},
        {"[]", "want object, got list"},
        {"{}", "time: required"},
        {"{" WHEN "}", "attempt: required"},
        {"{'time':'soon','attempt':1}", "time: "},
        {"{" WHEN ",'attempt':0}", "attempt: want 1 to 1000, got 0"},
        {"{" WHEN ",'attempt':1001}", "attempt: want 1 to 1000, got 1001"},
        {"{" WHEN ",'attempt':'1'}", "attempt: want integer, got string"},
        {"{" WHEN ",'attempt':1,'workload':4294967296}", "workload: out of range"},
        {"{" WHEN ",'attempt':1,'workload':-1}", "workload: out of range"},
        {"{" WHEN ",'attempt':1,'deferred':-1}", "deferred: "},
        {"{" WHEN ",'attempt':1,'from':[" NINE "]}", "from: more than 8 clusters"},
        {"{" WHEN ",'attempt':1,'to':[{'name':'a','replicas':-1}]}", "to[0].replicas: "},
        {"{" WHEN ",'attempt':1,'to':[{}]}", "to[0].name: required"},
        {"{" WHEN ",'attempt':1,'earlier':[{},{},{},{},{}]}", "earlier: more than 4 moves"},
        {"{" WHEN ",'attempt':1,'earlier':[{}]}", "earlier[0].time: required"},
        {"{" WHEN ",'attempt':1,'reason':"
         "'0123456789012345678901234567890123456789012345678901234567890123456789'}",
         "reason: longer than 64 bytes"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;
        const struct binding *binding = read_annotation(&f, cases[i].text);

        if (CHECK(binding != NULL)) {
            CHECK_MSG(binding->last_move == NULL, "case %zu: %s", i, cases[i].text);
            CHECK_MSG(binding->last_move_problem != NULL &&
                          strncmp(binding->last_move_problem, cases[i].problem,
                                  strlen(cases[i].problem)) == 0,
                      "case %zu: got \"%s\", want \"%s\"", i,
                      binding->last_move_problem != NULL ? binding->last_move_problem : "",
                      cases[i].problem);
        }
        small_fleet_close(&f);
    }
}

/* What is written is read as what it was. */
static void
test_round_trip(void)
{
    static const struct target from[] = {{.name = "berlin", .replicas = 2},
                                         {.name = "oslo", .replicas = 1}};
    static const struct target to[] = {{.name = "paris", .replicas = 3}};
    const char *const refused[] = {"oslo"}, *const failures[] = {"Image", "Crash"};
    const struct past_move earlier = {.time = NANOS_PER_SECOND,
                                      .from = {.items = from, .count = 1},
                                      .left = {.items = to, .count = 1},
                                      .reason = "FailedReplicas"};
    const struct last_move move = {
        .last = {.time = 90 * NANOS_PER_MINUTE,
                 .from = {.items = from, .count = 2},
                 .to = {.items = to, .count = 1},
                 .reason = "Why",
                 .refused = {.items = refused, .count = 1},
                 .failures = {.items = failures, .count = 2}},
        .attempt = 3,
        .deferred = 4,
        .workload = UINT32_MAX,
        .earlier = {&earlier, 1},
    };
    struct arena *arena = arena_new();
    char text[LAST_MOVE_TEXT_MAX + 1];
    struct small_fleet f;

    snprintf(text, sizeof(text), "%s", last_move_text(arena, &move));
    for (char *c = text; *c != '\0'; c++) {
        if (*c == '"') {
            *c = '\'';
        }
    }
    const struct binding *binding = read_annotation(&f, text);

    if (CHECK(binding != NULL && binding->last_move != NULL)) {
        const struct last_move *got = binding->last_move;

        CHECK_INT(got->last.time, 90 * NANOS_PER_MINUTE);
        CHECK_INT(got->attempt, 3);
        CHECK_INT(got->deferred, 4);
        CHECK_INT(got->workload, UINT32_MAX);
        CHECK_STR(got->last.reason, "Why");
        if (CHECK_INT(got->last.refused.count, 1)) {
            CHECK_STR(got->last.refused.items[0], "oslo");
        }
        CHECK_INT(got->last.failures.count, 2);
        if (CHECK_INT(got->last.from.count, 2) && CHECK_INT(got->last.to.count, 1)) {
            CHECK_STR(got->last.from.items[1].name, "oslo");
            CHECK_INT(got->last.to.items[0].replicas, 3);
        }
        if (CHECK_INT(got->earlier.count, 1)) {
            CHECK_INT(got->earlier.items[0].time, NANOS_PER_SECOND);
            CHECK_STR(got->earlier.items[0].reason, "FailedReplicas");
            CHECK_INT(got->earlier.items[0].from.count, 1);
            if (CHECK_INT(got->earlier.items[0].left.count, 1)) {
                CHECK_INT(got->earlier.items[0].left.items[0].replicas, 3);
            }
        }
    }
    small_fleet_close(&f);
    arena_free(arena);
}

/* However much was moved, and however often. */
static void
test_bounded(void)
{
    char names[20][64];
    struct target items[20];
    struct past_move past[LAST_MOVE_EARLIER_MAX];
    struct arena *arena = arena_new();

    for (int i = 0; i < 20; i++) {
        memset(names[i], 'a' + i, 63);
        names[i][63] = '\0';
        items[i] = (struct target){.name = names[i], .replicas = INT32_MAX};
    }
    for (int i = 0; i < LAST_MOVE_EARLIER_MAX; i++) {
        past[i] = (struct past_move){.from = {.items = items, .count = 20},
                                     .to = {.items = items, .count = 20},
                                     .reason = "r"};
    }
    const struct last_move move = {
        .last = past[0], .attempt = 1, .earlier = {past, LAST_MOVE_EARLIER_MAX}};
    const char *text = last_move_text(arena, &move);

    CHECK_MSG(strlen(text) <= LAST_MOVE_TEXT_MAX, "%zu bytes", strlen(text));
    CHECK_CONTAINS(text, names[LAST_MOVE_CLUSTERS_MAX - 1]);
    CHECK(strstr(text, names[LAST_MOVE_CLUSTERS_MAX]) == NULL);
    CHECK(strstr(text, "earlier") == NULL); /* there is no room for another */
    CHECK(text[strlen(text) - 1] == '}');
    arena_free(arena);
}

void suite_last_move(void);

void
suite_last_move(void)
{
    check_suite("last move");
    check_test("refused", test_refused);
    check_test("round trip", test_round_trip);
    check_test("bounded", test_bounded);
}
