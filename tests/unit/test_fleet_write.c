/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing to a fleet directory: bytes that are kept, conflicts, files replaced
 * under the eyes of other writers, and kills.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../finders.h"
#include "check.h"
#include "sandbox.h"

static const atomic_bool never_stop = false;

/* Moves both replicas of a binding to m2; the status of the write. */
static enum write_status
move_to_m2(struct sandbox *box, const struct binding *binding)
{
    static const struct target targets[] = {{.name = "m1", .replicas = 1},
                                            {.name = "m2", .replicas = 1}};
    struct backend backend = fleet_directory_backend(box->directory);
    struct write_request request = {.binding = binding,
                                    .change = {.clusters = targets, .n_clusters = 2}};

    if (!CHECK(binding != NULL)) {
        return WRITE_PENDING;
    }
    backend.write(backend.context, &request, 1, &never_stop);
    box->err = request.error;
    return request.status;
}

static const struct binding *
find(const struct sandbox *box, const char *name)
{
    return fleet_find_binding(box->fleet, BINDING_RESOURCE, "shop", name);
}

static const char json_before[] =
    CLUSTER("m1") "{\n  \"items\": [\n    {\n      \"kind\": \"ResourceBinding\",\n"
                  "      \"apiVersion\": \"work.karmada.io/v1alpha2\",\n"
                  "      \"metadata\": {\"namespace\": \"shop\", \"name\": \"a\",\n"
                  "        \"generation\": 4, \"resourceVersion\": \"17\"},\n"
                  "      \"unknown\": [1.50, \"\\u0041\"],\n      \"spec\": {\n"
                  "        \"replicas\": 2,\n        \"clusters\": [\n          {\n"
                  "            \"name\": \"m1\",\n            \"replicas\": 2,\n"
                  "            \"mark\": \"kept\"\n          }\n        ],\n"
                  "        \"resource\": {\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\","
                  "\"name\":\"web\"}\n      }\n    }  ],\n  \"kind\": \"List\"\n}\n\n" BINDING(
                      "z", "30") "  \n";

static const char json_after[] =
    CLUSTER("m1") "{\n  \"items\": [\n    {\n      \"kind\": \"ResourceBinding\",\n"
                  "      \"apiVersion\": \"work.karmada.io/v1alpha2\",\n"
                  "      \"metadata\": {\"namespace\": \"shop\", \"name\": \"a\",\n"
                  "        \"generation\": 5, \"resourceVersion\": \"31\"},\n"
                  "      \"unknown\": [1.50, \"\\u0041\"],\n      \"spec\": {\n"
                  "        \"replicas\": 2,\n        \"clusters\": [\n          {\n"
                  "            \"name\": \"m1\",\n            \"replicas\": 1,\n"
                  "            \"mark\": \"kept\"\n          },\n          {\n"
                  "            \"name\": \"m2\",\n            \"replicas\": 1\n          }\n"
                  "        ],\n"
                  "        \"resource\": {\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\","
                  "\"name\":\"web\"}\n      }\n    }  ],\n  \"kind\": \"List\"\n}\n\n" BINDING(
                      "z", "30") "  \n";

static void
check_no_leftovers(const struct sandbox *box)
{
    char path[256];
    DIR *dir = opendir(sandbox_path(box, "control-plane", path));

    if (CHECK(dir != NULL) && dir != NULL) {
        for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
            CHECK_MSG(strstr(entry->d_name, ".ballast-new") == NULL, "%s is left", entry->d_name);
        }
        closedir(dir);
    }
}

static void
test_write_json(void)
{
    struct sandbox box;
    struct stat info;
    char path[256];

    sandbox_init(&box);
    sandbox_put(&box, "control-plane/a.json", json_before);
    chmod(sandbox_path(&box, "control-plane/a.json", path), 0640);
    /* what a killed run left is in nobody's way, and is not read */
    sandbox_put(&box, "control-plane/.a.json.ballast-new", "half an ob");
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_DONE);
        sandbox_check(&box, "control-plane/a.json", json_after);
        CHECK(stat(path, &info) == 0 && (info.st_mode & 07777) == 0640);
        check_no_leftovers(&box);
        /* by the version that was read, which is an old one now */
        CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_CONFLICT);
        sandbox_check(&box, "control-plane/a.json", json_after);
    }
    /* what is so already is not written again */
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_DONE);
        sandbox_check(&box, "control-plane/a.json", json_after);
    }
    sandbox_release(&box);
}

