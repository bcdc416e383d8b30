/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes ResourceInterpreterCustomization: the kinds whose replicas it divides.
 */
#include "decoders.h"
#include "kinds/builder/builder.h"
#include "kinds/builder/kind.h"

struct interpreter {
    struct object_name object;
    struct divisible_kind target;
    bool revises_replicas;
};

static const struct field target_table[] = {
    FIELD("apiVersion", convert_string, struct interpreter, target.api_version,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_API)),
    FIELD("kind", convert_string, struct interpreter, target.kind,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_KIND)),
    FIELD_END,
};

static const struct field customizations_table[] = {
    FIELD("replicaRevision", convert_presence, struct interpreter, revises_replicas,
          AS_OBJECT(0, presence_table)),
    FIELD_END,
};

static const struct field spec_table[] = {
    PART("target", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, target_table)),
    PART("customizations", convert_struct, AS_OBJECT(0, customizations_table)),
    FIELD_END,
};

const struct field interpreter_table[] = {
    FIELD("metadata", convert_struct, struct interpreter, object, .flags = FIELD_REQUIRED,
          AS_OBJECT(0, object_name_table)),
    PART("spec", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, spec_table)),
    FIELD_END,
};

enum add_result
take_interpreter(const struct taking *t)
{
    struct interpreter interpreter = {.object = {.namespace_ = ""}};
    struct error err = ERROR_INIT;

    if (!decode_object(builder_decoder(t->builder, &err), interpreter_table, t->value,
                       &interpreter)) {
        return taking_skip(t, err.message);
    }
    if (interpreter.revises_replicas) {
        vec_add(&t->builder->divisible_kinds, interpreter.target);
    }
    return ADD_TAKEN;
}
