/* SPDX-License-Identifier: Apache-2.0
 *
 * What a real kube-apiserver answered for the same objects in both of its
 * encodings (tests/unit/protobuf/NAME.json and NAME.pb) makes the same fleet.
 */
#include <stdlib.h>

#include "ballast/base/timestamp.h"
#include "ballast/kinds/decode.h"
#include "ballast/kinds/protobuf.h"
#include "check.h"
#include "member_text.h"

#define DIRECTORY "tests/unit/protobuf/"
#define FILE_MAX (1u << 20)

struct taking {
    struct fleet_builder *builder;
    uint32_t count;
};

static bool
take(void *context, const struct stream_object *object, struct error *err)
{
    static const struct object_origin origin = {.file = "answer", .member = "m1"};
    struct taking *taking = context;

    CHECK_INT(object->in_list ? object->index : 0, object->in_list ? taking->count : 0);
    taking->count++;
    return CHECK_INT(fleet_builder_add(taking->builder, object->root, object->list_api_version,
                                       object->list_kind, &origin, err),
                     ADD_TAKEN);
}

static const struct stream_ops ops = {take, NULL};

static bool
read_file(const char *name, struct buf *out)
{
    char path[128], bytes[4096];
    size_t length;

    snprintf(path, sizeof(path), DIRECTORY "%s", name);
    FILE *file = fopen(path, "rbe");

    buf_clear(out);
    if (file == NULL) {
        return CHECK_MSG(false, "%s cannot be read", path);
    }
    while ((length = fread(bytes, 1, sizeof(bytes), file)) > 0) {
        buf_append(out, bytes, length);
    }
    fclose(file);
    return CHECK_MSG(!out->overflowed && out->length > 0, "%s: too long or empty", path);
}

static void
take_json(struct taking *taking, const struct buf *bytes)
{
    struct stream *stream = stream_new(&ops, taking);
    struct error err = ERROR_INIT;

    CHECK_OK(stream_feed(stream, bytes->data, bytes->length, &err), err);
    CHECK_OK(stream_finish(stream, &err), err);
    stream_free(stream);
}

static void
take_protobuf(struct taking *taking, const struct buf *bytes)
{
    struct error err = ERROR_INIT;

    CHECK(protobuf_is(bytes->data, bytes->length));
    CHECK_OK(protobuf_list_read(bytes->data, bytes->length, &ops, taking, NULL, &err), err);
}

/* A fleet of one member, of these files; each file's objects must be there. */
static struct fleet *
fleet_of(const char *const *names, const char *ending,
         void (*take_bytes)(struct taking *taking, const struct buf *bytes), uint32_t *ret_count)
{
    static const char cluster[] = "{\"apiVersion\":\"cluster.karmada.io/v1alpha1\",\"kind\":"
                                  "\"Cluster\",\"metadata\":{\"name\":\"m1\"}}";
    const struct object_origin origin = {.file = "", .member = ""};
    struct taking taking = {.builder = fleet_builder_new()};
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(cluster, strlen(cluster), 1, &err);
    struct buf bytes;

    CHECK_INT(fleet_builder_add(taking.builder, document_root(document), "", "", &origin, &err),
              ADD_TAKEN);
    document_free(document);
    buf_init(&bytes, FILE_MAX);
    for (; *names != NULL; names++) {
        char name[64];

        snprintf(name, sizeof(name), "%s.%s", *names, ending);
        taking.count = 0;
        if (read_file(name, &bytes)) {
            take_bytes(&taking, &bytes);
        }
        *ret_count += taking.count;
    }
    buf_release(&bytes);
    struct fleet *fleet = fleet_builder_finish(taking.builder, TIME_NONE, &err);

    CHECK_MSG(fleet != NULL, "%s", err.message);
    fleet_builder_free(taking.builder);
    return fleet;
}

static void
same(const char *const *names, uint32_t want_count)
{
    uint32_t json_count = 0, protobuf_count = 0;
    struct fleet *from_json = fleet_of(names, "json", take_json, &json_count);
    struct fleet *from_protobuf = fleet_of(names, "pb", take_protobuf, &protobuf_count);
    struct buf want, got;

    buf_init(&want, FILE_MAX);
    buf_init(&got, FILE_MAX);
    if (from_json != NULL && from_protobuf != NULL) {
        member_text(from_json, &want);
        member_text(from_protobuf, &got);
        CHECK_STR(buf_text(&got), buf_text(&want));
        CHECK(!got.overflowed);
        CHECK_INT(from_protobuf->n_problems, 0);
    }
    CHECK_INT(json_count, want_count);
    CHECK_INT(protobuf_count, want_count);
    buf_release(&got);
    buf_release(&want);
    fleet_free(from_protobuf);
    fleet_free(from_json);
}

static void
all_kinds(void)
{
    static const char *const names[] = {"pods",         "nodes", "deployments",
                                        "replicasets",  "jobs",  "horizontalpodautoscalers",
                                        "statefulsets", NULL};

    same(names, 5 + 2 + 2 + 3 + 2 + 1 + 1);
}

static void
single_object(void)
{
    static const char *const names[] = {"pod", NULL};

    same(names, 1);
}

/* The Deployment's template says 1073741824 where that of its current ReplicaSet says 1Gi. */
static void
current_replica_set(void)
{
    static const char *const names[] = {"deployments", "replicasets", NULL};
    uint32_t count = 0;
    struct fleet *fleet = fleet_of(names, "pb", take_protobuf, &count);

    if (fleet == NULL) {
        return;
    }
    const struct member *m = &fleet->members[0];

    if (CHECK_INT(m->n_workloads, 3) && CHECK_INT(m->n_replica_sets, 3)) {
        const struct workload *web = &m->workloads[1];

        CHECK_STR(web->name, "web");
        for (uint32_t i = 0; i < m->n_replica_sets; i++) {
            const struct replica_set *set = &m->replica_sets[i];
            bool equal = set->version.pod_template.high == web->pod_template.high &&
                         set->version.pod_template.low == web->pod_template.low;

            CHECK_MSG(equal == (strcmp(set->name, "web-7d4b") == 0), "%s: got %s", set->name,
                      equal ? "equal" : "different");
        }
    }
    fleet_free(fleet);
}

static void
page(void)
{
    struct error err = ERROR_INIT;
    struct protobuf_list list;
    struct buf bytes;

    buf_init(&bytes, FILE_MAX);
    if (read_file("pods-page.pb", &bytes)) {
        CHECK_OK(protobuf_list_head(bytes.data, bytes.length, &list, NULL, NULL, &err), err);
        CHECK(list.is_list);
        CHECK_STR(list.api_version, "v1");
        CHECK_STR(list.kind, "PodList");
        CHECK_CONTAINS(list.continue_token, "eyJ");
        CHECK_INT(list.remaining_items, 3);
        CHECK(strlen(list.resource_version) > 0);
        protobuf_list_release(&list);
    }
    buf_release(&bytes);
}

void suite_protobuf_pairs(void);

void
suite_protobuf_pairs(void)
{
    check_suite("protobuf pairs");
    check_test("all kinds", all_kinds);
    check_test("single object", single_object);
    check_test("current replica set", current_replica_set);
    check_test("page", page);
}
