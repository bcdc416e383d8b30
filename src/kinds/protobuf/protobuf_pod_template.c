/* SPDX-License-Identifier: Apache-2.0
 *
 * Reduces a pod template in protobuf to a text that is equal for equal templates. kube-apiserver
 * writes equal templates as equal bytes, with two exceptions. Amounts have several notations, and
 * the templates of a Deployment's ReplicaSets have one more label. Field numbers as of core/v1 of
 * Kubernetes 1.36.
 */
#include <string.h>

#include "ballast/format/protobuf_wire.h"
#include "ballast/format/stream.h"
#include "ballast/model/quantity.h"
#include "kinds/member/member_decoders.h"
#include "protobuf_message.h"

#define CANONICAL_MAX (2 * (size_t)STREAM_OBJECT_MAX)

#define AMOUNT(number_) ROW(number_, "", PROTOBUF_QUANTITY, PRUNE_SCALAR, NULL)
#define AMOUNTS(number_) ROW(number_, "", PROTOBUF_QUANTITY, PRUNE_MAP, NULL)
#define INTO(number_, table_) ROW(number_, "", PROTOBUF_MESSAGE, PRUNE_SCALAR, (table_))

static const struct field resources[] = MESSAGE(AMOUNTS(1), AMOUNTS(2));
static const struct field resource_field_ref[] = MESSAGE(AMOUNT(3));
static const struct field value_from[] = MESSAGE(INTO(2, resource_field_ref));
static const struct field env[] = MESSAGE(INTO(3, value_from));
static const struct field container[] = MESSAGE(INTO(7, env), INTO(8, resources));
static const struct field ephemeral_container[] = MESSAGE(INTO(1, container));
static const struct field downward_file[] = MESSAGE(INTO(3, resource_field_ref));
static const struct field downward_api[] = MESSAGE(INTO(1, downward_file));
static const struct field projection[] = MESSAGE(INTO(2, downward_api));
static const struct field projected[] = MESSAGE(INTO(1, projection));
static const struct field empty_dir[] = MESSAGE(AMOUNT(2));
static const struct field claim_spec[] = MESSAGE(INTO(2, resources));
static const struct field claim_template[] = MESSAGE(INTO(2, claim_spec));
static const struct field ephemeral[] = MESSAGE(INTO(1, claim_template));
static const struct field volume_source[] =
    MESSAGE(INTO(2, empty_dir), INTO(16, downward_api), INTO(26, projected), INTO(29, ephemeral));
static const struct field volume[] = MESSAGE(INTO(2, volume_source));
static const struct field pod_spec[] =
    MESSAGE(INTO(1, volume), INTO(2, container), INTO(20, container), AMOUNTS(32),
            INTO(34, ephemeral_container), INTO(40, resources));
static const struct field metadata[] = MESSAGE(STRING_MAP(11, "labels"));
static const struct field pod_template[] = MESSAGE(INTO(1, metadata), INTO(2, pod_spec));

static void
write_bytes(struct buf *out, const char *bytes, size_t length)
{
    buf_append(out, &length, sizeof(length));
    buf_append(out, bytes, length);
}

static void
write_field(struct buf *out, const struct wire_field *field)
{
    buf_append(out, &field->number, sizeof(field->number));
    if (field->type == WIRE_BYTES) {
        write_bytes(out, field->bytes, field->length);
    } else {
        buf_append(out, &field->integer, sizeof(field->integer));
    }
}

/* A text that is no amount is written unchanged. */
static void
write_amount(struct buf *out, const char *text, size_t length)
{
    struct error ignored = ERROR_INIT;
    struct quantity amount;

    if (quantity_parse(text, length, &amount, &ignored)) {
        buf_append(out, &amount.nano, sizeof(amount.nano));
    } else {
        write_bytes(out, text, length);
    }
}

/* Returns the text at `number` of a small message: a quantity, or an entry of a map. */
static struct wire_field
text_at(const char *bytes, size_t length, uint32_t number)
{
    struct wire wire = wire_of(bytes, length);
    struct wire_field field, found = {.bytes = "", .length = 0};

    while (wire_next(&wire, &field)) {
        if (field.number == number && field.type == WIRE_BYTES) {
            found = field;
        }
    }
    return found;
}

static void
write_entry(struct buf *out, const struct field *row, const struct wire_field *field)
{
    static const char hash_label[] = "pod-template-hash";
    struct wire_field key = text_at(field->bytes, field->length, 1);
    struct wire_field value = text_at(field->bytes, field->length, 2);

    if (row->wire == PROTOBUF_QUANTITY) {
        write_bytes(out, key.bytes, key.length);
        value = text_at(value.bytes, value.length, 1);
        write_amount(out, value.bytes, value.length);
    } else if (key.length != sizeof(hash_label) - 1 ||
               memcmp(key.bytes, hash_label, key.length) != 0) {
        write_field(out, field);
    }
}

static bool write_message(struct buf *out, const struct field *table, const char *bytes,
                          size_t length, const char **ret_fault);

static bool
write_row(struct buf *out, const struct field *row, const struct wire_field *field,
          const char **ret_fault)
{
    if (row->name == NULL || field->type != WIRE_BYTES) {
        write_field(out, field);
        return true;
    }
    if (row->form == PRUNE_MAP) {
        write_entry(out, row, field);
        return true;
    }
    buf_append(out, &field->number, sizeof(field->number));
    if (row->wire == PROTOBUF_QUANTITY) {
        struct wire_field text = text_at(field->bytes, field->length, 1);

        write_amount(out, text.bytes, text.length);
        return true;
    }
    buf_append_char(out, '{');
    if (!write_message(out, row->table, field->bytes, field->length, ret_fault)) {
        return false;
    }
    buf_append_char(out, '}');
    return true;
}

static bool
write_message(struct buf *out, const struct field *table, const char *bytes, size_t length,
              const char **ret_fault)
{
    struct wire wire = wire_of(bytes, length);
    struct wire_field field;

    while (wire_next(&wire, &field)) {
        const struct field *row = table;

        while (row->name != NULL && row->number != field.number) {
            row++;
        }
        if (!write_row(out, row, &field, ret_fault)) {
            return false;
        }
    }
    *ret_fault = wire.fault;
    return wire.fault == NULL;
}

struct value *
protobuf_pod_template(struct arena *arena, const char *bytes, size_t length, const char **ret_fault)
{
    char text[POD_TEMPLATE_NAME_MAX];
    struct value *object = NULL;
    struct buf canonical;

    buf_init(&canonical, CANONICAL_MAX);
    if (write_message(&canonical, pod_template, bytes, length, ret_fault) &&
        (canonical.overflowed || !pod_template_sum(&canonical, text))) {
        *ret_fault = "the template cannot be compared";
    }
    buf_release(&canonical);
    if (*ret_fault != NULL) {
        return NULL;
    }
    object = value_new(arena, VALUE_OBJECT);
    if (length > 0) {
        value_put_text(object, "#", text);
    }
    return object;
}