static const struct text_form forms[] = {
    {true, TEXT_UTF8},     {false, TEXT_UTF16_LE}, {false, TEXT_UTF16_BE},
    {true, TEXT_UTF16_LE}, {true, TEXT_UTF16_BE},
};

#define YAML_FLEET(version, generation, clusters)                                                  \
    "\xef\xbb\xbf# \xc3\xa4\xf0\x9f\x9a\xa2\r\napiVersion: cluster.karmada.io/v1alpha1\r\n"        \
    "kind: Cluster\r\nmetadata: {name: m1}\r\n---\r\napiVersion: work.karmada.io/v1alpha2\r\n"     \
    "kind: ResourceBinding\r\nmetadata:\r\n  name: a\r\n  namespace: shop\r\n  generation: "       \
    "" generation "\r\n  resourceVersion: \"" version "\"\r\nspec:\r\n  replicas: 2\r\n  "         \
    "resource: {apiVersion: apps/v1, kind: Deployment, name: web}\r\n  clusters: " clusters "\r\n"

/* A file of another encoding, or a packed one, is written as it was stored, and says what it said.
 */
static void
test_write_forms(void)
{
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        struct sandbox box;

        sandbox_init(&box);
        sandbox_put_as(&box, "captured-at", forms[i],
                       "\xef\xbb\xbf"
                       "2026-01-02T03:04:05Z\r\n");
        sandbox_put_as(&box, "control-plane/a.JSON.gz", forms[i], json_before);
        if (CHECK_OK(sandbox_read(&box), box.err)) {
            CHECK(box.fleet->captured_at > 0);
            CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_DONE);
            sandbox_check_as(&box, "control-plane/a.JSON.gz", forms[i], json_after);
        }
        sandbox_release(&box);
        sandbox_init(&box);
        sandbox_put_as(&box, "control-plane/a.YML", forms[i],
                       YAML_FLEET("17", "4", "[{name: m1, replicas: 2}]"));
        if (CHECK_OK(sandbox_read(&box), box.err)) {
            CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_DONE);
            sandbox_check_as(
                &box, "control-plane/a.YML", forms[i],
                YAML_FLEET("18", "5", "[{name: m1, replicas: 1}, {name: m2, replicas: 1}]"));
            check_no_leftovers(&box);
        }
        sandbox_release(&box);
    }
}

/* Where the new file is to be made, whatever stands there goes: only its own writer makes it. */
static void
test_write_beside_fifo(void)
{
    struct sandbox box;
    char path[256];

    sandbox_init(&box);
    sandbox_put(&box, "control-plane/a.json", json_before);
    CHECK(mkfifo(sandbox_path(&box, "control-plane/.a.json.ballast-new", path), 0600) == 0);
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_DONE);
        sandbox_check(&box, "control-plane/a.json", json_after);
    }
    CHECK(mkdir(path, 0700) == 0); /* but for a directory */
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        CHECK_INT(move_to_m2(&box, find(&box, "z")), WRITE_FAILED);
        CHECK_CONTAINS(box.err.message, ".a.json.ballast-new: Is a directory");
    }
    CHECK(rmdir(path) == 0);
    sandbox_release(&box);
}

static void
test_write_yaml(void)
{
    static const char head[] = "# the fleet\napiVersion: cluster.karmada.io/v1alpha1\n"
                               "kind: Cluster\nmetadata: {name: m1}\n---\n"
                               "apiVersion: v1\nkind: List\nitems:\n"
                               "- apiVersion: work.karmada.io/v1alpha2\n  kind: ResourceBinding\n";
    static const char between[] =
        "  spec:\n    replicas: 2 # two\n    resource: {apiVersion: apps/v1, kind: Deployment, "
        "name: web}\n    clusters:\n    - name: m1\n";
    struct sandbox box;
    char text[2048];

    sandbox_init(&box);
    snprintf(text, sizeof(text), "%s  metadata:\n    name: a\n    namespace: shop\n%s%s%s", head,
             between, "      replicas: 2\n      mark: kept\n", "    # end\n");
    sandbox_put(&box, "control-plane/a.yaml", text);
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_DONE);
        snprintf(
            text, sizeof(text),
            "%s  metadata:\n    name: a\n    namespace: shop\n    resourceVersion: \"1\"\n%s%s%s",
            head, between,
            "      replicas: 1\n      mark: kept\n    - name: m2\n      replicas: 1\n",
            "    # end\n");
        sandbox_check(&box, "control-plane/a.yaml", text);
        CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_CONFLICT);
    }
    sandbox_release(&box);
}

