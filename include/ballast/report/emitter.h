/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes JSON and YAML as a stream: a report of 100,000 bindings never stands in memory as a tree.
 * The caller opens and ends objects and lists in order; a misuse (a value without a key, an end too
 * many) is a BUG.
 *
 *     emitter_begin(&out, stream, EMIT_JSON);
 *     emit_object(&out, NULL);
 *     emit_string(&out, "kind", "Plan");
 *     emit_end(&out);
 *
 * `key` is the member's name in an object and NULL everywhere else.
 */
#ifndef BALLAST_REPORT_EMITTER_H
#define BALLAST_REPORT_EMITTER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define EMITTER_DEPTH_MAX 16

enum emit_style { EMIT_JSON, EMIT_YAML };

struct emitter {
    FILE *stream;
    enum emit_style style;
    int depth;
    struct emit_frame {
        bool is_list;
        bool on_line; /* the first member goes on the current line */
        int indent;
        uint64_t count;
    } frames[EMITTER_DEPTH_MAX];
};

/* Starts a document on `stream`. The caller closes it and checks its errors. */
void emitter_begin(struct emitter *out, FILE *stream, enum emit_style style);

/* Opens an object until emit_end. `key` is NULL in a list and at the root. */
void emit_object(struct emitter *out, const char *key);
/* Opens a list until emit_end. `key` is NULL in a list and at the root. */
void emit_list(struct emitter *out, const char *key);
/* Ends the innermost open object or list. */
void emit_end(struct emitter *out);

/* Writes a string; `key` is NULL in a list. */
void emit_string(struct emitter *out, const char *key, const char *text);
/* Writes an integer; `key` is NULL in a list. */
void emit_integer(struct emitter *out, const char *key, int64_t value);
/* Writes a boolean; `key` is NULL in a list. */
void emit_bool(struct emitter *out, const char *key, bool value);
/* Writes a null; `key` is NULL in a list. */
void emit_null(struct emitter *out, const char *key);

#endif
