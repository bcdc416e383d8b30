/* SPDX-License-Identifier: Apache-2.0
 *
 * Records in a ring of ConfigMaps: stored twice, found, in several parts; the
 * oldest leave first; other writers, damage, and a server that refuses.
 */
#include "ballast/configmaps/record_ring.h"

#include <stdlib.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "fake_api.h"

#define MAPS "/api/v1/namespaces/ops/configmaps"
#define FIRST_ID "20260301T120000Z-0000000000000001"

struct ring_rig {
    struct fake_api *api;
    struct kube_config config;
    struct arena *arena;
    struct record_ring_options options;
    struct record_ring *ring;
    struct record_store store;
    struct error err; /* of the last read */
};

static int64_t
march(void *context)
{
    int64_t nanos = 0;

    (void)context;
    timestamp_parse("2026-03-31T00:00:00Z", &nanos);
    return nanos;
}

/* Another process: it knows only what the server has. */
static void
reopen(struct ring_rig *rig)
{
    record_ring_free(rig->ring);
    rig->ring = record_ring_new(&rig->options);
    rig->store = record_ring_store(rig->ring);
}

static void
rig_init(struct ring_rig *rig)
{
    *rig = (struct ring_rig){.api = fake_api_start(), .arena = arena_new()};
    fake_api_serve(rig->api, MAPS, "v1", "ConfigMap");
    rig->config = (struct kube_config){.server = (char *)(uintptr_t)fake_api_url(rig->api)};
    rig->options = (struct record_ring_options){
        .config = &rig->config,
        .client = fake_api_client_options(),
        .namespace_ = "ops",
        .prefix = "b-r",
    };
    rig->options.client.clock.wall = march;
    reopen(rig);
}

static void
rig_release(struct ring_rig *rig)
{
    record_ring_free(rig->ring);
    arena_free(rig->arena);
    fake_api_stop(rig->api);
}

/* A record of `count` writes, each with a message of `bytes` that hardly compresses. */
static const struct record *
make_record(struct ring_rig *rig, const char *id, const char *status, uint32_t count, size_t bytes)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    struct record_item *items = ARENA_ARRAY(rig->arena, struct record_item, count);
    struct record *record = ARENA_NEW(rig->arena, struct record);
    uint64_t state = 88172645463325252ULL;

    for (uint32_t i = 0; i < count; i++) {
        char *message = arena_calloc(rig->arena, bytes + 1, 1);

        for (size_t k = 0; k < bytes; k++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            message[k] = letters[state % 64];
        }
        items[i] = (struct record_item){
            .kind = BINDING_RESOURCE,
            .namespace_ = "shop",
            .name = "web",
            .uid = "",
            .resource = {.api_version = "apps/v1", .kind = "Deployment", .name = "web"},
            .action = "Move",
            .status = status,
            .message = message,
            .version_before = "",
            .version_after = ""};
    }
    *record = (struct record){.id = id,
                              .command = "run",
                              .version = "1",
                              .platform = "Karmada",
                              .server = "https://plane",
                              .context = "",
                              .user = "",
                              .path = "",
                              .host = "",
                              .configuration = "",
                              .items = items,
                              .n_items = count};
    return record;
}

static const char *
id_of(struct ring_rig *rig, unsigned day)
{
    return arena_printf(rig->arena, "202603%02uT120000Z-0000000000000001", day);
}

static bool
create(struct ring_rig *rig, const struct record *record, struct error *err)
{
    return rig->store.create(rig->store.context, record, err);
}

/* Stores a record twice, as a run does, from a process of its own. */
static void
put(struct ring_rig *rig, const char *id, uint32_t count, size_t bytes)
{
    struct error err = ERROR_INIT;

    reopen(rig);
    CHECK_OK(create(rig, make_record(rig, id, "Pending", count, bytes), &err), err);
    CHECK_OK(
        rig->store.replace(rig->store.context, make_record(rig, id, "Done", count, bytes), &err),
        err);
    rig->store.prune(rig->store.context, 0);
}

static const struct record *
read_back(struct ring_rig *rig, const char *id)
{
    reopen(rig);
    rig->err = (struct error)ERROR_INIT;
    const struct record *record = rig->store.read(rig->store.context, rig->arena, id, &rig->err);

    CHECK_OK(record != NULL, rig->err);
    return record;
}

static uint32_t
count_records(struct ring_rig *rig, const char **ret_first)
{
    struct error err = ERROR_INIT;
    struct str_list ids;

    reopen(rig);
    CHECK_OK(rig->store.list(rig->store.context, rig->arena, &ids, &err), err);
    *ret_first = ids.count > 0 ? ids.items[0] : "";
    return ids.count;
}

static void
test_round_trip(void)
{
    struct ring_rig rig;
    struct error err = ERROR_INIT;
    const char *first;

    rig_init(&rig);
    CHECK_INT(count_records(&rig, &first), 0); /* there is no ConfigMap yet */
    CHECK(record_latest(&rig.store, rig.arena, &err) == NULL);
    CHECK_INT(err.code, ERROR_NOT_FOUND);
    CHECK_OK(create(&rig, make_record(&rig, FIRST_ID, "Pending", 1, 10), &err), err);
    CHECK_CONTAINS(fake_api_body(rig.api, "POST", MAPS, 0), "\"" FIRST_ID ".pending.1-of-1\":\"");
    CHECK_STR(read_back(&rig, FIRST_ID)->items[0].status, "Pending"); /* of a run that was killed */
    CHECK_OK(rig.store.replace(rig.store.context, make_record(&rig, FIRST_ID, "Done", 1, 10), &err),
             err);
    CHECK_STR(read_back(&rig, FIRST_ID)->items[0].status, "Done");
    CHECK_INT(count_records(&rig, &first), 1);
    CHECK_STR(first, FIRST_ID);
    CHECK(strstr(fake_api_get(rig.api, MAPS "/b-r-0"), "pending") == NULL);
    CHECK_STR(fake_api_get(rig.api, MAPS "/b-r-1"), "");
    CHECK(!create(&rig, make_record(&rig, FIRST_ID, "Pending", 1, 10), &err));
    CHECK_INT(err.code, ERROR_CONFLICT);
    rig_release(&rig);
}

