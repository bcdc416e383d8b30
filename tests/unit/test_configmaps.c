/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries as ConfigMaps: made, found, read again; torn, damaged, of another
 * cycle, by several writers, on a server that fails.
 */
#include "ballast/configmaps/configmap_carrier.h"

#include <stdio.h>
#include <stdlib.h>

#include "ballast/base/str.h"
#include "check.h"
#include "configmaps/configmap_parts.h"
#include "fake_api.h"

#define MAPS "/api/v1/namespaces/ops/configmaps"

static const struct shard second = {2, 3};

struct map_rig {
    struct fake_api *api;
    struct kube_config config;
    struct arena *arena;
    struct configmap_carrier_options options;
    struct configmap_carrier *carrier;
    struct summary_carrier port;
    /* of the last list */
    size_t n_found;
    struct carried_summary found; /* the last one */
};

static void
rig_open(struct map_rig *rig)
{
    configmap_carrier_free(rig->carrier);
    rig->carrier = configmap_carrier_new(&rig->options);
    rig->port = configmap_carrier_port(rig->carrier);
}

static void
rig_init(struct map_rig *rig)
{
    *rig = (struct map_rig){.api = fake_api_start(), .arena = arena_new()};
    fake_api_serve(rig->api, MAPS, "v1", "ConfigMap");
    rig->config = (struct kube_config){.server = (char *)(uintptr_t)fake_api_url(rig->api)};
    rig->options = (struct configmap_carrier_options){
        .config = &rig->config,
        .client = fake_api_client_options(),
        .namespace_ = "ops",
        .prefix = "b-s",
        .cycle = "job-1",
        .owner_name = "job-1",
        .owner_uid = "uid-1",
    };
    rig->options.client.clock.random = clock_of_system().random; /* names are to differ */
    rig_open(rig);
}

static void
rig_release(struct map_rig *rig)
{
    configmap_carrier_free(rig->carrier);
    arena_free(rig->arena);
    fake_api_stop(rig->api);
}

static const char *
put_bytes(struct map_rig *rig, struct shard shard, const void *bytes, size_t length,
          struct error *err)
{
    struct buf text;

    buf_init(&text, SIZE_MAX / 2);
    buf_append(&text, bytes, length);
    const char *name = rig->port.put(rig->port.context, rig->arena, shard, &text, err);

    buf_release(&text);
    return name != NULL ? arena_printf(rig->arena, "%s", name) : NULL;
}

static void
put(struct map_rig *rig, struct shard shard, const char *text)
{
    struct error err = ERROR_INIT;
    const char *name = put_bytes(rig, shard, text, strlen(text), &err);

    if (CHECK_OK(name != NULL, err)) {
        CHECK_CONTAINS(name, "ConfigMap ops/b-s-");
    }
}

static void
on_found(void *context, const struct carried_summary *summary)
{
    struct map_rig *rig = context;

    rig->n_found++;
    rig->found = *summary;
}

static bool
list(struct map_rig *rig, struct error *err)
{
    rig->n_found = 0;
    return rig->port.list(rig->port.context, on_found, rig, err);
}

/* There is one, of the second shard, and it is of use, or is not for that reason. */
static void
check_found(struct map_rig *rig, const char *why)
{
    struct error err = ERROR_INIT;

    if (!CHECK_OK(list(rig, &err), err) || !CHECK_INT(rig->n_found, 1)) {
        return;
    }
    CHECK_INT(rig->found.shard.index, second.index);
    CHECK_INT(rig->found.shard.count, second.count);
    CHECK_CONTAINS(rig->found.name, "b-s-2-of-3-");
    CHECK_STR(rig->found.why != NULL ? rig->found.why : "", why);
}

/* What was listed is read: it is that text, or there is none for that reason. */
static void
check_read(struct map_rig *rig, const char *want, enum error_code code, const char *why)
{
    struct error err = ERROR_INIT;
    size_t length = 0;
    char *text = rig->port.read(rig->port.context, &rig->found, 1000, &length, &err);

    if (code == ERROR_NONE) {
        if (CHECK_OK(text != NULL, err)) {
            CHECK_STR(text, want);
            CHECK_INT(length, strlen(want));
        }
    } else {
        CHECK(text == NULL);
        CHECK_INT(err.code, code);
        CHECK_CONTAINS(err.message, why);
    }
    free(text);
}

