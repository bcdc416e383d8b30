/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of KubeFed for the tests of a migration.
 */
#include "migrate_fixture.h"

#include <stdlib.h>

#include "check.h"

const char *const three_clusters[] = {CLUSTER("a", ""), CLUSTER("b", "'region':'eu'"),
                                      CLUSTER("c", "'region':'eu','tier':'gold'"), NULL};

struct document *
migrated_parse(const char *text)
{
    struct error err = ERROR_INIT;
    char *json = strdup(text);

    for (char *c = json; *c != '\0'; c++) {
        if (*c == '\'') {
            *c = '"';
        }
    }
    struct document *document = document_parse_json(json, strlen(json), 1, &err);

    CHECK_MSG(document != NULL, "%s: %s", json, err.message);
    free(json);
    return document;
}

/* As JSON, with ' for " again. */
static char *
print(const struct value *value)
{
    struct buf text;

    if (value == NULL) {
        return strdup("(none)");
    }
    buf_init(&text, SIZE_MAX);
    value_write_json(value, false, &text);
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] == '"') {
            text.data[i] = '\'';
        }
    }
    char *ret = strdup(buf_text(&text));

    buf_release(&text);
    return ret;
}

void
migrated_add(struct migrated *f, const char *text)
{
    struct document *document = migrated_parse(text);

    if (document != NULL) {
        migration_add(f->migration, document_root(document), "", "");
    }
    document_free(document);
}

void
migrated_add_all(struct migrated *f, const char *const *texts)
{
    for (size_t i = 0; texts[i] != NULL; i++) {
        migrated_add(f, texts[i]);
    }
}

void
migrated_finish(struct migrated *f)
{
    f->result = migration_finish(f->migration);
    CHECK(f->result.n_documents <= 16);
    for (size_t i = 0; i < f->result.n_documents && i < 16; i++) {
        f->texts[i] = print(f->result.documents[i]);
    }
}

void
migrated_release(struct migrated *f)
{
    for (size_t i = 0; i < 16; i++) {
        free(f->texts[i]);
    }
    migration_free(f->migration);
}

/* The document of a kind and name; NULL: there is none. */
const struct value *
migrated_find(const struct migrated *f, const char *kind, const char *name)
{
    for (size_t i = 0; i < f->result.n_documents; i++) {
        const struct value *document = f->result.documents[i];

        if (strcmp(value_text(document, "kind"), kind) == 0 &&
            strcmp(value_text(value_get(document, "metadata"), "name"), name) == 0) {
            return document;
        }
    }
    return NULL;
}

void
migrated_check(const struct value *value, const char *want)
{
    char *got = print(value);

    CHECK_STR(got, want);
    free(got);
}

/* How many of the notes that say something is lost contain a text. */
size_t
migrated_lost(const struct migrated *f, const char *part)
{
    size_t count = 0;

    for (size_t i = 0; i < f->result.n_notes; i++) {
        count += f->result.notes[i].is_lost && strstr(f->result.notes[i].text, part) != NULL;
    }
    return count;
}
