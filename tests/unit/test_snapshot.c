/* SPDX-License-Identifier: Apache-2.0
 *
 * A snapshot is read back as what it was taken of, and holds nothing else.
 */
#include "ballast/snapshot/snapshot.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ballast/base/timestamp.h"
#include "ballast/kinds/prune.h"
#include "check.h"
#include "sandbox.h"

#define SECRET "hunter2"

/* Takes a snapshot of the box's directory at box/NAME and reads that; false with box->err. */
static bool
take(struct sandbox *box, const char *source, const char *name, bool redact)
{
    char from[256], to[256];
    struct snapshot *snapshot = snapshot_begin(sandbox_path(box, name, to), redact, &box->err);
    struct fleet_directory *directory =
        fleet_directory_open(sandbox_path(box, source, from), &box->err);
    struct fleet *fleet = NULL;
    bool done = false;

    if (snapshot != NULL && CHECK_OK(directory != NULL, box->err)) {
        fleet_directory_tap(directory, snapshot_tap(snapshot));
        fleet = fleet_directory_read(directory, &box->err);
        done = fleet != NULL && snapshot_finish(snapshot, fleet, &box->err);
    }
    fleet_free(fleet);
    fleet_directory_close(directory);
    snapshot_free(snapshot);
    return done && sandbox_read_path(box, to);
}

static unsigned
count_entries(const char *path)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    unsigned count = 0;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        count += entry->d_name[0] == '.' ? 0 : 1;
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return count;
}

static int
mode_of(const struct sandbox *box, const char *name)
{
    char path[256];
    struct stat info;

    return stat(sandbox_path(box, name, path), &info) == 0 ? (int)(info.st_mode & 0777) : -1;
}

static void
test_files(void)
{
    struct sandbox box;
    char path[256];

    sandbox_init(&box);
    sandbox_put(&box, "f/control-plane/all.json", CLUSTER("m1") BINDING("web", "7"));
    sandbox_put(&box, "f/captured-at", "2026-01-01T00:00:00.5Z\n");
    sandbox_put(&box, "f/members/m1/pods.json",
                "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[]}");
    if (CHECK_OK(take(&box, "f", "s", false), box.err)) {
        CHECK(box.fleet->captured_at % NANOS_PER_SECOND == NANOS_PER_SECOND / 2);
        CHECK(box.fleet->members[0].has_pods);
        CHECK(!box.fleet->members[0].has_nodes && !box.fleet->members[0].has_deployments);
        CHECK_STR(box.fleet->bindings[0].resource_version, "7");
    }
    sandbox_check(&box, "s/members/m1/pods.json",
                  "{\"apiVersion\":\"v1\",\"kind\":\"PodList\",\"items\":[]}\n");
    sandbox_check(&box, "s/control-plane/clusters.json",
                  "{\"apiVersion\":\"v1\",\"kind\":\"ClusterList\",\"items\":[\n"
                  "{\"apiVersion\":\"cluster.karmada.io/v1alpha1\",\"kind\":\"Cluster\","
                  "\"metadata\":{\"name\":\"m1\"}}]}\n");
    CHECK_INT(mode_of(&box, "s"), 0700);
    CHECK_INT(mode_of(&box, "s/members/m1"), 0700);
    CHECK_INT(mode_of(&box, "s/members/m1/pods.json"), 0600);
    CHECK_INT(mode_of(&box, "s/captured-at"), 0600);
    CHECK_INT(count_entries(box.path), 2);
    CHECK(!take(&box, "f", "s", false));
    CHECK_CONTAINS(box.err.message, "the directory is not empty");
    mkdir(sandbox_path(&box, "empty", path), 0755);
    CHECK_OK(take(&box, "f", "empty", false), box.err);
    CHECK_INT(count_entries(box.path), 3);
    sandbox_release(&box);
}

