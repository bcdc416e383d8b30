/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a fleet directory: what is read from which layout, and what is said
 * of bad input.
 */
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../finders.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "directory/fleet_files.h"
#include "sandbox.h"

static void
test_layout(void)
{
    struct sandbox box;

    sandbox_init(&box);
    sandbox_put(&box, "captured-at", "2026-01-02T03:04:05Z\n");
    sandbox_put(&box, "control-plane/clusters.yaml",
                "apiVersion: v1\nkind: List\nitems:\n- apiVersion: cluster.karmada.io/v1alpha1\n"
                "  kind: Cluster\n  metadata: {name: m2}\n---\n"
                "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\n"
                "metadata: {name: m1}\n");
    sandbox_put(&box, "control-plane/rb.json",
                "{\"apiVersion\":\"v1\",\"items\":[" BINDING("b", "7") "," BINDING(
                    "a", "6") "],\"kind\":\"List\"}" BINDING("c", "x9"));
    sandbox_put(&box, "control-plane/notes.txt", "not read");
    sandbox_put(&box, "control-plane/.hidden.json", "not read");
    sandbox_put(&box, "members/m1/pods.json", "{\"kind\":\"List\",\"items\":[]}");
    sandbox_put(&box, "members/m1/whatever.yml", "kind: NodeList\napiVersion: v1\nitems: []\n");
    sandbox_put(&box, "members/m2/pods.json",
                "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[{\"metadata\":"
                "{\"namespace\":\"shop\",\"name\":\"p\"}}]}");
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        const struct fleet *fleet = box.fleet;

        CHECK_INT(fleet->captured_at, INT64_C(1767323045) * NANOS_PER_SECOND);
        CHECK_INT(fleet->n_problems, 0);
        if (CHECK(fleet->n_clusters == 2)) {
            CHECK_STR(fleet->clusters[0].name, "m1");
            CHECK(fleet->members[0].has_pods && fleet->members[0].n_pods == 0);
            CHECK(fleet->members[0].has_nodes);
            CHECK(!fleet->members[0].has_replica_sets && !fleet->members[0].has_deployments);
            CHECK(fleet->members[1].has_pods && fleet->members[1].n_pods == 1);
            CHECK(!fleet->members[1].has_nodes);
        }
        CHECK_INT(fleet->n_bindings, 3);
        const struct binding *b = fleet_find_binding(fleet, BINDING_RESOURCE, "shop", "b");

        if (CHECK(b != NULL) && b != NULL) {
            CHECK_STR(b->resource_version, "7");
        }
    }
    sandbox_release(&box);
}

/* A fleet of one member in which `name` is a FIFO without a writer cannot be read. */
static void
open_with_fifo(struct sandbox *box, const char *name, char path[256], const char *message)
{
    sandbox_init(box);
    sandbox_put(box, "control-plane/all.json", CLUSTER("m1"));
    sandbox_put(box, "members/m1/nodes.json", "");
    CHECK(mkfifo(sandbox_path(box, name, path), 0600) == 0);
    CHECK(!sandbox_read(box));
    CHECK_CONTAINS(box->err.message, name);
    CHECK_CONTAINS(box->err.message, message);
}

static void
test_pipe_without_writer(void)
{
    static const char *const names[] = {"control-plane/x.json", "members/m1/pods.yaml.gz"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct sandbox box;
        char path[256];

        open_with_fifo(&box, names[i], path, ": this is a pipe into which nobody writes");
        sandbox_release(&box);
    }
}

static void
test_settings_are_regular_files(void)
{
    static const char *const names[] = {"captured-at", "members/m1/clock-offset",
                                        "members/m1/not-seen"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct sandbox box;
        char path[256];

        open_with_fifo(&box, names[i], path, ": this is no regular file");
        CHECK(remove(path) == 0 && symlink("/dev/zero", path) == 0);
        CHECK(!sandbox_read(&box));
        CHECK_CONTAINS(box.err.message, ": this is no regular file");
        sandbox_release(&box);
    }
}