/* Each record leaves room for no other one in its ConfigMap, so the ninth takes the place of the
 * first. */
static void
test_ring(void)
{
    struct ring_rig rig;
    const char *first;

    rig_init(&rig);
    for (unsigned day = 1; day <= RECORD_RING_MAPS + 1; day++) {
        put(&rig, id_of(&rig, day), 200, 3000);
    }
    CHECK_INT(count_records(&rig, &first), RECORD_RING_MAPS);
    CHECK_STR(first, id_of(&rig, 2));
    put(&rig, id_of(&rig, 20), 1, 10); /* a small one fits beside the latest */
    CHECK_INT(count_records(&rig, &first), RECORD_RING_MAPS + 1);
    rig_release(&rig);
}

static void
test_parts(void)
{
    struct ring_rig rig;
    struct error err = ERROR_INIT;
    const char *first;

    rig_init(&rig);
    put(&rig, id_of(&rig, 1), 1, 10);
    put(&rig, id_of(&rig, 2), 600, 4000); /* 1.8 MB in three parts */
    CHECK_INT(read_back(&rig, id_of(&rig, 2))->n_items, 600);
    CHECK_STR(read_back(&rig, id_of(&rig, 2))->items[599].status, "Done");
    CHECK_INT(count_records(&rig, &first), 2); /* the first one had its place elsewhere */
    put(&rig, id_of(&rig, 3), 1, 10);          /* takes nothing from the large one */
    CHECK_INT(read_back(&rig, id_of(&rig, 2))->n_items, 600);
    CHECK(!create(&rig, make_record(&rig, id_of(&rig, 4), "Pending", 3000, 4000), &err));
    CHECK_INT(err.code, ERROR_LIMIT);
    CHECK_CONTAINS(err.message, "--max-bindings");
    rig_release(&rig);
}

/* A writer that was faster loses nothing, nor do we. */
static void
test_other_writer(void)
{
    struct ring_rig rig;
    struct error err = ERROR_INIT;
    const char *first;

    rig_init(&rig);
    put(&rig, id_of(&rig, 1), 1, 10);
    reopen(&rig);
    fake_api_interfere(rig.api, "PATCH", MAPS "/b-r-0", MAPS "/b-r-0",
                       "{\"data\":{\"theirs\":\"kept\"}}");
    CHECK_OK(create(&rig, make_record(&rig, id_of(&rig, 2), "Pending", 1, 10), &err), err);
    CHECK_INT(count_records(&rig, &first), 2);
    CHECK_CONTAINS(fake_api_get(rig.api, MAPS "/b-r-0"), "\"theirs\":\"kept\"");
    rig_release(&rig);
}

static void
test_prune(void)
{
    struct ring_rig rig;
    const char *first;

    rig_init(&rig);
    put(&rig, "20260101T120000Z-0000000000000001", 1, 10); /* too old, and removed at once */
    CHECK_INT(count_records(&rig, &first), 0);
    for (unsigned day = 1; day <= 5; day++) {
        put(&rig, id_of(&rig, day), 1, 10);
    }
    CHECK_INT(rig.store.prune(rig.store.context, 0), 0);
    CHECK_INT(rig.store.prune(rig.store.context, 2), 3);
    CHECK_INT(count_records(&rig, &first), 2);
    CHECK_STR(first, id_of(&rig, 4));
    rig_release(&rig);
}

static void
test_faults(void)
{
    struct ring_rig rig;
    struct error err = ERROR_INIT;
    struct str_list ids;
    const char *first;

    rig_init(&rig);
    fake_api_put(
        rig.api, MAPS, MAPS "/b-r-3",
        "{\"metadata\":{\"name\":\"b-r-3\"},\"data\":{\"a\":\"b\"},\"binaryData\":{"
        "\"" FIRST_ID ".done.1-of-1\":\"bm90IGd6aXA=\",\"" FIRST_ID ".done.1-of-9999\":\"\","
        "\"20260302T120000Z-0000000000000001.done.2-of-2\":\"bm90\",\"x.done.1-of-1\":\"\"}}");
    CHECK_INT(count_records(&rig, &first), 1); /* not the torn one */
    CHECK(rig.store.read(rig.store.context, rig.arena, FIRST_ID, &err) == NULL);
    CHECK_INT(err.code, ERROR_PARSE);
    CHECK_CONTAINS(err.message, "record " FIRST_ID " in ConfigMaps ops/b-r-0 to 7: it is torn");
    reopen(&rig);
    fake_api_fail(rig.api, "GET", MAPS "/b-r-2", 403, "no", 99);
    CHECK(!rig.store.list(rig.store.context, rig.arena, &ids, &err));
    CHECK_INT(err.code, ERROR_FORBIDDEN);
    CHECK_CONTAINS(err.message, "ConfigMap ops/b-r-2: ");
    rig_release(&rig);
}

void suite_record_ring(void);

void
suite_record_ring(void)
{
    check_suite("record_ring");
    check_test("round trip", test_round_trip);
    check_test("the oldest leave first", test_ring);
    check_test("several parts", test_parts);
    check_test("another writer", test_other_writer);
    check_test("prune", test_prune);
    check_test("faults", test_faults);
}
