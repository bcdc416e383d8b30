/* SPDX-License-Identifier: Apache-2.0
 *
 * Taints and tolerations, and when a taint drives a workload away.
 */
#include "ballast/model/taint.h"

#include "ballast/base/timestamp.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"
#include "check.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct taint gpu = {"gpu", "a100", "NoSchedule", TIME_NONE};
static const struct taint bare = {"maintenance", "", "NoExecute", TIME_NONE};

struct match {
    struct toleration toleration;
    bool gpu;
    bool bare;
};

static const struct match matches[] = {
    {{.key = "gpu", .operator= "Equal", .value = "a100", .effect = "NoSchedule"}, true, false},
    {{.key = "gpu", .operator= "", .value = "a100", .effect = ""}, true, false},
    {{.key = "gpu", .operator= "Equal", .value = "h100", .effect = ""}, false, false},
    {{.key = "gpu", .operator= "Equal", .value = "", .effect = ""}, false, false},
    {{.key = "gpu", .operator= "Exists", .value = "", .effect = ""}, true, false},
    {{.key = "gpu", .operator= "Exists", .value = "ignored", .effect = ""}, true, false},
    {{.key = "gpu", .operator= "Exists", .value = "", .effect = "NoExecute"}, false, false},
    {{.key = "GPU", .operator= "Exists", .value = "", .effect = ""}, false, false},
    {{.key = "maintenance", .operator= "", .value = "", .effect = "NoExecute"}, false, true},
    {{.key = "", .operator= "Exists", .value = "", .effect = ""}, true, true},
    {{.key = "", .operator= "Exists", .value = "", .effect = "NoExecute"}, false, true},
    /* An empty key does not excuse Equal from comparing values. */
    {{.key = "", .operator= "Equal", .value = "", .effect = ""}, false, true},
    {{.key = "", .operator= "", .value = "a100", .effect = ""}, true, false},
    {{.key = "gpu", .operator= "Gt", .value = "1", .effect = ""}, false, false},
    {{.key = "gpu", .operator= "Lt", .value = "1", .effect = ""}, false, false},
    {{.key = "gpu", .operator= "exists", .value = "", .effect = ""}, false, false},
};

static void
test_tolerations_match(void)
{
    for (size_t i = 0; i < COUNT(matches); i++) {
        const struct toleration *t = &matches[i].toleration;

        CHECK_MSG(toleration_tolerates(t, &gpu) == matches[i].gpu, "%s/%s/%s/%s and gpu", t->key,
                  t->operator, t->value, t->effect);
        CHECK_MSG(toleration_tolerates(t, &bare) == matches[i].bare, "%s/%s/%s/%s and maintenance",
                  t->key, t->operator, t->value, t->effect);
    }
}

/* Gt and Lt stay off even between numbers. */
static void
test_numeric_operators_are_off(void)
{
    struct taint five = {"level", "5", "NoSchedule", TIME_NONE};
    struct toleration above = {.key = "level", .operator= "Gt", .value = "1", .effect = ""};
    struct toleration below = {.key = "level", .operator= "Lt", .value = "9", .effect = ""};

    CHECK(!toleration_tolerates(&above, &five));
    CHECK(!toleration_tolerates(&below, &five));
}

static void
test_first_untolerated_taint_is_named(void)
{
    const struct taint taints[] = {
        {"soft", "", "PreferNoSchedule", TIME_NONE},
        {"odd", "", "Whatever", TIME_NONE},
        gpu,
        bare,
    };
    const struct toleration gpus = {.key = "gpu", .operator= "Exists", .value = "", .effect = ""};
    const struct toleration all = {.key = "", .operator= "Exists", .value = "", .effect = ""};
    struct taint_list list = {taints, COUNT(taints)};
    struct toleration_list tolerations = {.present = true};

    CHECK(taint_list_find_untolerated(&list, &tolerations) == &taints[2]);
    tolerations = (struct toleration_list){&gpus, 1, true};
    CHECK(taint_list_find_untolerated(&list, &tolerations) == &taints[3]);
    tolerations.items = &all;
    CHECK(taint_list_find_untolerated(&list, &tolerations) == NULL);
    list.count = 2;
    CHECK(taint_list_find_untolerated(&list, &(struct toleration_list){0}) == NULL);
}

