/* SPDX-License-Identifier: Apache-2.0
 *
 * A reschedule that limits let go in parts only, or a placement that changed: what is
 * on record of it, read from anybody and written within bounds, and that it comes to an end.
 */
#include "ballast/annotations/reschedule_parts.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/format/value_text.h"
#include "check.h"
#include "model_fixture.h"
#include "planner_fixture.h"

/* What a binding with this annotation has on record: in the fixture, until it ends. */
static const struct reschedule_parts *
read_text(struct model_fixture *f, const char *text)
{
    struct buf object;

    buf_init(&object, SIZE_MAX);
    model_quote("{'metadata':{'namespace':'ns','name':'web','annotations':{'", &object);
    buf_append_str(&object, ANNOTATION_RESCHEDULE_PARTS "\":");
    text_write_string(text, strlen(text), &object);
    model_quote("}},'spec':{'resource':{'apiVersion':'apps/v1','kind':'Deployment','name':'web'}}}",
                &object);
    const struct binding *binding =
        decode_binding(f->builder, model_value(f, buf_text(&object)), &f->err);

    buf_release(&object);
    return CHECK_MSG(binding != NULL, "%s", f->err.message)
               ? binding_rare(binding)->reschedule_parts
               : NULL;
}

#define FOR "\"for\":\"2026-03-01T11:00:00Z\""

static void
test_read(void)
{
    static const struct {
        const char *text;
        bool is_read;
    } cases[] = {
        {"{" FOR "}", true},
        {"{\"placement\":{}}", true},
        {"{" FOR ",\"placement\":{\"replicaScheduling\":{}},\"to\":[\"a\"]}", true},
        {"{\"to\":[\"a\"]}", false}, /* of nothing in particular */
        {"{\"placement\":7}", false},
        {"{\"placement\":{\"clusterAffinities\":7}}", false},
        {"{" FOR ",\"from\":[],\"to\":[\"a\",\"b\"],\"more\":1}", true},
        {"{\"for\":\"soon\"}", false},
        {"{\"for\":1}", false},
        {RESCHEDULE_PARTS_NONE, false},
        {"", false},
        {"{", false},
        {"[]", false},
        {"null", false},
        {"{" FOR ",\"from\":{}}", false},
        {"{" FOR ",\"from\":null}", true},
        {"{" FOR ",\"to\":[\"a\",1]}", false},
    };
    struct model_fixture f;

    model_begin(&f);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_MSG((read_text(&f, cases[i].text) != NULL) == cases[i].is_read, "%s", cases[i].text);
    }
    model_end(&f);
}

/* As long as it is ever noted: as many clusters are beside it as without. */
static void
check_long_placement(struct model_fixture *f, struct arena *arena,
                     const struct reschedule_parts *parts, const struct reschedule_parts *without)
{
    static char text[PLACEMENT_TEXT_MAX + 1];
    const struct placement placement = {.text = text};
    struct reschedule_parts both = *parts;
    static const char begin[] = "{\"clusterAffinity\":{\"clusterNames\":[\"", end[] = "\"]}}";

    memset(text, 'x', PLACEMENT_TEXT_MAX);
    memcpy(text, begin, sizeof(begin) - 1);
    memcpy(text + PLACEMENT_TEXT_MAX - (sizeof(end) - 1), end, sizeof(end));
    both.placement = &placement;
    const char *whole = reschedule_parts_text(arena, &both);
    const struct reschedule_parts *again = read_text(f, whole);

    CHECK_MSG(strlen(whole) <= RESCHEDULE_PARTS_TEXT_MAX, "%zu bytes", strlen(whole));
    if (CHECK(again != NULL && again->placement != NULL) && CHECK(without != NULL)) {
        CHECK_INT(again->asked_at == parts->asked_at, 1);
        CHECK_INT(again->from.count, without->from.count);
        CHECK_INT(again->to.count, without->to.count);
    }
}