/* Upstream's ConvertBindingSpecToHub: the count and the requests stand in spec.resource. */
static void
test_binding_v1alpha1(void)
{
    struct sandbox box;

    sandbox_init(&box);
    sandbox_put(&box, "control-plane/all.json",
                CLUSTER("m1") "{\"apiVersion\":\"work.karmada.io/v1alpha1\",\"kind\":"
                              "\"ResourceBindingList\",\"items\":[{\"metadata\":{\"namespace\":"
                              "\"shop\",\"name\":\"old\"},\"spec\":{\"resource\":{\"apiVersion\":"
                              "\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"web\",\"replicas\":5,"
                              "\"replicaResourceRequirements\":{\"cpu\":\"250m\"}},\"clusters\":"
                              "[{\"name\":\"m1\",\"replicas\":5}]}}]}");
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        const struct binding *old = fleet_find_binding(box.fleet, BINDING_RESOURCE, "shop", "old");

        CHECK_INT(box.fleet->n_problems, 0);
        if (CHECK(old != NULL) && old != NULL) {
            CHECK_INT(old->replicas, 5);
            CHECK_INT(old->clusters.items[0].replicas, 5);
            CHECK(old->requirements->request.count == 1);
            CHECK_STR(old->requirements->request.items[0].name, "cpu");
        }
    }
    sandbox_release(&box);
}

static void
test_single_file(void)
{
    struct sandbox box;
    char path[256];

    sandbox_init(&box);
    sandbox_put(&box, "fleet", "\n" CLUSTER("m1") BINDING("a", "6"));
    CHECK_OK(sandbox_read_path(&box, sandbox_path(&box, "fleet", path)), box.err);
    CHECK(box.fleet != NULL && box.fleet->n_bindings == 1);
    CHECK(box.fleet != NULL && box.fleet->captured_at == TIME_NONE);
    sandbox_put(&box, "fleet",
                "# yaml\nkind: Cluster\napiVersion: cluster.karmada.io/v1alpha1\n"
                "metadata: {name: m1}\n");
    CHECK_OK(sandbox_read_path(&box, sandbox_path(&box, "fleet", path)), box.err);
    CHECK(box.fleet != NULL && box.fleet->n_clusters == 1);
    sandbox_release(&box);
}

static void
check_error(const char *file, const char *text, const char *want)
{
    struct sandbox box;

    sandbox_init(&box);
    sandbox_put(&box, "control-plane/a.json", CLUSTER("m1"));
    sandbox_put(&box, file, text);
    CHECK_MSG(!sandbox_read(&box), "%s: %s was read", file, text);
    CHECK_CONTAINS(box.err.message, want);
    sandbox_release(&box);
}

static void
test_errors(void)
{
    struct sandbox box;
    char path[256];

    check_error("control-plane/b.json", "{}\n{\"kind\": \"Pod\",\n",
                "control-plane/b.json:3:1: the text ends within the object that begins in line 2");
    check_error("control-plane/b.json", "a: 1\n",
                "control-plane/b.json:1:1: want an object, got 'a'");
    check_error("control-plane/b.yaml", "a: 1\nb: [\n", "control-plane/b.yaml:3:1: ");
    check_error("members/m1/pods.json", "[", "members/m1/pods.json:1:1: want an object, got '['");
    check_error("members/m1/pods.json", "\n Error from \033[31mserver \"x\"\nmore",
                "members/m1/pods.json:2:2: want an object, got 'E': the file begins with \"Error "
                "from \\u001B[31mserver \\\"x\\\"\": that is no output of kubectl get -o json");
    check_error(
        "control-plane/b.json",
        "{\"kind\":\"List\",\"items\":[\n{\"kind\":\"List\",\"items\":[" CLUSTER("m2") "]}]}",
        "control-plane/b.json:2: a List within a list: save each list");
    check_error("control-plane/b.yaml", "kind: List\nitems:\n- kind: ClusterList\n  items: []\n",
                "control-plane/b.yaml:3: a ClusterList within a list: save each list");
    check_error("captured-at", "yesterday\n", "captured-at: want RFC 3339 time, got \"yesterday\"");
    check_error("control-plane/b.json", CLUSTER("m2\\ud800"), "control-plane/b.json:1:");
    check_error("control-plane/b.json",
                "{\"apiVersion\":\"cluster.karmada.io/v1alpha1\",\"kind\":\"Cluster\","
                "\"metadata\":{\"name\":\"m2\"},\"spec\":{\"taints\":3}}",
                "control-plane/b.json:1: Cluster m2: spec.taints: want list, got integer");
    /* what may have been a Cluster is not passed over */
    check_error("control-plane/b.json", "{\"a\":tru}", "control-plane/b.json:1:8: invalid token");

    sandbox_init(&box);
    CHECK(!sandbox_read(&box));
    CHECK_CONTAINS(box.err.message, "the directory is empty; want control-plane/*.{json,yaml,yml}");
    sandbox_put(&box, "other/x.json", "{}");
    CHECK(!sandbox_read(&box));
    CHECK_CONTAINS(box.err.message, "there is no control-plane/ in it; want control-plane/");
    sandbox_put(&box, "control-plane/x.txt", "");
    CHECK(!sandbox_read(&box));
    CHECK_CONTAINS(box.err.message, "no file in it ends in .json, .yaml, .yml");
    sandbox_put(&box, "control-plane/x.json", BINDING("a", "1"));
    CHECK(!sandbox_read(&box));
    CHECK_CONTAINS(box.err.message, "there is no Cluster");
    CHECK(!sandbox_read_path(&box, sandbox_path(&box, "nowhere", path)));
    CHECK_CONTAINS(box.err.message, "nowhere: no such file or directory; want a fleet directory");
    CHECK(symlink("nowhere", sandbox_path(&box, "control-plane/y.json", path)) == 0);
    CHECK(!sandbox_read(&box));
    CHECK_CONTAINS(box.err.message, "control-plane/y.json: No such file or directory");
    sandbox_release(&box);
}