#define ADDED (1000 * NANOS_PER_SECOND)

static struct toleration
for_seconds(const char *key, int64_t seconds)
{
    return (struct toleration){.key = key,
                               .operator= "Exists",
                               .value = "",
                               .effect = "",
                               .toleration_seconds = seconds,
                               .has_toleration_seconds = true};
}

static int64_t
eviction(const char *effect, int64_t added, const struct toleration *items, uint32_t count)
{
    struct taint taint = {"down", "", effect, added};
    struct taint_list taints = {&taint, 1};
    struct toleration_list list = {items, count, true};
    int64_t when = TIME_NONE;

    return taint_list_find_evicting(&taints, &list, &when) != NULL ? when : TIME_NONE;
}

static void
test_eviction_time(void)
{
    struct toleration forever = {.key = "down", .operator= "Exists", .value = "", .effect = ""};
    struct toleration minutes = for_seconds("down", 300);
    struct toleration other = for_seconds("up", 300);
    struct toleration at_once = for_seconds("down", 0);
    struct toleration negative = for_seconds("down", -7);
    struct toleration huge = for_seconds("down", INT64_MAX);

    CHECK_INT(eviction("NoExecute", ADDED, NULL, 0), ADDED);
    CHECK_INT(eviction("NoExecute", ADDED, &other, 1), ADDED);
    CHECK_INT(eviction("NoExecute", ADDED, &forever, 1), TIME_NONE);
    CHECK_INT(eviction("NoExecute", ADDED, &minutes, 1), ADDED + 300 * NANOS_PER_SECOND);
    CHECK_INT(eviction("NoExecute", ADDED, &at_once, 1), ADDED);
    CHECK_INT(eviction("NoExecute", ADDED, &negative, 1), ADDED);
    CHECK_INT(eviction("NoExecute", ADDED, &huge, 1), INT64_MAX);
    CHECK_INT(eviction("NoSchedule", ADDED, NULL, 0), TIME_NONE);
    CHECK_INT(eviction("PreferNoSchedule", ADDED, NULL, 0), TIME_NONE);
}

/* A toleration in use counts for every taint that it tolerates, not only for the one it is the
 * first of: the earlier end drives away. */
static void
test_eviction_by_several_taints(void)
{
    const struct taint taints[] = {
        {"down", "", "NoExecute", ADDED},
        {"slow", "", "NoSchedule", ADDED - 9 * NANOS_PER_SECOND},
        {"up", "", "NoExecute", ADDED + 100 * NANOS_PER_SECOND},
    };
    const struct toleration tolerations[] = {for_seconds("down", 300), for_seconds("", 30)};
    struct taint_list list = {taints, COUNT(taints)};
    struct toleration_list tolerated = {tolerations, COUNT(tolerations), true};
    int64_t when = TIME_NONE;

    CHECK(taint_list_find_evicting(&list, &tolerated, &when) == &taints[0]);
    CHECK_INT(when, ADDED + 30 * NANOS_PER_SECOND);
    tolerated.count = 1;
    CHECK(taint_list_find_evicting(&list, &tolerated, &when) == &taints[2]); /* untolerated */
    CHECK_INT(when, ADDED + 100 * NANOS_PER_SECOND);
    CHECK(taint_list_find_evicting(&list, NULL, &when) == &taints[0]);
    CHECK(taint_list_has_no_execute(&list));
    list = (struct taint_list){&taints[1], 1};
    CHECK(taint_list_find_evicting(&list, NULL, &when) == NULL);
    CHECK(!taint_list_has_no_execute(&list));
}