/* An object without a resourceVersion has its content for one. */
static void
test_conflict_by_content(void)
{
    struct sandbox box;

    sandbox_init(&box);
    sandbox_put(&box, "control-plane/a.json", CLUSTER("m1") BINDING_WITHOUT_VERSION("a"));
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        /* another form of the same content is no change */
        sandbox_put(&box, "control-plane/a.json",
                    "\n\n" CLUSTER("m1") "  " BINDING_WITHOUT_VERSION("a"));
        CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_DONE);
        CHECK_OK(sandbox_read(&box), box.err);
        CHECK_STR(find(&box, "a")->resource_version, "1");
    }
    sandbox_put(&box, "control-plane/a.json", CLUSTER("m1") BINDING_WITHOUT_VERSION("a"));
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        sandbox_put(&box, "control-plane/a.json",
                    CLUSTER("m1") BINDING_HEAD
                    "\"metadata\":{\"namespace\":\"shop\",\"name\":\"a\"}," BINDING_SPEC("3"));
        CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_CONFLICT);
        CHECK_INT(box.err.code, ERROR_CONFLICT);
    }
    sandbox_release(&box);
}

/* What a conflict leads to: the object is read again and written by its new version. */
static void
test_read_again(void)
{
    struct sandbox box;
    struct backend backend;

    sandbox_init(&box);
    sandbox_put(&box, "control-plane/a.json", CLUSTER("m1") BINDING("a", "5"));
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        const struct binding *old = find(&box, "a");

        sandbox_put(&box, "control-plane/a.json",
                    CLUSTER("m1") BINDING("x", "9") BINDING("a", "8"));
        CHECK_INT(move_to_m2(&box, old), WRITE_CONFLICT);
        backend = fleet_directory_backend(box.directory);
        const struct binding *fresh = backend.read_again(backend.context, box.fleet, old, &box.err);

        if (CHECK_OK(fresh != NULL, box.err) && fresh != NULL) {
            CHECK_STR(fresh->resource_version, "8");
            CHECK_INT(move_to_m2(&box, fresh), WRITE_DONE);
        }
        CHECK_OK(sandbox_read(&box), box.err);
        CHECK_STR(find(&box, "a")->resource_version, "10");
        CHECK_INT(find(&box, "a")->generation, 5);
    }
    sandbox_release(&box);
}

static void
test_gone(void)
{
    struct sandbox box;
    char path[256];

    sandbox_init(&box);
    sandbox_put(&box, "control-plane/a.json", CLUSTER("m1"));
    sandbox_put(&box, "control-plane/b.json", BINDING("a", "5") BINDING("b", "6"));
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        struct backend backend = fleet_directory_backend(box.directory);

        sandbox_put(&box, "control-plane/b.json", BINDING("b", "6"));
        CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_GONE);
        CHECK(backend.read_again(backend.context, box.fleet, find(&box, "a"), &box.err) == NULL);
        CHECK_INT(box.err.code, ERROR_NOT_FOUND);
        unlink(sandbox_path(&box, "control-plane/b.json", path));
        CHECK_INT(move_to_m2(&box, find(&box, "b")), WRITE_GONE);
        CHECK(backend.read_again(backend.context, box.fleet, find(&box, "b"), &box.err) == NULL);
        CHECK_INT(box.err.code, ERROR_NOT_FOUND);
        /* broken meanwhile: nothing is written over it */
        sandbox_put(&box, "control-plane/b.json", BINDING("b", "6") "{");
        CHECK_INT(move_to_m2(&box, find(&box, "b")), WRITE_FAILED);
        sandbox_check(&box, "control-plane/b.json", BINDING("b", "6") "{");
    }
    sandbox_release(&box);
}

#define BINDING_IN(namespace, name)                                                                \
    BINDING_HEAD                                                                                   \
    "\"metadata\":{\"namespace\":\"" namespace "\",\"name\":\"" name                               \
                                               "\",\"resourceVersion\":\"5\"}," BINDING_SPEC("2")