/* What is not whole leaves nothing. */
static void
test_failures(void)
{
    struct sandbox box;

    sandbox_init(&box);
    sandbox_put(&box, "f/control-plane/all.json", BINDING("web", "7"));
    CHECK(!take(&box, "f", "s", false));
    CHECK_CONTAINS(box.err.message, "there is no Cluster");
    CHECK_INT(count_entries(box.path), 1);
    CHECK(!take(&box, "f", "no/such/place", false));
    sandbox_put(&box, "file", "x");
    CHECK(!take(&box, "f", "file", false));
    CHECK_INT(count_entries(box.path), 2);
    sandbox_release(&box);
}

/* Begins a snapshot of box/NAME in a process that ends without another word. */
static void
begin_and_die(const struct sandbox *box, const char *name)
{
    char path[256];
    pid_t child = fork();

    if (child == 0) {
        struct error err = ERROR_INIT;

        _exit(snapshot_begin(sandbox_path(box, name, path), false, &err) != NULL ? 0 : 1);
    }
    int status = 1;

    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

/* What a killed run left goes, what is under way and what only looks like it stays. */
static void
test_leftovers(void)
{
    static const char *const others[] = {"s.partial-", "s.partial-abc", "s.partial-abcdefg",
                                         "st.partial-abcdef", "s.partial-ab.def"};
    struct sandbox box;
    struct error err = ERROR_INIT;
    char path[256];

    sandbox_init(&box);
    sandbox_put(&box, "f/control-plane/all.json", CLUSTER("m1"));
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        mkdir(sandbox_path(&box, others[i], path), 0700);
    }
    begin_and_die(&box, "s");
    begin_and_die(&box, "other");
    CHECK_INT(count_entries(box.path), 1 + 5 + 2);
    struct snapshot *under_way = snapshot_begin(sandbox_path(&box, "s", path), false, &err);

    if (CHECK_OK(under_way != NULL, err)) {
        CHECK_INT(snapshot_leftovers(under_way), 1);
        CHECK_INT(count_entries(box.path), 1 + 5 + 2);
        if (CHECK_OK(take(&box, "f", "s", false), box.err)) {
            CHECK_INT(count_entries(box.path), 1 + 5 + 2 + 1);
        }
    }
    snapshot_free(under_way);
    CHECK_INT(count_entries(box.path), 1 + 5 + 1 + 1);
    sandbox_release(&box);
}

/* What an entry of spec.clusters has beside a name and replicas is written back by a run: so a run
 * on the snapshot writes it back, too. Nobody knows whether it tells a name. */
static void
test_unknown_of_targets(void)
{
    struct sandbox box;

    sandbox_init(&box);
    sandbox_put(
        &box, "f/control-plane/all.json",
        CLUSTER("m1") BINDING_HEAD
        "\"metadata\":{\"namespace\":\"shop\",\"name\":\"web\"},\"spec\":{\"resource\":{"
        "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"web\"},\"replicas\":2,"
        "\"clusters\":[{\"name\":\"m1\",\"replicas\":2,\"shard\":{\"of\":[\"" SECRET
        "\",1.5]}}]}}");
    if (CHECK_OK(take(&box, "f", "s", false), box.err) && CHECK(box.fleet->n_bindings == 1)) {
        CHECK_STR(binding_target_extra(&box.fleet->bindings[0], 0),
                  "{\"shard\":{\"of\":[\"" SECRET "\",1.5]}}");
    }
    if (CHECK_OK(take(&box, "f", "r", true), box.err) && CHECK(box.fleet->n_bindings == 1)) {
        CHECK(binding_target_extra(&box.fleet->bindings[0], 0) == NULL);
    }
    sandbox_release(&box);
}

/* The name of a member comes from outside: it must not lead out of the directory. */
static void
test_member_names(void)
{
    static const char *const names[] = {"../m1", "a/b", "..", ".hidden"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct sandbox box;
        char text[1024];

        sandbox_init(&box);
        snprintf(text, sizeof(text),
                 CLUSTER("m1") "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":"
                               "\"p\",\"annotations\":{"
                               "\"resource.karmada.io/cached-from-cluster\":\"%s\"}}}\n",
                 names[i]);
        sandbox_put(&box, "f/control-plane/all.json", text);
        CHECK(!take(&box, "f", "s", false));
        CHECK_CONTAINS(box.err.message, "a directory cannot have that name");
        CHECK_INT(count_entries(box.path), 1);
        sandbox_release(&box);
    }
}