/* Karmada's taint manager stops at the first toleration that matches. */
static void
test_first_matching_toleration_counts(void)
{
    struct toleration items[] = {for_seconds("up", 1), for_seconds("down", 300),
                                 for_seconds("down", 60)};

    CHECK_INT(eviction("NoExecute", ADDED, items, 3), ADDED + 300 * NANOS_PER_SECOND);
    items[1].has_toleration_seconds = false;
    CHECK_INT(eviction("NoExecute", ADDED, items, 3), TIME_NONE);
}

static void
test_taint_of_unknown_age(void)
{
    struct toleration minutes = for_seconds("down", 300);

    CHECK_INT(eviction("NoExecute", TIME_NONE, NULL, 0), TIME_EARLIEST);
    CHECK_INT(eviction("NoExecute", TIME_NONE, &minutes, 1), TIME_NONE);
}

static void
test_equality_looks_at_every_field(void)
{
    const struct toleration base = for_seconds("k", 5);
    struct toleration changed[6];
    struct toleration_list a = {&base, 1, true};

    for (size_t i = 0; i < COUNT(changed); i++) {
        changed[i] = base;
    }
    changed[0].key = "other";
    changed[1].operator= "";
    changed[2].value = "other";
    changed[3].effect = "NoExecute";
    changed[4].toleration_seconds = 6;
    changed[5].has_toleration_seconds = false;
    for (size_t i = 0; i < COUNT(changed); i++) {
        CHECK_MSG(!toleration_list_equal(&a, &(struct toleration_list){&changed[i], 1, true}),
                  "difference %zu was missed", i);
    }
    struct toleration same = base;

    CHECK(toleration_list_equal(&a, &(struct toleration_list){&same, 1, true}));
    CHECK(!toleration_list_equal(&a, &(struct toleration_list){&same, 1, false}));
    CHECK(!toleration_list_equal(&(struct toleration_list){0},
                                 &(struct toleration_list){.present = true}));
}

/* What is over now is lost, and what is over by the time that a destination has to last is none: to
 * the nanosecond. */
static void
test_stay_of_a_binding(void)
{
    struct toleration minutes = for_seconds("down", 300);
    struct placement placement = {.cluster_tolerations = {&minutes, 1, true}};
    struct binding binding = {.placement = &placement};
    struct taint taint = {"down", "", "NoExecute", ADDED};
    struct cluster cluster = {.taints = {&taint, 1}};
    int64_t end = ADDED + 300 * NANOS_PER_SECOND, when = TIME_NONE;
    struct policy policy;

    CHECK(binding_find_evicting_taint(&binding, &cluster, end - 1, &when) == NULL);
    CHECK_INT(when, TIME_NONE);
    CHECK(binding_find_evicting_taint(&binding, &cluster, end, &when) == &taint);
    CHECK_INT(when, end);
    binding.placement = NULL;
    CHECK(binding_find_evicting_taint(&binding, &cluster, ADDED, &when) == &taint);
    CHECK_INT(when, ADDED);

    policy_init(&policy);
    policy.now = ADDED;
    CHECK_INT(policy_stay_until(&policy), ADDED + 60 * NANOS_PER_MINUTE);
    policy.cooldown.initial = 0;
    CHECK_INT(policy_stay_until(&policy), ADDED);
}

void suite_taint(void);

void
suite_taint(void)
{
    check_suite("taint");
    check_test("tolerations match", test_tolerations_match);
    check_test("numeric operators are off", test_numeric_operators_are_off);
    check_test("first untolerated taint", test_first_untolerated_taint_is_named);
    check_test("eviction time", test_eviction_time);
    check_test("eviction by several taints", test_eviction_by_several_taints);
    check_test("first matching toleration counts", test_first_matching_toleration_counts);
    check_test("taint of unknown age", test_taint_of_unknown_age);
    check_test("stay of a binding", test_stay_of_a_binding);
    check_test("equality looks at every field", test_equality_looks_at_every_field);
}
