/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts a configuration of an older apiVersion: changes the apiVersion and no other byte.
 */
#include <string.h>

#include "config_key.h"

/* Returns the offset of a line and column (both from 1), in UTF-8 characters. */
static size_t
offset_of(const struct config_text *text, size_t line, size_t column)
{
    size_t at = 0;

    for (; line > 1 && at < text->length; at++) {
        line -= text->text[at] == '\n' ? 1 : 0;
    }
    for (; column > 1 && at < text->length; column--) {
        do {
            at++;
        } while (at < text->length && ((unsigned char)text->text[at] & 0xC0) == 0x80);
    }
    return at;
}

/* Appends the text with the newest apiVersion in place of the older one, plain or in quotes. */
static bool
rename_version(const struct config_text *text, const struct value *root, struct buf *out,
               struct error *err)
{
    const size_t length = strlen(CONFIG_OLDER_API_VERSION);
    size_t line = 1, column = 1;

    value_position(value_get(root, "apiVersion"), NULL, &line, &column);
    size_t at = offset_of(text, line, column);

    at += at < text->length && (text->text[at] == '"' || text->text[at] == '\'') ? 1 : 0;
    if (at > text->length || text->length - at < length ||
        strncmp(text->text + at, CONFIG_OLDER_API_VERSION, length) != 0) {
        return error_set(err, ERROR_CONFIG, "%s:%zu:%zu: write %s here, and convert again",
                         text->file, line, column, CONFIG_OLDER_API_VERSION);
    }
    buf_append(out, text->text, at);
    buf_append_str(out, CONFIG_API_VERSION);
    buf_append(out, text->text + at + length, text->length - at - length);
    return true;
}

static bool
edit(const struct config_text *text, struct buf *out, struct error *err)
{
    struct yaml_documents documents;

    if (!yaml_parse(text->file, text->text, text->length, &documents, err)) {
        return false;
    }
    bool done = rename_version(text, documents.items[0], out, err);

    yaml_documents_free(&documents);
    return done;
}

/* Reads the result again, to prove that the edit kept it valid. */
bool
config_to_newest(const struct config_text *text, struct arena *arena, struct interner *strings,
                 struct buf *out, struct error *err)
{
    struct policy before, after;
    bool is_older = false;

    policy_init(&before);
    policy_init(&after);
    if (!config_parse(text, arena, strings, &before, &is_older, err)) {
        return false;
    }
    if (!is_older) {
        buf_append(out, text->text, text->length);
        return true;
    }
    return edit(text, out, err) &&
           (config_parse(&(struct config_text){text->file, buf_text(out), out->length}, arena,
                         strings, &after, &is_older, err) ||
            error_wrap(err, "converted"));
}
