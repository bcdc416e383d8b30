/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and printing YAML, as kubectl does (sigs.k8s.io/yaml on YAML 1.1): several
 * documents, anchors and merge keys, block scalars, yes/no/on/off booleans,
 * octal, hexadecimal and underscored numbers. Expansion by aliases is bounded.
 */
#ifndef BALLAST_FORMAT_YAML_H
#define BALLAST_FORMAT_YAML_H

#include <stdatomic.h>

#include "ballast/base/progress.h"
#include "ballast/format/value.h"

struct yaml_documents {
    struct document **items; /* documents without content are left out */
    size_t *first_lines;     /* of each document, from 1 */
    size_t count;
};

enum yaml_flags {
    YAML_PLAIN = 0,
    YAML_KEEP_POSITIONS = 1, /* for yaml_position(); costs memory, meant for configuration */
    YAML_ITEM_POSITIONS = 2, /* only of a document, its members' values and their items */
};

/* Parses a YAML text. The caller frees *ret with yaml_documents_free(). False with err, whose
 * message begins with the place in `file`: "fleet.yaml:12:3: ...". */
bool yaml_parse(const char *file, const char *text, size_t length, enum yaml_flags flags,
                struct yaml_documents *ret, struct error *err);

struct yaml_text {
    const char *file;
    const char *text;
    size_t length;
    const atomic_bool *stop; /* NULL: never */
    /* Gets `file` and the progress in bytes of `length`: reading the text is half of the work,
     * making values the other half. NULL: nobody. */
    const struct progress *progress;
};

/* Parses a YAML text that may be long. The caller frees *ret with yaml_documents_free(). False with
 * err: STOPPED once *stop is true, or the place in `file` and the reason. */
bool yaml_parse_until(const struct yaml_text *text, enum yaml_flags flags,
                      struct yaml_documents *ret, struct error *err);
/* Gives the line and column (from 1) of a value, or with `key` (else NULL) of the key of its
 * member. False if the document has not kept that position. */
bool yaml_position(const struct document *document, const struct value *value, const char *key,
                   size_t *ret_line, size_t *ret_column);
/* Frees all documents and the arrays. */
void yaml_documents_free(struct yaml_documents *documents);

/* Appends a value as kubectl prints a document, without the line that separates documents. */
void yaml_print(const struct value *value, struct buf *out);

/* Returns the version of the libyaml in use: "0.2.5". */
const char *yaml_library_version(void);

#endif