static void
test_round_trip(void)
{
    struct map_rig rig;

    rig_init(&rig);
    put(&rig, second, "what was seen");
    const char *body = fake_api_body(rig.api, "POST", MAPS, 0);

    if (CHECK(body != NULL)) {
        CHECK_CONTAINS(body, "\"immutable\":true");
        CHECK_CONTAINS(body, "\"labels\":{\"ballast.io/summaries\":\"b-s\"}");
        CHECK_CONTAINS(body, "\"ballast.io/cycle\":\"job-1\",\"ballast.io/shard\":\"2-of-3\","
                             "\"ballast.io/part\":\"1-of-1\",\"ballast.io/bytes\":\"13\"");
        CHECK_CONTAINS(body, "\"ownerReferences\":[{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\","
                             "\"name\":\"job-1\",\"uid\":\"uid-1\"}]");
    }
    /* a right to create is all that a shard needs */
    CHECK_INT(fake_api_count(rig.api, "", MAPS), 1);
    check_found(&rig, "");
    check_read(&rig, "what was seen", ERROR_NONE, "");
    CHECK_CONTAINS(fake_api_target(rig.api, "GET", MAPS "?", 0),
                   "labelSelector=ballast.io%2Fsummaries%3Db-s");
    rig_release(&rig);
}

/* Of bytes that cannot be made smaller. */
static char *
noise(size_t length)
{
    char *bytes = malloc(length);
    uint32_t state = 1;

    for (size_t i = 0; bytes != NULL && i < length; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (char)(state >> 24);
    }
    return bytes;
}

static void
test_parts(void)
{
    static const size_t length = 2 * CONFIGMAP_PART_MAX + 1000;
    char *bytes = noise(length);
    struct error err = ERROR_INIT;
    struct map_rig rig;
    size_t got_length = 0;

    rig_init(&rig);
    CHECK_CONTAINS(put_bytes(&rig, second, bytes, length, &err), "-1 to 3");
    CHECK_INT(fake_api_count(rig.api, "POST", MAPS), 3);
    check_found(&rig, "");
    char *got = rig.port.read(rig.port.context, &rig.found, length, &got_length, &err);

    CHECK_OK(got != NULL, err);
    CHECK(got_length == length && got != NULL && memcmp(got, bytes, length) == 0);
    free(got);
    check_read(&rig, "", ERROR_LIMIT, "it has more than 1000 bytes");

    /* a part is missing, and comes later: of the same writing it is another version */
    const uint64_t whole = rig.found.version;
    const char *path =
        arena_printf(rig.arena, MAPS "/%.*s2", (int)strlen(rig.found.name) - 1, rig.found.name);
    char *lost = strdup(fake_api_get(rig.api, path));

    fake_api_delete(rig.api, path);
    check_found(&rig, "it is torn: want 3 ConfigMaps, got 2");
    CHECK(rig.found.version != whole);
    check_read(&rig, "", ERROR_NOT_FOUND, "it is not there");
    fake_api_put(rig.api, MAPS, path, lost);
    check_found(&rig, "");
    CHECK(rig.found.version == whole);
    /* ... and is gone before it is read */
    fake_api_delete(rig.api, path);
    check_read(&rig, "", ERROR_LIMIT, "");
    free(lost);
    free(bytes);
    rig_release(&rig);
}

static void
test_too_large(void)
{
    const size_t length = (size_t)CONFIGMAP_PARTS_MAX * CONFIGMAP_PART_MAX + 1;
    char *bytes = noise(length);
    struct error err = ERROR_INIT;
    struct map_rig rig;

    rig_init(&rig);
    CHECK(put_bytes(&rig, second, bytes, length, &err) == NULL);
    CHECK_INT(err.code, ERROR_LIMIT);
    CHECK_STR(err.message, "what shard 2 of 3 shows takes more than 16 ConfigMaps: share it out "
                           "among more shards, or carry it on a volume");
    CHECK_INT(fake_api_count(rig.api, "", MAPS), 0);
    free(bytes);
    rig_release(&rig);
}