static void
test_bounded(void)
{
    static char names[2 * RESCHEDULE_PARTS_MAX][254];
    struct target items[2 * RESCHEDULE_PARTS_MAX];
    struct arena *arena = arena_new();
    struct reschedule_parts parts = {.asked_at = TIME_NONE};
    struct model_fixture f;

    for (int i = 0; i < 2 * RESCHEDULE_PARTS_MAX; i++) {
        snprintf(names[i], sizeof(names[i]), "%03d", i);
        memset(names[i] + 3, 'x', 250);
        items[i] = (struct target){.name = names[i], .replicas = 1};
    }
    const struct target_list all = {.items = items, .count = 2 * RESCHEDULE_PARTS_MAX};
    const struct target_list none = {.count = 0};

    CHECK(timestamp_parse("2026-03-01T11:00:00Z", &parts.asked_at));
    model_begin(&f);
    parts = reschedule_parts_plus(arena, &parts, &all, &none);
    parts = reschedule_parts_plus(arena, &parts, &all, &all);
    CHECK_INT(parts.from.count, RESCHEDULE_PARTS_MAX);
    CHECK_INT(parts.to.count, RESCHEDULE_PARTS_MAX);
    const char *text = reschedule_parts_text(arena, &parts);
    const struct reschedule_parts *again = read_text(&f, text);

    CHECK_MSG(strlen(text) <= RESCHEDULE_PARTS_OWN_MAX, "%zu bytes", strlen(text));
    if (CHECK(again != NULL)) {
        CHECK_INT(again->from.count, again->to.count);
        CHECK_MSG(again->from.count >= 15, "%u", again->from.count);
        CHECK_STR(again->from.items[14], names[14]);
    }
    check_long_placement(&f, arena, &parts, again);
    /* one more than is read, and a text that is longer */
    char *longer = ARENA_ARRAY(arena, char, RESCHEDULE_PARTS_TEXT_MAX + 64);

    memset(longer, ' ', RESCHEDULE_PARTS_TEXT_MAX + 1);
    memcpy(longer, "{" FOR "}", strlen("{" FOR "}"));
    CHECK(read_text(&f, longer) == NULL);
    longer[RESCHEDULE_PARTS_TEXT_MAX] = '\0';
    CHECK(read_text(&f, longer) != NULL);
    const char *many = "\"a\"";

    for (int i = 1; i < RESCHEDULE_PARTS_MAX; i++) {
        many = arena_printf(arena, "%s,\"a\"", many);
    }
    CHECK(read_text(&f, arena_printf(arena, "{" FOR ",\"from\":[%s]}", many)) != NULL);
    CHECK(read_text(&f, arena_printf(arena, "{" FOR ",\"from\":[%s,\"a\"]}", many)) == NULL);
    model_end(&f);
    arena_free(arena);
}

/* --- run after run --- */

#define CLUSTERS 4
#define AGGREGATED                                                                                 \
    "'replicaScheduling':{'replicaSchedulingType':'Divided','replicaDivisionPreference':"          \
    "'Aggregated'}"

/* A Deployment of which somebody asked for a reschedule, or changed the placement, and what runs
 * left of it so far. */
struct story {
    uint64_t seed;
    int replicas, limit;
    const char *placement;
    bool is_for_placement;
    int split[CLUSTERS];
    int way[CLUSTERS]; /* 1: it gained, -1: it lost, 0: neither */
    char parts[1024];
    bool is_met;
};

static int
draw(struct story *story, int bound)
{
    story->seed = story->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)(story->seed >> 33) % bound;
}

static void
add_story(struct small_fleet *f, const struct story *story)
{
    char clusters[256] = "", escaped[2048], asked[64];
    size_t at = 0;

    for (int i = 0; i < CLUSTERS; i++) {
        if (story->split[i] > 0) {
            snprintf(clusters + strlen(clusters), sizeof(clusters) - strlen(clusters),
                     "%s{'name':'m%d','replicas':%d}", *clusters != '\0' ? "," : "", i + 1,
                     story->split[i]);
        }
    }
    for (const char *c = story->parts; *c != '\0'; c++) {
        at += (size_t)snprintf(escaped + at, sizeof(escaped) - at, *c == '"' ? "\\'" : "%c", *c);
    }
    escaped[at] = '\0';
    snprintf(asked, sizeof(asked), ",'rescheduleTriggeredAt':'%s'", ago(10));
    small_fleet_add(f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'ns','name':'web','resourceVersion':'1'," OWNED_LABEL
                    ",'annotations':{'policy.karmada.io/applied-placement':'%s','%s':'%s'}},'spec':"
                    "{'resource':{'apiVersion':'apps/v1','kind':'Deployment','name':'web',"
                    "'namespace':'ns'},'replicaRequirements':{'resourceRequest':{'cpu':'100m'}},"
                    "'replicas':%d,'clusters':[%s],'placement':{%s}%s},"
                    "'status':{'lastScheduledTime':'%s'}}",
                    story->is_for_placement ? "{}" : "{", ANNOTATION_RESCHEDULE_PARTS, escaped,
                    story->replicas, clusters, story->placement,
                    story->is_for_placement ? "" : asked, ago(20));
}

static void
take_part(struct story *story, const struct decision *decision)
{
    for (int i = 0; i < CLUSTERS; i++) {
        const char name[] = {'m', (char)('1' + i), '\0'};
        const struct target *target = target_list_find(&decision->after, name);
        int after = target != NULL ? target->replicas : 0;
        int way = after > story->split[i] ? 1 : after < story->split[i] ? -1 : 0;

        CHECK_MSG(way * story->way[i] >= 0, "%s: %d -> %d, the other way than before (%s)", name,
                  story->split[i], after, story->parts);
        story->way[i] = way != 0 ? way : story->way[i];
        story->split[i] = after;
    }
    for (size_t i = 0; i < decision->n_annotations; i++) {
        const struct label *annotation = &decision->annotations[i];

        if (str_eq(annotation->key, ANNOTATION_RESCHEDULE_PARTS)) {
            snprintf(story->parts, sizeof(story->parts), "%s", annotation->value);
        }
        story->is_met = story->is_met || str_eq(annotation->key, ANNOTATION_RESCHEDULED_FOR) ||
                        str_eq(annotation->key, ANNOTATION_PLACED_FOR);
    }
}

