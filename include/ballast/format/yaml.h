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

/* The roots of the documents of a text; those without content are left out. */
struct yaml_documents {
    struct arena *arena; /* owns all of them */
    const struct value **items;
    size_t *first_lines; /* of each, counted from 1 */
    size_t count;
};

/* Reads a text; `file` is put before line and column in errors: "fleet.yaml:12:3: ...". */
bool yaml_parse(const char *file, const char *text, size_t length, struct yaml_documents *ret,
                struct error *err);

struct yaml_text {
    const char *file;
    const char *text;
    size_t length;
    const atomic_bool *stop; /* NULL: never */
    /* Told now and then how far it is, in bytes of `length`: half of the work is to read the text,
     * and half to make values of it. `what` is `file`. NULL: nobody. */
    const struct progress *progress;
};

/* Reads a text that may be long: once `stop` is true it ends with ERROR_STOPPED. */
bool yaml_parse_until(const struct yaml_text *text, struct yaml_documents *ret, struct error *err);
/* Frees the documents of a text with all their values. */
void yaml_documents_free(struct yaml_documents *documents);

/* Appends a document as kubectl prints it, without the line that separates documents. */
void yaml_print(const struct value *value, struct buf *out);

/* The version of the libyaml that is in use: "0.2.5". */
const char *yaml_library_version(void);

#endif