/* Without a Job to go with, each writing takes away what was there of its shard that nobody owns.
 */
static void
test_no_owner(void)
{
    struct map_rig rig;
    struct error err = ERROR_INIT;

    rig_init(&rig);
    put(&rig, second, "of a Job");
    rig.options.owner_name = rig.options.owner_uid = "";
    rig_open(&rig);
    put(&rig, (struct shard){1, 3}, "of another shard");
    put(&rig, second, "first");
    put(&rig, second, "second");
    CHECK_INT(fake_api_count(rig.api, "DELETE", MAPS), 1);
    CHECK_OK(list(&rig, &err), err);
    CHECK_INT(rig.n_found, 2);
    fake_api_fail(rig.api, "POST", MAPS, 403, "not you", 1);
    CHECK(put_bytes(&rig, second, "third", 5, &err) == NULL);
    CHECK_CONTAINS(err.message, "not you");
    CHECK_INT(fake_api_count(rig.api, "DELETE", MAPS), 1); /* what is there stays */
    rig_release(&rig);
}

static void
test_other_cycle(void)
{
    struct map_rig rig;

    rig_init(&rig);
    put(&rig, second, "of the first");
    rig.options.cycle = "job-2";
    rig_open(&rig);
    check_found(&rig, "it is of another cycle: job-1");
    put(&rig, second, "of the second");
    check_found(&rig, "");
    check_read(&rig, "of the second", ERROR_NONE, "");
    rig.options.cycle = "";
    rig_open(&rig);
    check_found(&rig, "");
    rig_release(&rig);
}

