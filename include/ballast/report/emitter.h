/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON and YAML written as it comes: a report of 100,000 bindings never stands
 * in memory as a tree. The caller opens and ends objects and lists in order;
 * what it must not do (a value without a key, an end too many) is a BUG.
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
        bool on_line; /* the first member goes on the line that is under way */
        int indent;
        uint64_t count;
    } frames[EMITTER_DEPTH_MAX];
};

void emitter_begin(struct emitter *out, FILE *stream, enum emit_style style);

void emit_object(struct emitter *out, const char *key);
void emit_list(struct emitter *out, const char *key);
void emit_end(struct emitter *out); /* of the innermost object or list */

void emit_string(struct emitter *out, const char *key, const char *text);
void emit_integer(struct emitter *out, const char *key, int64_t value);
void emit_bool(struct emitter *out, const char *key, bool value);
void emit_null(struct emitter *out, const char *key);

#endif
