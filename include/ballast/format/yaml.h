/* SPDX-License-Identifier: Apache-2.0
 *
 * YAML in and out. In, as kubectl reads it (sigs.k8s.io/yaml on YAML 1.1): several
 * documents, anchors and merge keys, block scalars, yes/no/on/off booleans,
 * octal, hexadecimal and underscored numbers. Expansion by aliases is bounded.
 */
#ifndef BALLAST_FORMAT_YAML_H
#define BALLAST_FORMAT_YAML_H

#include <stdatomic.h>

#include "ballast/base/arena.h"
#include "ballast/base/progress.h"
#include "ballast/format/value.h"

/* Roots of a text's documents, without empty documents. */
struct yaml_documents {
    struct arena *arena; /* owns all values */
    const struct value **items;
    size_t *first_lines; /* of each document, from 1 */
    size_t count;
};

/* Parses a text. yaml_documents_free() frees *ret. False with err: "FILE:LINE:COLUMN: ...". */
bool yaml_parse(const char *file, const char *text, size_t length, struct yaml_documents *ret,
                struct error *err);

struct yaml_text {
    const char *file;
    const char *text;
    size_t length;
    const atomic_bool *stop; /* NULL: never */
    /* Gets the progress in bytes of `length`, under the name `file`: half for reading the text,
     * half for making values. NULL: none. */
    const struct progress *progress;
};

/* Parses a text that may be long: once `stop` is true, fails with ERROR_STOPPED. */
bool yaml_parse_until(const struct yaml_text *text, struct yaml_documents *ret, struct error *err);
/* Frees all documents and their values. */
void yaml_documents_free(struct yaml_documents *documents);

/* Appends a document as kubectl prints it, without the separator line. */
void yaml_print(const struct value *value, struct buf *out);

/* Returns the version of libyaml in use: "0.2.5". */
const char *yaml_library_version(void);

#endif
