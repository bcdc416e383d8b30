/* SPDX-License-Identifier: Apache-2.0
 *
 * YAML in and out. In, as kubectl reads it (sigs.k8s.io/yaml on YAML 1.1): several
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
    size_t *first_lines;     /* of each, counted from 1 */
    size_t count;
};

enum yaml_flags {
    YAML_PLAIN = 0,
    YAML_KEEP_POSITIONS = 1, /* for yaml_position; costs memory, meant for configuration */
    YAML_ITEM_POSITIONS = 2, /* only of a document, its members' values and their items */
};

/* `file` is put before line and column in errors: "fleet.yaml:12:3: ...". */
bool yaml_parse(const char *file, const char *text, size_t length, enum yaml_flags flags,
                struct yaml_documents *ret, struct error *err);

struct yaml_text {
    const char *file;
    const char *text;
    size_t length;
    const atomic_bool *stop; /* NULL: never */
    /* Told now and then how far it is, in bytes of `length`: half of the work is to read the text,
     * and half to make values of it. `what` is `file`. NULL: nobody. */
    const struct progress *progress;
};

/* Likewise, of what may be long: once `stop` is true it ends with ERROR_STOPPED. */
bool yaml_parse_until(const struct yaml_text *text, enum yaml_flags flags,
                      struct yaml_documents *ret, struct error *err);
/* Where a value, or with `key` a member's key, stands (both from 1); false when not kept. */
bool yaml_position(const struct document *document, const struct value *value, const char *key,
                   size_t *ret_line, size_t *ret_column);
void yaml_documents_free(struct yaml_documents *documents);

/* Appends a document as kubectl prints it, without the line that separates documents. */
void yaml_print(const struct value *value, struct buf *out);

/* Of the libyaml that is in use: "0.2.5". */
const char *yaml_library_version(void);

#endif