/* Whatever names a file has: two objects are never taken for one. */
static void
test_names_alike(void)
{
    struct write_request requests[2] = {{.binding = NULL}};
    static const struct target targets[] = {{.name = "m1", .replicas = 1},
                                            {.name = "m2", .replicas = 1}};
    struct sandbox box;

    sandbox_init(&box);
    sandbox_put(&box, "control-plane/a.json",
                CLUSTER("m1") BINDING_IN("a/b", "c") BINDING_IN("a", "b/c"));
    if (CHECK_OK(sandbox_read(&box), box.err) && CHECK(box.fleet->n_bindings == 2)) {
        struct backend backend = fleet_directory_backend(box.directory);

        for (uint32_t i = 0; i < 2; i++) {
            requests[i] = (struct write_request){
                .binding = &box.fleet->bindings[i],
                .change = {.clusters = targets, .n_clusters = 2},
            };
        }
        backend.write(backend.context, requests, 2, &never_stop);
        CHECK_INT(requests[0].status, WRITE_DONE);
        CHECK_INT(requests[1].status, WRITE_DONE);
    }
    sandbox_release(&box);
}

/* A whole batch over several files, with one that conflicts in between. */
static void
test_batch(void)
{
    static const struct target targets[] = {{.name = "m2", .replicas = 2}};
    static const char *const names[] = {"d", "a", "c", "b"};
    struct write_request requests[4] = {{.binding = NULL}};
    atomic_bool stop = true;
    struct sandbox box;

    sandbox_init(&box);
    sandbox_put(&box, "control-plane/a.json", CLUSTER("m1") BINDING("a", "5") BINDING("b", "6"));
    sandbox_put(&box, "control-plane/b.json", BINDING("c", "7") BINDING("d", "8"));
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        struct backend backend = fleet_directory_backend(box.directory);

        for (int i = 0; i < 4; i++) {
            requests[i].binding = find(&box, names[i]);
            requests[i].change = (struct binding_change){.clusters = targets, .n_clusters = 1};
        }
        backend.write(backend.context, requests, 4, &stop);
        for (int i = 0; i < 4; i++) {
            CHECK_INT(requests[i].status, WRITE_PENDING);
        }
        sandbox_put(&box, "control-plane/b.json", BINDING("c", "9") BINDING("d", "8"));
        stop = false;
        backend.write(backend.context, requests, 4, &stop);
        CHECK_INT(requests[0].status, WRITE_DONE);
        CHECK_INT(requests[1].status, WRITE_DONE);
        CHECK_INT(requests[2].status, WRITE_CONFLICT);
        CHECK_INT(requests[3].status, WRITE_DONE);
        CHECK_OK(sandbox_read(&box), box.err);
        CHECK_STR(find(&box, "a")->clusters.items[0].name, "m2");
        CHECK_STR(find(&box, "b")->clusters.items[0].name, "m2");
        CHECK_STR(find(&box, "c")->clusters.items[0].name, "m1");
        CHECK_STR(find(&box, "d")->clusters.items[0].name, "m2");
    }
    sandbox_release(&box);
}

/* A process that puts a replica here and there, again and again, as fast as it can. */
static void
write_often(const struct sandbox *parent, const char *name, int times)
{
    for (int i = 0; i < times; i++) {
        struct sandbox box = *parent;

        box.fleet = NULL;
        box.directory = NULL;
        const struct target targets[] = {{.name = "m1", .replicas = 1000 + i}};
        bool done = false;

        while (!done) {
            if (!sandbox_read(&box)) {
                _exit(3);
            }
            struct backend backend = fleet_directory_backend(box.directory);
            struct write_request request = {.binding = find(&box, name),
                                            .change = {.clusters = targets, .n_clusters = 1}};

            backend.write(backend.context, &request, 1, &never_stop);
            done = request.status == WRITE_DONE;
            if (!done && request.status != WRITE_CONFLICT) {
                _exit(4);
            }
        }
        fleet_free(box.fleet);
        fleet_directory_close(box.directory);
    }
    _exit(0);
}

