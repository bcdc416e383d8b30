/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of kubectl's JSONPath templates (client-go util/jsonpath) that names
 * one value: text, and in braces a path of members and indexes:
 *
 *     {.a.b[0].c}   {$.a['b-c']}   job-{.id}   {.list[-1]}
 *
 * Wildcards, filters, slices, unions, recursion and range are refused, never
 * guessed at.
 */
#ifndef BALLAST_FORMAT_JSON_PATH_H
#define BALLAST_FORMAT_JSON_PATH_H

#include "ballast/base/buf.h"
#include "ballast/base/error.h"
#include "ballast/format/value.h"

#define JSON_PATH_MAX 1024 /* bytes of a template, and of `out` with the result */

/* Appends the result of the template for `root` (NULL: an empty object). False with err INVALID if
 * the template is refused, a member or item is missing (as in client-go), or the value is null, an
 * object or a list (unlike client-go). Writes integers in full: a label cannot be 1.234567e+06. */
bool json_path_print(const char *template, const struct value *root, struct buf *out,
                     struct error *err);

/* Called for each member (`name`) and each item (`name` NULL) of `parent` that a template reads. */
struct json_path_visitor {
    void (*visit)(void *context, const struct value *parent, const char *name, size_t index);
    void *context;
};

/* Calls the visitor for every value that json_path_print() would read, up to its failure. */
void json_path_visit(const char *template, const struct value *root,
                     const struct json_path_visitor *visitor);

#endif