/* A bad object stays bad, for the same reason. */
static void
test_bad_objects(void)
{
    struct sandbox box;

    sandbox_init(&box);
    sandbox_put(
        &box, "f/control-plane/all.json",
        CLUSTER("m1") BINDING("web", "7") BINDING("web", "8") BINDING_HEAD
        "\"metadata\":{\"namespace\":\"shop\",\"name\":\"bad\"},\"spec\":{\"resource\":{"
        "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":[1]},\"replicas\":\"" SECRET
        "\"}}\n");
    if (CHECK_OK(take(&box, "f", "s", false), box.err)) {
        CHECK_INT(box.fleet->n_bindings, 1);
        if (CHECK(box.fleet->n_problems == 2)) {
            CHECK_STR(box.fleet->problems[0].object, "ResourceBinding shop/bad");
            CHECK_STR(box.fleet->problems[0].message, "spec.resource.name: want string, got list");
            CHECK_STR(box.fleet->problems[1].object, "ResourceBinding shop/web");
            CHECK_STR(box.fleet->problems[1].message,
                      "duplicate: there is one of that name already");
        }
    }
    sandbox_release(&box);
}

static void
test_clock(void)
{
    struct sandbox box;

    sandbox_init(&box);
    sandbox_put(&box, "f/control-plane/all.json", CLUSTER("m1"));
    sandbox_put(&box, "f/members/m1/clock-offset", "-1m30s\n");
    sandbox_put(&box, "f/members/m1/pods.json",
                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\","
                "\"creationTimestamp\":\"2026-01-01T00:00:00Z\"}}");
    for (int redact = 0; redact < 2; redact++) {
        int64_t want;

        CHECK(timestamp_parse("2026-01-01T00:01:30Z", &want));
        if (CHECK_OK(take(&box, "f", redact ? "r" : "s", redact != 0), box.err)) {
            CHECK_INT(box.fleet->members[0].clock_offset, -90 * NANOS_PER_SECOND);
            CHECK_INT(box.fleet->members[0].pods[0].creation, want);
        }
    }
    sandbox_put(&box, "f/members/m1/clock-offset", "late");
    CHECK(!take(&box, "f", "bad", false));
    CHECK_CONTAINS(box.err.message, "want a duration such as -1m30s, got \"late\"");
    sandbox_release(&box);
}

/* What estimators answered is in the fleet without having been an object. */
static void
test_answers(void)
{
    struct stuck_answer stuck[] = {{"apps/v1", "Deployment", "shop", "web", 2}};
    struct room_answer room[] = {{NULL, "null", 7}};
    struct member member = {.name = "m1",
                            .estimator = estimator_answers_of(stuck, 1, NANOS_PER_MINUTE, room, 1)};
    static const char text[] = "{\"metadata\":{\"name\":\"m1\"}}";
    struct cluster cluster = {.name = "m1"};
    struct fleet fleet = {.clusters = &cluster, .n_clusters = 1, .members = &member};
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(text, strlen(text), 1, &err);

    for (int redact = 0; redact < 2 && CHECK_OK(document != NULL, err); redact++) {
        struct sandbox box;
        char path[256];

        sandbox_init(&box);
        struct snapshot *snapshot =
            snapshot_begin(sandbox_path(&box, "s", path), redact != 0, &err);

        if (CHECK_OK(snapshot != NULL, err)) {
            const struct fleet_tap *tap = snapshot_tap(snapshot);

            tap->begin(tap->context);
            tap->object(tap->context, &(struct fleet_object){document_root(document),
                                                             "cluster.karmada.io/v1alpha1",
                                                             "Cluster", "", ADD_TAKEN});
            CHECK_OK(snapshot_finish(snapshot, &fleet, &err), err);
        }
        snapshot_free(snapshot);
        if (CHECK_OK(sandbox_read_path(&box, path), box.err)) {
            const struct estimator_answers *got = &box.fleet->members[0].estimator;

            CHECK_INT(got->threshold, NANOS_PER_MINUTE);
            CHECK(got->n_stuck == 1 && got->stuck[0].replicas == 2);
            CHECK(got->n_room == 1 && got->room[0].replicas == 7);
        }
        sandbox_release(&box);
    }
    document_free(document);
}

