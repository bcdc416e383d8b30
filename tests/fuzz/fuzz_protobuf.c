/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as an API server's protobuf answer: whole, and as the items or the
 * object of each kind. What is delivered is valid JSON, and a fleet builder can
 * take it.
 */
#include "../decode_one.h"

#include "ballast/base/timestamp.h"
#include "ballast/kinds/protobuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ANSWER_MAX ((size_t)1 << 22)

struct taking {
    struct fleet_builder *builder;
    size_t count;
};

static bool
take(void *context, const struct stream_object *object, struct error *err)
{
    static const struct object_origin origin = {.file = "input", .line = 1, .member = "m1"};
    struct taking *taking = context;
    struct buf text;

    if (object->root == NULL || object->index != taking->count++) {
        __builtin_trap();
    }
    buf_init(&text, ANSWER_MAX * 8);
    value_write_json(object->root, true, &text);
    struct document *again = document_parse_json(buf_text(&text), text.length, 1, err);

    if (!text.overflowed && (again == NULL || !value_equal(document_root(again), object->root))) {
        __builtin_trap(); /* valid UTF-8, no deeper than JSON may be, and nothing lost */
    }
    document_free(again);
    buf_release(&text);
    fleet_builder_add(taking->builder, object->root, object->list_api_version, object->list_kind,
                      &origin, err);
    return true;
}

static bool
take_bad(void *context, const struct stream_object *where, struct error *err)
{
    struct taking *taking = context;

    if (where->root != NULL || err->code == ERROR_NONE || where->index != taking->count++) {
        __builtin_trap();
    }
    return where->index % 2 == 0;
}

static void
read_answer(const char *bytes, size_t length)
{
    static const struct stream_ops ops = {take, take_bad};
    struct taking taking = {.builder = fleet_builder_new()};
    struct protobuf_list head, list;
    struct error err = ERROR_INIT;
    bool has_head = protobuf_list_head(bytes, length, &head, NULL, NULL, &err);

    if (protobuf_list_read(bytes, length, &ops, &taking, &list, &err) && !has_head) {
        __builtin_trap();
    }
    protobuf_list_release(&head);
    protobuf_list_release(&list);
    add_any_cluster(taking.builder);
    fleet_free(fleet_builder_finish(taking.builder, TIME_NONE, &err));
    fleet_builder_free(taking.builder);
}

static void
put_bytes(struct buf *out, char tag, const void *bytes, size_t length)
{
    size_t rest = length;

    buf_append_char(out, tag);
    for (; rest > 0x7f; rest >>= 7) {
        buf_append_char(out, (char)(rest | 0x80));
    }
    buf_append_char(out, (char)rest);
    buf_append(out, bytes, length);
}

static void
read_as(const char *api_version, const char *kind, const uint8_t *data, size_t size)
{
    struct buf type, answer;

    buf_init(&type, 256);
    buf_init(&answer, ANSWER_MAX);
    put_bytes(&type, 1 << 3 | 2, api_version, strlen(api_version));
    put_bytes(&type, 2 << 3 | 2, kind, strlen(kind));
    buf_append(&answer, "k8s", 4);
    put_bytes(&answer, 1 << 3 | 2, type.data, type.length);
    put_bytes(&answer, 2 << 3 | 2, data, size);
    read_answer(answer.data, answer.length);
    buf_release(&answer);
    buf_release(&type);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        const char *api_version, *kind;
    } kinds[] = {
        {"v1", "PodList"},
        {"v1", "NodeList"},
        {"apps/v1", "DeploymentList"},
        {"apps/v1", "ReplicaSetList"},
        {"apps/v1", "StatefulSetList"},
        {"batch/v1", "JobList"},
        {"autoscaling/v2", "HorizontalPodAutoscalerList"},
        {"v1", "Pod"},
        {"v1", "Status"},
    };

    if (size > ANSWER_MAX / 2) {
        return 0;
    }
    if (protobuf_is((const char *)data, size)) {
        read_answer((const char *)data, size);
    } else if (size > 0) {
        size_t chosen = data[0] % (sizeof(kinds) / sizeof(kinds[0]));

        read_as(kinds[chosen].api_version, kinds[chosen].kind, data + 1, size - 1);
    }
    return 0;
}
