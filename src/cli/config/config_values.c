/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the values in force, by the table of keys.
 */
#include "config_values.h"

#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "config_key.h"

struct lister {
    struct arena *arena;
    const struct command_line *line;
    const char *file;
    VEC_OF(struct config_value) values;
};

static const char *
value_as_text(struct arena *arena, const struct value *value)
{
    struct buf text;

    if (value_type(value) == VALUE_STRING) {
        return arena_strndup(arena, value_string(value), value_string_length(value));
    }
    buf_init(&text, 2 * (size_t)CONFIG_FILE_MAX);
    value_write_json(value, false, &text);
    return buf_take(&text, arena);
}

/* Returns the last use of a flag that sets the key's value. NULL: there is none. */
static const struct option_use *
find_use(const struct command_line *line, const struct config_key *key)
{
    const struct option_use *found = NULL;

    for (size_t i = 0; i < line->n_uses; i++) {
        if (line->uses[i].option->offset == offsetof(struct settings, policy) + key->offset) {
            found = &line->uses[i];
        }
    }
    return found;
}

static void
add_value(struct lister *lister, const struct config_key *key, const char *path,
          const struct value *parent)
{
    const struct value *value = parent != NULL ? value_get(parent, key->name) : NULL;
    const struct option_use *use = find_use(lister->line, key);
    struct config_value *added = vec_push(&lister->values);
    size_t line = 1, column = 1;

    added->path = path;
    if (use != NULL) {
        added->text = use->value;
        added->from = arena_printf(lister->arena, "--%s", use->option->name);
    } else if (value != NULL && value_type(value) != VALUE_NULL) {
        if (!value_position(value, NULL, &line, &column)) {
            value_position(parent, key->name, &line, &column);
        }
        added->text = value_as_text(lister->arena, value);
        added->from = arena_printf(lister->arena, "%s:%zu", lister->file, line);
    } else {
        added->text = key->default_text != NULL ? key->default_text : "";
        added->from = "default";
    }
}

static void
add_table(struct lister *lister, const struct config_key *table, const char *prefix,
          const struct value *object)
{
    for (const struct config_key *key = table; key->name != NULL; key++) {
        const char *path = arena_printf(lister->arena, "%s%s%s", prefix,
                                        str_is_empty(prefix) ? "" : ".", key->name);

        if (key->type->shape == SHAPE_OBJECT) {
            add_table(lister, key->table, path,
                      object != NULL ? value_find(object, key->name, VALUE_OBJECT) : NULL);
        } else if (key->type->shape != SHAPE_VERSION && key->type->shape != SHAPE_CONSTANT) {
            add_value(lister, key, path, object);
        }
    }
}

const struct config_value *
config_values(struct arena *arena, const struct command_line *line, const struct config_text *text,
              uint32_t *ret_count)
{
    struct lister lister = {.arena = arena, .line = line, .file = text != NULL ? text->file : ""};
    struct yaml_documents documents = {.count = 0};
    struct error ignored = ERROR_INIT;
    bool has_file =
        text != NULL && yaml_parse(text->file, text->text, text->length, &documents, &ignored);

    add_table(&lister, config_keys, "",
              has_file && documents.count == 1 ? documents.items[0] : NULL);
    if (has_file) {
        yaml_documents_free(&documents);
    }
    const struct config_value *ret = vec_to_arena(&lister.values, arena);

    *ret_count = pin_uint32(lister.values.count);
    vec_free(&lister.values);
    return ret;
}
