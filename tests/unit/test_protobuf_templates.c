/* SPDX-License-Identifier: Apache-2.0
 *
 * Which pod templates in protobuf are equal.
 */
#include "ballast/kinds/protobuf.h"
#include "check.h"
#include "protobuf_write.h"

/* What came, as JSON. */
static bool
hear(void *context, const struct stream_object *object, struct error *err)
{
    (void)err;
    value_write_json(object->root, true, context);
    return true;
}

static const struct stream_ops ops = {hear, NULL};

/* A pod template in what may differ; NULL: it is not there. */
struct template_shape {
    const char *hash;  /* the label pod-template-hash */
    const char *label; /* the label app */
    const char *cpu;   /* that a container requests */
    const char *size;  /* of an emptyDir's limit */
    const char *extra; /* more fields of the spec, in hexadecimal */
    int equals;        /* templates of the same number are equal */
};

/* Puts what is there into a field of that number. */
static void
wrap(struct buf *out, uint32_t number)
{
    struct buf inner = *out;

    buf_init(out, TEXT_MAX);
    put_buf(out, number, &inner);
    buf_release(&inner);
}

/* {1: key, 2: value} as field `number`; of an amount the value is {1: text}. */
static void
put_entry(struct buf *out, uint32_t number, const char *key, const char *value, bool is_amount)
{
    struct buf entry, text;

    buf_init(&entry, TEXT_MAX);
    buf_init(&text, TEXT_MAX);
    put_text(&entry, 1, key);
    put_text(&text, 1, value);
    if (is_amount) {
        put_buf(&entry, 2, &text);
    } else {
        put_text(&entry, 2, value);
    }
    put_buf(out, number, &entry);
    buf_release(&text);
    buf_release(&entry);
}

static void
put_metadata(struct buf *out, const struct template_shape *shape)
{
    struct buf metadata;

    buf_init(&metadata, TEXT_MAX);
    if (shape->label != NULL) {
        put_entry(&metadata, 11, "app", shape->label, false);
    }
    if (shape->hash != NULL) {
        put_entry(&metadata, 11, "pod-template-hash", shape->hash, false);
    }
    put_buf(out, 1, &metadata);
    buf_release(&metadata);
}

static void
put_pod_spec(struct buf *out, const struct template_shape *shape)
{
    struct buf spec, part;

    buf_init(&spec, TEXT_MAX);
    if (shape->size != NULL) {
        buf_init(&part, TEXT_MAX);
        if (*shape->size != '\0') {
            put_text(&part, 1, shape->size);
            wrap(&part, 2); /* sizeLimit */
        }
        wrap(&part, 2); /* emptyDir */
        wrap(&part, 2); /* the volume's source */
        put_buf(&spec, 1, &part);
        buf_release(&part);
    }
    if (shape->cpu != NULL) {
        buf_init(&part, TEXT_MAX);
        put_entry(&part, 2, "cpu", shape->cpu, true);
        wrap(&part, 8); /* resources */
        put_buf(&spec, 2, &part);
        buf_release(&part);
    }
    if (shape->extra != NULL) {
        put_hex(&spec, shape->extra);
    }
    put_buf(out, 2, &spec);
    buf_release(&spec);
}

/* What a ReplicaSet of that template is read as. */
static char *
read_template(const struct template_shape *shape)
{
    struct error err = ERROR_INIT;
    struct buf heard;
    struct buf raw, answer;
    char *text;

    buf_init(&raw, TEXT_MAX);
    buf_init(&answer, TEXT_MAX);
    buf_init(&heard, TEXT_MAX);
    put_metadata(&raw, shape);
    put_pod_spec(&raw, shape);
    wrap(&raw, 3); /* template */
    wrap(&raw, 2); /* spec */
    put_answer(&answer, "apps/v1", "ReplicaSet", &raw);
    CHECK_OK(protobuf_list_read(answer.data, answer.length, &ops, &heard, NULL, &err), err);
    text = strdup(buf_text(&heard));
    buf_release(&heard);
    buf_release(&answer);
    buf_release(&raw);
    return text;
}

static void
equal_templates(void)
{
    static const struct template_shape shapes[] = {
        {.label = "web", .cpu = "1", .equals = 1},
        {.label = "web", .cpu = "1", .hash = "7d4b", .equals = 1},
        {.label = "web", .cpu = "1000m", .hash = "99ff", .equals = 1},
        {.label = "db", .cpu = "1", .equals = 2},
        {.label = "web", .cpu = "1001m", .equals = 3},
        {.label = "web", .cpu = "one", .equals = 4},
        {.label = "web", .equals = 5},
        {.hash = "7d4b", .equals = 6},
        {.equals = 6},
        {.size = "", .equals = 7}, /* emptyDir: {} */
        {.size = "1Gi", .equals = 8},
        {.size = "1024Mi", .equals = 8},
        {.size = "1G", .equals = 9},
        {.extra = "ca 3e 03 61 ff 00", .equals = 10}, /* nobody knows what it is */
        {.extra = "ca 3e 03 61 ff 01", .equals = 11},
        {.extra = "c8 3e 80 01", .equals = 12},
        {.extra = "c8 3e 00", .equals = 13},
    };
    char *texts[sizeof(shapes) / sizeof(shapes[0])];
    size_t count = sizeof(shapes) / sizeof(shapes[0]);

    for (size_t i = 0; i < count; i++) {
        texts[i] = read_template(&shapes[i]);
        for (size_t j = 0; j < i; j++) {
            CHECK_MSG((strcmp(texts[i], texts[j]) == 0) == (shapes[i].equals == shapes[j].equals),
                      "templates %zu and %zu", i, j);
        }
    }
    for (size_t i = 0; i < count; i++) {
        free(texts[i]);
    }
}

static void
bad_templates(void)
{
    /* cut off in spec.template.spec, in its containers, and beside the template */
    static const char *const cases[] = {"12 0c 1a 0a 12 08 c8 3e 01 c8 3e 02 c8 3e",
                                        "12 08 1a 06 12 04 12 02 42 01", "12 04 c8 3e 01 c8"};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error err = ERROR_INIT;
        struct buf heard;
        struct buf raw, answer;

        buf_init(&raw, TEXT_MAX);
        buf_init(&answer, TEXT_MAX);
        buf_init(&heard, TEXT_MAX);
        put_hex(&raw, cases[i]);
        put_answer(&answer, "apps/v1", "ReplicaSet", &raw);
        CHECK_MSG(!protobuf_list_read(answer.data, answer.length, &ops, &heard, NULL, &err), "%s",
                  cases[i]);
        CHECK_MSG(err.message[0] != '\0', "%s", cases[i]);
        buf_release(&heard);
        buf_release(&answer);
        buf_release(&raw);
    }
}

void suite_protobuf_templates(void);

void
suite_protobuf_templates(void)
{
    check_suite("protobuf templates");
    check_test("equal templates", equal_templates);
    check_test("bad templates", bad_templates);
}
