/* SPDX-License-Identifier: Apache-2.0
 *
 * A configuration of an older apiVersion as one of the newest: the same text, but for
 * what is called otherwise now.
 */
#include <string.h>

#include "config_key.h"

/* One word of the text that gives way to another one. */
struct renaming {
    const char *from, *to;
    size_t at; /* bytes from the beginning */
};

/* The byte at a line and column (both from 1) of characters in UTF-8. */
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

/* Finds the word, plain or in quotes, where the reader found a value or a key. */
static bool
find_word(const struct config_text *text, size_t line, size_t column, struct renaming *word,
          struct error *err)
{
    const size_t length = strlen(word->from);
    size_t at = offset_of(text, line, column);

    at += at < text->length && (text->text[at] == '"' || text->text[at] == '\'') ? 1 : 0;
    word->at = at;
    return (at < text->length && text->length - at >= length &&
            strncmp(text->text + at, word->from, length) == 0) ||
           error_set(err, ERROR_CONFIG, "%s:%zu:%zu: write %s here, and convert again", text->file,
                     line, column, word->from);
}

/* Finds the words that have another name in the newest apiVersion. */
static bool
find_renamings(const struct config_text *text, const struct document *document,
               struct renaming found[2], size_t *ret_count, struct error *err)
{
    const struct value *root = document_root(document);
    const struct value *limits = value_find(root, "limits", VALUE_OBJECT);
    size_t line = 1, column = 1;

    found[0] = (struct renaming){CONFIG_OLDER_API_VERSION, CONFIG_API_VERSION, 0};
    *ret_count = 1;
    yaml_position(document, value_get(root, "apiVersion"), NULL, &line, &column);
    if (!find_word(text, line, column, &found[0], err)) {
        return false;
    }
    if (value_get(limits, CONFIG_OLDER_LIMIT) == NULL ||
        value_get(limits, CONFIG_NEWER_LIMIT) != NULL) { /* beside that it is null: left out */
        return true;
    }
    found[(*ret_count)++] = (struct renaming){CONFIG_OLDER_LIMIT, CONFIG_NEWER_LIMIT, 0};
    yaml_position(document, limits, CONFIG_OLDER_LIMIT, &line, &column);
    return find_word(text, line, column, &found[1], err);
}

static void
rename_all(const struct config_text *text, const struct renaming *found, size_t count,
           struct buf *out)
{
    size_t at = 0;

    for (size_t i = 0; i < count; i++) {
        const struct renaming *next =
            count == 2 && found[1].at < found[0].at ? &found[1 - i] : &found[i];

        buf_append(out, text->text + at, next->at - at);
        buf_append_str(out, next->to);
        at = next->at + strlen(next->from);
    }
    buf_append(out, text->text + at, text->length - at);
}

static bool
edit(const struct config_text *text, struct buf *out, struct error *err)
{
    struct yaml_documents documents;
    struct renaming found[2];
    size_t count = 0;

    if (!yaml_parse(text->file, text->text, text->length, YAML_KEEP_POSITIONS, &documents, err)) {
        return false;
    }
    bool done = find_renamings(text, documents.items[0], found, &count, err);

    if (done) {
        rename_all(text, found, count, out);
    }
    yaml_documents_free(&documents);
    return done;
}

/* That the text is whole: what an edit made of it is read again. */
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