/* One run, by the room that there is then. */
static void
run_story(struct story *story)
{
    struct small_fleet f;
    char text[256];

    small_fleet_open(&f);
    f.policy.limits.of[LIMIT_RUN_REPLICAS] = (struct limit){LIMIT_UNIT_COUNT, story->limit};
    f.policy.triggers[FINDING_PLACEMENT_CHANGED] = true;
    for (int i = 0; i < CLUSTERS; i++) {
        const char name[] = {'m', (char)('1' + i), '\0'};

        add_cluster(&f, name,
                    story->is_for_placement ? 2 + draw(story, story->replicas)
                                            : story->replicas + draw(story, 40));
    }
    add_story(&f, story);
    if (small_fleet_diagnose(&f)) {
        const struct decision *decision = plan_only(&f);

        CHECK_MSG(decision->changes || story->is_for_placement, "nothing goes of %s",
                  show(&decision->before, text));
        take_part(story, decision);
    }
    small_fleet_close(&f);
}

/* Returns how many runs it took to meet it. */
static int
tell_story(struct story *story, int most)
{
    int runs = 0;

    story->replicas = 6 + draw(story, 8);
    for (int n = 0; n < story->replicas; n++) {
        story->split[draw(story, CLUSTERS)]++;
    }
    while (!story->is_met && runs <= most) {
        run_story(story);
        runs++;
    }
    CHECK_MSG(story->is_met, "not met after %d runs", runs);
    return runs;
}

/* Whatever room comes and goes meanwhile, no cluster gains and loses, so that it comes to an end.
 */
static void
test_goes_one_way(void)
{
    static const char *const placements[] = {DYNAMIC, AGGREGATED};
    int in_parts = 0;

    for (int i = 0; i < 120; i++) {
        struct story story = {
            .seed = (uint64_t)i + 1, .placement = placements[i % 2], .limit = 1 + i % 3};

        in_parts += tell_story(&story, 13) > 2 ? 1 : 0;
    }
    CHECK_MSG(in_parts > 60, "%d", in_parts);
}

/* Likewise with a placement that changed, which static weights and KubeFed's planner divide by the
 * room that there is. A run for which there is not enough meets nothing. */
static void
test_placement_goes_one_way(void)
{
    int in_parts = 0;

    for (int i = 0; i < 240; i++) {
        struct story story = {
            .seed = (uint64_t)i + 1,
            .placement = STATIC_1_2,
            .limit = 1 + i % 3,
            .is_for_placement = true,
        };

        in_parts += tell_story(&story, 60) > 2 ? 1 : 0;
    }
    CHECK_MSG(in_parts > 60, "%d", in_parts);
}

/* Until it is met, a limit's replicas a run; what is given up there is not there yet elsewhere. */
static void
end_story(struct story *story)
{
    for (int runs = 0; !story->is_met && CHECK(runs <= story->replicas); runs++) {
        struct small_fleet f;

        small_fleet_open(&f);
        f.policy.limits.of[LIMIT_RUN_REPLICAS] = (struct limit){LIMIT_UNIT_COUNT, story->limit};
        add_cluster(&f, "m1", 20 - story->split[0]);
        add_cluster(&f, "m2", 23 - story->split[1]);
        add_cluster(&f, "m3", 27 - story->split[2]);
        add_story(&f, story);
        if (small_fleet_diagnose(&f)) {
            take_part(story, plan_only(&f));
        }
        small_fleet_close(&f);
    }
}

/* Where nothing else changes, it ends where all of it would have gone at once. */
static void
test_ends_alike(void)
{
    static const char *const placements[] = {DYNAMIC, AGGREGATED, STATIC_1_2};

    for (size_t i = 0; i < sizeof(placements) / sizeof(placements[0]); i++) {
        struct story whole = {.replicas = 9, .limit = 9, .placement = placements[i], .split = {9}};

        end_story(&whole);
        for (int limit = 1; limit < 6; limit++) {
            struct story story = {
                .replicas = 9, .limit = limit, .placement = placements[i], .split = {9}};

            end_story(&story);
            CHECK_MSG(memcmp(story.split, whole.split, sizeof(story.split)) == 0,
                      "%zu, limit %d: %d %d %d, at once %d %d %d", i, limit, story.split[0],
                      story.split[1], story.split[2], whole.split[0], whole.split[1],
                      whole.split[2]);
        }
    }
}

void suite_reschedule_parts(void);

void
suite_reschedule_parts(void)
{
    check_suite("reschedule parts");
    check_test("read", test_read);
    check_test("bounded", test_bounded);
    check_test("goes one way", test_goes_one_way);
    check_test("a placement goes one way", test_placement_goes_one_way);
    check_test("ends alike", test_ends_alike);
}
