/* SPDX-License-Identifier: Apache-2.0
 *
 * Records: written and read again they are the same; what is wrong in one is said
 * with its place; as files they are never overwritten, and the oldest go first.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/record/record_store.h"
#include "check.h"
#include "temp_dir.h"

#define HEAD "{" HEAD_MEMBERS
#define HEAD_MEMBERS                                                                               \
    "\"apiVersion\":\"ballast.io/"                                                                 \
    "v1alpha1\",\"kind\":\"Record\",\"id\":\"a\",\"command\":\"run\","                             \
    "\"time\":\"2026-03-01T12:00:00Z\",\"written\":\"2026-03-01T12:00:01Z\","                      \
    "\"source\":{\"platform\":\"Karmada\"},\"items\":"
#define ITEM                                                                                       \
    "\"kind\":\"ResourceBinding\",\"name\":\"web\",\"replicas\":2,\"status\":\"Done\","            \
    "\"resource\":{}"

static const struct target before[] = {
    {"oslo", CLUSTER_NONE, 2},
    {"b\"er\nlin", CLUSTER_NONE, 0},
};
static const char *const extras_before[] = {"{\"future\":[1]}", NULL};
static const char *const extras_after[] = {NULL, "{}"};
static const struct target after[] = {{"paris", CLUSTER_NONE, 2}, {"", CLUSTER_NONE, 1}};
static const struct record_task tasks[] = {{"oslo", "ClusterUnhealthy"}, {"", "ClusterUnhealthy"}};
static const struct label annotations[] = {{"ballast.io/last-move", "{\"time\":\"x\"}"}};
static const struct record_reason reasons[] = {{"UnhealthyCluster", "oslo", "Ready is False"},
                                               {"EndsReady", "", "2 end"}};
static const struct record_reason down[] = {{"", "oslo", "Ready is False since 25m"}};
static const char *const undone[] = {"20260301T110000Z-0123456789abcdef"};

static struct record_item
sample_item(void)
{
    return (struct record_item){
        .kind = BINDING_RESOURCE,
        .namespace_ = "shop",
        .name = "web",
        .uid = "u-1",
        .resource = {.api_version = "apps/v1", .kind = "Deployment", .name = "web"},
        .replicas = 2,
        .action = "Move",
        .status = "Done",
        .message = "",
        .version_before = "7",
        .version_after = "8",
        .before = {.items = before, .count = 2},
        .after = {.items = after, .count = 2},
        .extras_before = extras_before,
        .extras_after = extras_after,
        .tasks = tasks,
        .n_tasks = 2,
        .annotations = annotations,
        .n_annotations = 1,
        .reasons = reasons,
        .n_reasons = 2,
    };
}

static struct record
sample(const struct record_item *item)
{
    return (struct record){
        .id = "20260301T120000Z-0123456789abcdef",
        .command = "undo",
        .version = "0.1.0",
        .time = INT64_C(1772366400) * 1000000000,
        .written = INT64_C(1772366401) * 1000000000,
        .platform = "Karmada",
        .server = "https://plane:5443",
        .context = "karmada",
        .user = "ops",
        .path = "",
        .host = "pod-1",
        .configuration = "/etc/ballast/ballast.yaml",
        .down = down,
        .n_down = 1,
        .replicas = {true, 270, 58, 2},
        .stood_in = true,
        .undoes = {.items = undone, .count = 1},
        .items = item,
        .n_items = 1,
    };
}

static void
encode(const struct record *record, struct buf *out)
{
    buf_init(out, RECORD_BYTES_MAX);
    record_encode(record, out);
}

/* All that was written is read, so that writing it again gives the same text. */
static void
test_round_trip(void)
{
    const struct record_item item = sample_item();
    const struct record record = sample(&item);
    struct arena *arena = arena_new();
    struct error err = ERROR_INIT;
    struct buf first, second;

    encode(&record, &first);
    const struct record *read = record_decode(arena, buf_text(&first), first.length, &err);

    if (CHECK_OK(read != NULL, err)) {
        encode(read, &second);
        CHECK_STR(buf_text(&second), buf_text(&first));
        CHECK_INT(read->items[0].before.items[0].cluster, CLUSTER_NONE);
        CHECK_STR(read->items[0].extras_before[0], "{\"future\":[1]}");
        CHECK(read->items[0].extras_before[1] == NULL && read->items[0].extras_after[0] == NULL);
        CHECK_STR(read->items[0].extras_after[1], "{}");
        CHECK(read->stood_in);
        CHECK_INT(read->replicas.wanted, 270);
        buf_release(&second);
    }
    buf_release(&first);
    arena_free(arena);
}