static void
test_damaged(void)
{
    static const struct {
        const char *patch, *why;
    } cases[] = {
        {"{\"binaryData\":null}", "it is torn: there is no binaryData.summary"},
        {"{\"binaryData\":{\"summary\":\"!\"}}", "it is torn: there is no binaryData.summary"},
        {"{\"binaryData\":{\"summary\":\"eJw=\"}}",
         "it is torn: it cannot be decompressed to 13 bytes"},
        {"{\"metadata\":{\"annotations\":{\"ballast.io/bytes\":\"14\"}}}",
         "it is torn: it cannot be decompressed to 14 bytes"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct map_rig rig;

        rig_init(&rig);
        put(&rig, second, "what was seen");
        check_found(&rig, "");
        fake_api_put(rig.api, MAPS, arena_printf(rig.arena, MAPS "/%s", rig.found.name),
                     cases[i].patch);
        check_found(&rig, "");
        check_read(&rig, "", ERROR_PARSE, cases[i].why);
        rig_release(&rig);
    }
}

/* What has our label and is no part of a summary is nothing to us. */
static void
test_strangers(void)
{
    static const char *const annotations[] = {
        "{}",
        "{'ballast.io/shard':'4-of-3'}",
        "{'ballast.io/shard':'2-of-3x'}",
        "{'ballast.io/shard':'2-of-3','ballast.io/part':'1-of-17'}",
        "{'ballast.io/shard':'2-of-3','ballast.io/part':'0-of-1'}",
        "{'ballast.io/shard':'2-of-3','ballast.io/bytes':'-1'}",
        "{'ballast.io/shard':'2-of-3','ballast.io/bytes':'9999999999999'}",
        "{'ballast.io/shard':'2-of-3','ballast.io/generation':''}",
        "{'ballast.io/shard':2}",
    };
    struct map_rig rig;
    struct error err = ERROR_INIT;

    rig_init(&rig);
    for (size_t i = 0; i < sizeof(annotations) / sizeof(annotations[0]); i++) {
        char path[256], *text;

        snprintf(path, sizeof(path), MAPS "/x-%zu", i);
        text = str_print("{'metadata':{'name':'x-%zu','labels':{'ballast.io/summaries':'b-s'},"
                         "'annotations':%s}}",
                         i, annotations[i]);
        for (char *c = text; *c != '\0'; c++) {
            if (*c == '\'') {
                *c = '"';
            }
        }
        fake_api_put(rig.api, MAPS, path,
                     "{\"metadata\":{\"annotations\":{\"ballast.io/generation\":\"g\","
                     "\"ballast.io/part\":\"1-of-1\",\"ballast.io/bytes\":\"1\"}}}");
        fake_api_put(rig.api, MAPS, path, text);
        free(text);
    }
    CHECK_OK(list(&rig, &err), err);
    CHECK_INT(rig.n_found, 0);
    rig_release(&rig);
}

static void
test_faults(void)
{
    struct map_rig rig;
    struct error err = ERROR_INIT;

    rig_init(&rig);
    fake_api_fail(rig.api, "POST", MAPS, 503, "later", 2);
    fake_api_cut(rig.api, MAPS); /* it is made, and nobody is told so */
    put(&rig, second, "what was seen");
    check_found(&rig, "");
    check_read(&rig, "what was seen", ERROR_NONE, "");
    fake_api_fail(rig.api, "GET", arena_printf(rig.arena, MAPS "/%s", rig.found.name), 404, "gone",
                  1);
    check_read(&rig, "", ERROR_NOT_FOUND, "gone");
    fake_api_fail(rig.api, "GET", MAPS, 403, "not you", 1);
    CHECK(!list(&rig, &err));
    CHECK_INT(err.code, ERROR_FORBIDDEN);
    CHECK_CONTAINS(err.message, "ConfigMaps ops/b-s: ");
    CHECK_CONTAINS(err.message, "not you");
    rig_release(&rig);
}

/* --- which counts --- */

static struct configmap_part
part(const char *generation, const char *cycle, const char *created, uint32_t index, uint32_t count)
{
    return (struct configmap_part){.name = generation,
                                   .generation = generation,
                                   .cycle = cycle,
                                   .created = created,
                                   .shard = second,
                                   .part = {index, count},
                                   .bytes = 1};
}

/* Of the cycle, then whole, then the latest; in whatever order they come. */
static void
test_choice(void)
{
    const struct configmap_part all[] = {
        part("a", "old", "2026-01-01T00:00:09Z", 1, 1),
        part("b", "now", "2026-01-01T00:00:01Z", 1, 1),
        part("c", "now", "2026-01-01T00:00:02Z", 2, 2),
        part("c", "now", "2026-01-01T00:00:02Z", 1, 2),
        part("d", "now", "2026-01-01T00:00:03Z", 2, 3),
        part("d", "now", "2026-01-01T00:00:03Z", 1, 3),
    };
    const size_t count = sizeof(all) / sizeof(all[0]);
    struct arena *arena = arena_new();

    for (size_t turn = 0; turn < count; turn++) {
        struct configmap_part parts[sizeof(all) / sizeof(all[0])];
        size_t n = 0;

        for (size_t i = 0; i < count; i++) {
            parts[i] = all[(i + turn) % count];
        }
        const struct configmap_generation *found =
            configmap_generations(arena, parts, count, "now", &n);

        CHECK_INT(n, 1);
        CHECK_STR(found->parts->generation, "c");
        CHECK(found->is_whole && found->is_wanted);
        found = configmap_generations(arena, parts, count, "", &n);
        CHECK_STR(found->parts->generation, "a");
        found = configmap_generations(arena, parts, count, "next", &n);
        CHECK_STR(found->parts->generation, "a");
        CHECK(!found->is_wanted);
    }
    arena_free(arena);
}

static void
test_prefixes(void)
{
    static const char *const bad[] = {"",    "-a",  "a-",
                                      "A",   "a.b", "a/b",
                                      "a_b", "a b", "01234567890123456789012345678901234567890"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_MSG(!configmap_prefix_is_fine(bad[i]), "\"%s\" is fine", bad[i]);
    }
    CHECK(configmap_prefix_is_fine("ballast-1"));
    CHECK(configmap_prefix_is_fine("0123456789012345678901234567890123456789"));
}

void suite_configmaps(void);
void
suite_configmaps(void)
{
    check_suite("configmaps");
    check_test("made, found, read", test_round_trip);
    check_test("in several parts", test_parts);
    check_test("too large", test_too_large);
    check_test("without an owner", test_no_owner);
    check_test("of another cycle", test_other_cycle);
    check_test("damaged", test_damaged);
    check_test("strangers", test_strangers);
    check_test("a server that fails", test_faults);
    check_test("which counts", test_choice);
    check_test("prefixes", test_prefixes);
}