/* Makes a directory in the last one, and another in that, until the path is as long. */
static void
go_down(char *path, size_t length)
{
    size_t at = strlen(path);

    while (at < length) {
        size_t name = length - at - 1 < 200 ? length - at - 1 : 100;

        path[at] = '/';
        memset(path + at + 1, 'd', name);
        at += name + 1;
        path[at] = '\0';
        CHECK(mkdir(path, 0755) == 0);
    }
}

static void
put(const char *directory, const char *name, const char *text)
{
    char path[PATH_MAX + 64];

    snprintf(path, sizeof(path), "%s/%s", directory, name);
    for (char *slash = path + strlen(directory) + 1; (slash = strchr(slash, '/')) != NULL;) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash++ = '/';
    }
    FILE *file = fopen(path, "w");

    if (CHECK(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
}

/* What has too long a path for the system is not read as what is not there. */
static void
test_long_path(void)
{
    struct sandbox box;
    char path[PATH_MAX];

    sandbox_init(&box);
    snprintf(path, sizeof(path), "%s", box.path);
    go_down(path, sizeof(path) - sizeof("/members/m1/nodes.json"));
    put(path, "control-plane/a.json", CLUSTER("m1"));
    CHECK_OK(sandbox_read_path(&box, path), box.err);
    put(path, "members/m1/nodes.json", "{}");
    CHECK(!sandbox_read_path(&box, path));
    CHECK_CONTAINS(box.err.message, "...: File name too long");
    sandbox_release(&box);
}

/* One bad binding is left out and said; the others are read. */
static void
test_problems(void)
{
    struct sandbox box;

    sandbox_init(&box);
    sandbox_put(
        &box, "control-plane/a.json",
        CLUSTER("m1") "{\"items\":[" BINDING(
            "a", "1") ",\n" BINDING_HEAD
                      "\"metadata\":{\"namespace\":\"shop\",\"name\":\"bad\"}," BINDING_SPEC(
                          "\"three\"") ",\n" BINDING_HEAD
                                       "\"metadata\":{\"name\":\"\xff\"}},\n" BINDING("b",
                                                                                      "2") "]}");
    sandbox_put(&box, "control-plane/b.yaml",
                "---\n\n" BINDING("a", "5") "\n---\n" BINDING("c", "5") "\n");
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        CHECK_INT(box.fleet->n_bindings, 3);
        if (CHECK(box.fleet->n_problems == 3)) {
            CHECK_STR(box.fleet->problems[0].object,
                      "control-plane/a.json:3: ResourceBinding shop/bad");
            CHECK_STR(box.fleet->problems[0].message, "spec.replicas: want integer, got string");
            CHECK_CONTAINS(box.fleet->problems[1].object, "control-plane/a.json:4:");
            CHECK_CONTAINS(box.fleet->problems[1].message, "unable to decode byte 0xff");
            CHECK_STR(box.fleet->problems[2].object,
                      "control-plane/b.yaml:3: ResourceBinding shop/a");
            CHECK_CONTAINS(box.fleet->problems[2].message, "control-plane/a.json:2");
        }
    }
    sandbox_release(&box);
}