static void
test_errors(void)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"", "1:1: unexpected token"},
        {"[]", "it is no record"},
        {"{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}", "and kind Record, got v1 Pod"},
        {"{\"apiVersion\":\"ballast.io/v1alpha1\",\"kind\":\"Record\"}", "id: required"},
        {"{\"stoodIn\":1," HEAD_MEMBERS "[]}", "stoodIn: want boolean, got integer"},
        {"{\"replicas\":{\"wanted\":1,\"down\":-1,\"homeless\":0}," HEAD_MEMBERS "[]}",
         "replicas.down: want 0 to"},
        {"{\"replicas\":{\"wanted\":1}," HEAD_MEMBERS "[]}", "replicas.down: required"},
        {HEAD "7}", "items: want list, got integer"},
        {HEAD "[7]}", "items[0]: want object, got integer"},
        {HEAD "[{" ITEM ",\"before\":[]}]}", "items[0].after: required"},
        {"{\"apiVersion\":\"ballast.io/v1alpha1\",\"kind\":\"Record\",\"id\":\"\"}",
         "id: must not be empty"},
        {HEAD "[{" ITEM ",\"before\":[{\"replicas\":1}],\"after\":[]}]}",
         "items[0].before[0].name: required"},
        {HEAD "[{" ITEM ",\"before\":[{\"name\":\"a\",\"replicas\":-1}],\"after\":[]}]}",
         "items[0].before[0].replicas: want 0 to 2147483647, got -1"},
        {HEAD "[{" ITEM
              ",\"before\":[{\"name\":\"a\",\"replicas\":1,\"extra\":[]}],\"after\":[]}]}",
         "items[0].before[0].extra: want object, got list"},
        {HEAD "[{" ITEM ",\"before\":[],\"after\":[],\"annotations\":{\"a\":1}}]}",
         "items[0].annotations.a: want string, got integer"},
        {HEAD "[{" ITEM ",\"before\":[],\"after\":[],\"evictionTasks\":[{}]}]}",
         "items[0].evictionTasks[0].fromCluster: required"},
        {HEAD "[{\"kind\":\"Pod\",\"name\":\"web\",\"replicas\":2,\"status\":\"Done\"}]}",
         "items[0].kind: \"Pod\" is no kind of binding"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct arena *arena = arena_new();
        struct error err = ERROR_INIT;

        CHECK(record_decode(arena, rows[i].text, strlen(rows[i].text), &err) == NULL);
        CHECK_CONTAINS(err.message, rows[i].error);
        arena_free(arena);
    }
}

/* What a newer program adds is no error for an older one. */
static void
test_unknown_members(void)
{
    static const char text[] =
        HEAD "[{" ITEM ",\"before\":[],\"after\":[],\"later\":{\"x\":1}}],\"more\":true}";
    struct arena *arena = arena_new();
    struct error err = ERROR_INIT;
    const struct record *record = record_decode(arena, text, strlen(text), &err);

    if (CHECK_OK(record != NULL, err)) {
        CHECK_INT(record->n_items, 1);
        CHECK_STR(record->path, "");
        CHECK_STR(record->items[0].uid, "");
    }
    arena_free(arena);
}

