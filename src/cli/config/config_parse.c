/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses a configuration: one document, by the table of keys.
 */
#include "ballast/base/str.h"
#include "config.h"
#include "config_key.h"

static bool
parse_documents(struct config_reader *reader, const struct yaml_documents *documents,
                struct policy *policy)
{
    if (documents->count != 1) {
        return error_set(reader->err, ERROR_CONFIG,
                         "%s: want one document, a " CONFIG_KIND ", got %zu", reader->file,
                         documents->count);
    }
    struct config_place top = {documents->items[0], NULL, NULL, ""};

    if (value_type(top.value) != VALUE_OBJECT) {
        return error_set(reader->err, ERROR_CONFIG, "%s: want an object, a " CONFIG_KIND ", got %s",
                         reader->file, value_type_name(value_type(top.value)));
    }
    reader->is_older = str_eq(value_text(top.value, "apiVersion"), CONFIG_OLDER_API_VERSION);
    return config_object(reader, config_keys, &top, policy);
}

bool
config_parse(const struct config_text *text, struct arena *arena, struct interner *strings,
             struct policy *policy, bool *ret_is_older, struct error *err)
{
    struct config_reader reader = {text->file, arena, strings, err, false};
    struct yaml_documents documents;

    if (!yaml_parse(text->file, text->text, text->length, &documents, err)) {
        err->code = ERROR_CONFIG;
        return false;
    }
    bool ok = parse_documents(&reader, &documents, policy);

    yaml_documents_free(&documents);
    if (ret_is_older != NULL) {
        *ret_is_older = reader.is_older;
    }
    return ok;
}