/* Two writers of different objects of one file, and a reader that must never see a part of it. */
static void
test_two_writers(void)
{
    static const char *const names[] = {"a", "b"};
    struct sandbox box;
    pid_t writers[2];
    int left = 2, status;

    sandbox_init(&box);
    sandbox_put(&box, "control-plane/a.json", CLUSTER("m1") BINDING("a", "5") BINDING("b", "6"));
    for (int i = 0; i < 2; i++) {
        writers[i] = fork();
        if (writers[i] == 0) {
            write_often(&box, names[i], 20);
        }
    }
    while (left > 0) {
        if (!CHECK_OK(sandbox_read(&box), box.err) || !CHECK(box.fleet->n_bindings == 2)) {
            break;
        }
        while (left > 0 && waitpid(-1, &status, WNOHANG) > 0) {
            CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            left--;
        }
    }
    for (; left > 0; left--) {
        waitpid(-1, &status, 0);
    }
    CHECK_OK(sandbox_read(&box), box.err);
    CHECK_INT(find(&box, "a")->clusters.items[0].replicas, 1019);
    CHECK_INT(find(&box, "b")->clusters.items[0].replicas, 1019);
    /* no write is lost: each of them raised one object's generation by one */
    CHECK_INT(find(&box, "a")->generation + find(&box, "b")->generation, 8 + 40);
    check_no_leftovers(&box);
    sandbox_release(&box);
}

/* Killed at any moment, the file is the old one or a new one. */
static void
test_kill(void)
{
    struct sandbox box;

    sandbox_init(&box);
    sandbox_put(&box, "control-plane/a.json", CLUSTER("m1") BINDING("a", "5") BINDING("b", "6"));
    for (useconds_t delay = 500; delay < 20000; delay += 1300) {
        pid_t writer = fork();

        if (writer == 0) {
            write_often(&box, "a", 1000);
        }
        usleep(delay);
        kill(writer, SIGKILL);
        waitpid(writer, NULL, 0);
        CHECK_OK(sandbox_read(&box), box.err);
        CHECK(box.fleet != NULL && box.fleet->n_bindings == 2 && box.fleet->n_problems == 0);
    }
    /* and what was left behind does not stop the next one */
    CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_DONE);
    check_no_leftovers(&box);
    sandbox_release(&box);
}

static void
test_symlink(void)
{
    struct sandbox box;
    struct stat info;
    char path[256];

    sandbox_init(&box);
    sandbox_put(&box, "elsewhere/a.json", CLUSTER("m1") BINDING("a", "5"));
    mkdir(sandbox_path(&box, "control-plane", path), 0755);
    CHECK(symlink("../elsewhere/a.json", sandbox_path(&box, "control-plane/a.json", path)) == 0);
    if (CHECK_OK(sandbox_read(&box), box.err)) {
        CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_DONE);
        CHECK(lstat(path, &info) == 0 && S_ISLNK(info.st_mode));
        CHECK_OK(sandbox_read(&box), box.err);
        CHECK_STR(find(&box, "a")->resource_version, "6");
    }
    sandbox_release(&box);
}

static void
test_stdin(void)
{
    struct sandbox box;
    char path[256];

    sandbox_init(&box);
    sandbox_put(&box, "fleet", CLUSTER("m1") BINDING("a", "5"));
    int saved = dup(STDIN_FILENO);
    int file = open(sandbox_path(&box, "fleet", path), O_RDONLY);

    dup2(file, STDIN_FILENO);
    CHECK_OK(sandbox_read_path(&box, "-"), box.err);
    dup2(saved, STDIN_FILENO);
    close(file);
    close(saved);
    if (CHECK(box.fleet != NULL)) {
        CHECK_INT(move_to_m2(&box, find(&box, "a")), WRITE_REFUSED);
        CHECK_CONTAINS(box.err.message, "standard input, which cannot be written to");
    }
    sandbox_release(&box);
}

void suite_fleet_write(void);

void
suite_fleet_write(void)
{
    check_suite("fleet_write");
    check_test("every form in which a file is stored", test_write_forms);
    check_test("a FIFO where the new file is made", test_write_beside_fifo);
    check_test("writing JSON", test_write_json);
    check_test("writing YAML", test_write_yaml);
    check_test("conflicts by content", test_conflict_by_content);
    check_test("reading again after a conflict", test_read_again);
    check_test("what is gone or broken", test_gone);
    check_test("names alike", test_names_alike);
    check_test("batches and stopping", test_batch);
    check_test("two writers and a reader", test_two_writers);
    check_test("kills", test_kill);
    check_test("symbolic links", test_symlink);
    check_test("standard input", test_stdin);
}