/* --- as files --- */

static void
test_store(void)
{
    const struct record_item item = sample_item();
    struct record record = sample(&item);
    struct arena *arena = arena_new();
    struct error err = ERROR_INIT;
    struct temp_dir root = temp_dir_make();
    const char *directory = temp_path(&root, "records");
    const struct record_store store = record_directory(directory);
    const char *path = store.name(store.context, arena, record.id);
    mode_t before_all = umask(022);
    struct stat info;
    struct str_list all;

    CHECK(!store.list(store.context, arena, &all, &err));
    CHECK(record_latest(&store, arena, &err) == NULL);
    CHECK_OK(store.create(store.context, &record, &err), err);
    CHECK(!store.create(store.context, &record, &err));
    CHECK_INT(err.code, ERROR_CONFLICT);
    CHECK_INT(stat(path, &info), 0);
    CHECK_INT(info.st_mode & 07777, 0640);
    CHECK_INT(stat(directory, &info), 0);
    CHECK_INT(info.st_mode & 07777, 0750);
    record.command = "run";
    CHECK_OK(store.replace(store.context, &record, &err), err);
    const struct record *read = store.read(store.context, arena, record.id, &err);

    if (CHECK_OK(read != NULL, err)) {
        CHECK_STR(read->command, "run");
    }
    CHECK_STR(record_latest(&store, arena, &err), record.id);
    umask(before_all);
    if (CHECK_OK(store.list(store.context, arena, &all, &err), err) && CHECK_INT(all.count, 1)) {
        CHECK_STR(all.items[0], record.id);
    }
    temp_dir_remove(&root);
    arena_free(arena);
}

static void
test_prune(void)
{
    const struct record_item item = sample_item();
    struct record record = sample(&item);
    struct arena *arena = arena_new();
    struct error err = ERROR_INIT;
    struct temp_dir root = temp_dir_make();
    const struct record_store store = record_directory(root.path);
    struct str_list all;

    for (int day = 1; day <= 5; day++) {
        record.id = arena_printf(arena, "2026030%dT120000Z-0123456789abcdef", day);
        CHECK_OK(store.create(store.context, &record, &err), err);
    }
    temp_write(&root, "notes.json", "mine", 0600);
    CHECK_INT(store.prune(store.context, 0), 0);
    CHECK_INT(store.prune(store.context, 2), 3);
    CHECK_INT(store.prune(store.context, 2), 0);
    CHECK_INT(access(store.name(store.context, arena, "notes"), F_OK), 0);
    if (CHECK_OK(store.list(store.context, arena, &all, &err), err) && CHECK_INT(all.count, 2)) {
        CHECK_CONTAINS(all.items[0], "20260304T"); /* the oldest first, and no notes */
        CHECK_CONTAINS(all.items[1], "20260305T");
    }
    temp_dir_remove(&root);
    arena_free(arena);
}

static uint32_t
fixed_random(void *context)
{
    (void)context;
    return 0xabcu;
}

static int64_t
fixed_wall(void *context)
{
    (void)context;
    return INT64_C(1772366400) * 1000000000 + 255;
}

static void
test_id(void)
{
    const struct clock clock = {.wall = fixed_wall, .random = fixed_random};
    struct arena *arena = arena_new();

    CHECK_STR(record_id_new(arena, &clock), "20260301T120000Z-000000ff00000abc");
    CHECK_INT(record_id_time("20260301T120000Z-000000ff00000abc"),
              INT64_C(1772366400) * 1000000000);
    CHECK_INT(record_id_time("20260301T120000Z"), TIME_NONE);
    arena_free(arena);
}

void suite_record(void);

void
suite_record(void)
{
    check_suite("record");
    check_test("round trip", test_round_trip);
    check_test("errors", test_errors);
    check_test("unknown members", test_unknown_members);
    check_test("store", test_store);
    check_test("prune", test_prune);
    check_test("id", test_id);
}