/* --- as the readers tell it --- */

static struct fleet_object
object_of(const struct document *document, const char *api_version, const char *kind,
          const char *member)
{
    return (struct fleet_object){document_root(document), api_version, kind, member, ADD_TAKEN};
}

/* A list that began anew, a part that was not seen whole, a reading that began anew. */
static void
test_forgotten(void)
{
    static const char text[] = "{\"metadata\":{\"name\":\"m1\"}}";
    struct sandbox box;
    char path[256];
    struct error err = ERROR_INIT;

    sandbox_init(&box);
    struct snapshot *snapshot = snapshot_begin(sandbox_path(&box, "s", path), false, &err);
    struct document *document = document_parse_json(text, strlen(text), 1, &err);

    if (CHECK_OK(snapshot != NULL && document != NULL, err)) {
        const struct fleet_tap *tap = snapshot_tap(snapshot);
        struct fleet_object cluster =
            object_of(document, "cluster.karmada.io/v1alpha1", "Cluster", "");
        struct fleet_object pod = object_of(document, "v1", "Pod", "m1");
        struct fleet_object node = object_of(document, "v1", "Node", "m1");
        struct fleet fleet = {.captured_at = TIME_NONE};

        tap->begin(tap->context);
        tap->object(tap->context, &cluster);
        tap->begin(tap->context);
        tap->object(tap->context, &cluster);
        for (int i = 0; i < 2000; i++) { /* more than is kept in memory */
            tap->object(tap->context, &pod);
        }
        tap->saw(tap->context, "m1", MEMBER_PODS);
        tap->forget(tap->context, "m1", MEMBER_PODS);
        tap->object(tap->context, &node);
        tap->forget(tap->context, "m1", MEMBER_NODES);
        tap->object(tap->context, &node);
        CHECK_OK(snapshot_finish(snapshot, &fleet, &err), err);
        CHECK_INT(snapshot_objects(snapshot), 2);
    }
    document_free(document);
    snapshot_free(snapshot);
    if (CHECK(sandbox_read_path(&box, path))) {
        CHECK_INT(box.fleet->n_clusters, 1);
        CHECK(!box.fleet->members[0].has_pods);
        CHECK_INT(box.fleet->members[0].n_nodes, 1);
    }
    sandbox_release(&box);
}

/* More than is kept in memory, with long objects. */
static void
test_many(void)
{
    struct sandbox box;
    struct buf text;

    sandbox_init(&box);
    buf_init(&text, SIZE_MAX / 2);
    buf_append_str(&text, CLUSTER("m1"));
    for (int i = 0; i < 3000; i++) {
        buf_printf(
            &text,
            BINDING_HEAD
            "\"metadata\":{\"namespace\":\"shop\",\"name\":\"web-%d\"}," BINDING_SPEC("2") "\n",
            i);
    }
    sandbox_put(&box, "f/control-plane/all.json", buf_text(&text));
    for (int redact = 0; redact < 2; redact++) {
        if (CHECK_OK(take(&box, "f", redact ? "r" : "s", redact != 0), box.err)) {
            CHECK_INT(box.fleet->n_bindings, 3000);
            CHECK_INT(box.fleet->n_problems, 0);
        }
    }
    buf_release(&text);
    sandbox_release(&box);
}

void suite_snapshot(void);

void
suite_snapshot(void)
{
    check_suite("snapshot");
    check_test("files", test_files);
    check_test("failures", test_failures);
    check_test("what killed runs left", test_leftovers);
    check_test("unknown members of targets", test_unknown_of_targets);
    check_test("names of members", test_member_names);
    check_test("bad objects", test_bad_objects);
    check_test("clocks", test_clock);
    check_test("what was told and then not seen", test_forgotten);
    check_test("many objects", test_many);
    check_test("answers of estimators", test_answers);
}