/* As a stream may that never ends, all of it between two objects. */
static void
test_too_long(void)
{
    static char text[1 << 20];
    char path[256];
    struct sandbox box;

    sandbox_init(&box);
    snprintf(text, sizeof(text), "%s%*s", CLUSTER("m1"),
             (int)(sizeof(text) - sizeof(CLUSTER("m1"))), "");
    sandbox_put(&box, "fleet.json", text);
    struct fleet_directory *directory =
        fleet_directory_open(sandbox_path(&box, "fleet.json", path), &box.err);

    if (CHECK_OK(directory != NULL, box.err) && directory != NULL) {
        struct fleet *fleet = fleet_directory_read(directory, &box.err);

        CHECK_OK(fleet != NULL, box.err);
        fleet_free(fleet);
        directory->maximum = sizeof(text) - 2;
        fleet = fleet_directory_read(directory, &box.err);
        CHECK(fleet == NULL);
        CHECK_INT(box.err.code, ERROR_LIMIT);
        CHECK_CONTAINS(box.err.message, "fleet.json: longer than 1048574 bytes");
        fleet_free(fleet);
    }
    fleet_directory_close(directory);
    sandbox_release(&box);
}

/* What was told last, of each file, and of how many bytes. */
struct watch {
    char json[256], yaml[256];
    int told, ended;
};

static void
note_told(void *context, const char *what, uint64_t done, uint64_t total)
{
    struct watch *watch = context;
    char *text = strstr(what, ".yaml") != NULL ? watch->yaml : watch->json;

    CHECK_INT(done, 0); /* of bytes the text speaks */
    CHECK_INT(total, 0);
    snprintf(text, sizeof(watch->json), "%s", what);
    watch->told++;
}

static void
note_end(void *context)
{
    ((struct watch *)context)->ended++;
}

static char *
padded(const char *text, size_t length, char line_end)
{
    char *padded = malloc(length + 1);

    if (CHECK(padded != NULL) && padded != NULL) {
        memset(padded, line_end, length);
        memcpy(padded, text, strlen(text));
        padded[length] = '\0';
    }
    return padded;
}

/* A long file of each sort: how far it is, in bytes of both, while it is read. */
static void
test_progress(void)
{
    struct sandbox box;
    struct watch watch = {.told = 0};
    char *json = padded(CLUSTER("m1"), 3000000, ' ');
    struct buf yaml;

    buf_init(&yaml, SIZE_MAX);
    buf_append_str(&yaml, "kind: List\nitems:\n");
    while (yaml.length < 1000000) {
        buf_append_str(&yaml, "- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n");
    }
    sandbox_init(&box);
    sandbox_put(&box, "control-plane/a.json", json);
    sandbox_put(&box, "control-plane/b.yaml", buf_text(&yaml));
    CHECK_OK(sandbox_read(&box), box.err); /* nobody watches */
    fleet_directory_watch(box.directory, (struct progress){&watch, note_told, note_end});
    struct fleet *fleet = fleet_directory_read(box.directory, &box.err);

    CHECK_OK(fleet != NULL, box.err);
    CHECK_STR(watch.json, "reading 3000 of 4001 kB: control-plane/a.json");
    CHECK(strncmp(watch.yaml, "reading 39", strlen("reading 39")) == 0);
    CHECK_CONTAINS(watch.yaml, " of 4001 kB: control-plane/b.yaml");
    CHECK(watch.told > 20);
    CHECK_INT(watch.ended, 1);
    fleet_free(fleet);
    buf_release(&yaml);
    free(json);
    sandbox_release(&box);
}

void suite_fleet_directory(void);

void
suite_fleet_directory(void)
{
    check_suite("fleet_directory");
    check_test("a binding of v1alpha1", test_binding_v1alpha1);
    check_test("a pipe into which nobody writes", test_pipe_without_writer);
    check_test("a FIFO or a device as a setting", test_settings_are_regular_files);
    check_test("layout", test_layout);
    check_test("a single file", test_single_file);
    check_test("errors say what is expected", test_errors);
    check_test("a path that is too long", test_long_path);
    check_test("bad objects are left out", test_problems);
    check_test("a file that does not end", test_too_long);
    check_test("how far the reading is", test_progress);
}
