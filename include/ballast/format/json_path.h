/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of kubectl's JSONPath templates (client-go util/jsonpath) that names
 * one value: text, and in braces a path of members and indices:
 *
 *     {.a.b[0].c}   {$.a['b-c']}   job-{.id}   {.list[-1]}
 *
 * Wildcards, filters, slices, unions, recursion and range are refused: what is
 * not understood is never guessed.
 */
#ifndef BALLAST_FORMAT_JSON_PATH_H
#define BALLAST_FORMAT_JSON_PATH_H

#include "ballast/base/buf.h"
#include "ballast/base/error.h"
#include "ballast/format/value.h"

#define JSON_PATH_MAX 1024 /* bytes of a template, and of what it gives */

/* Appends what the template gives of `root` (NULL: nothing is known, and nothing is found). As in
 * client-go what is missing is an error; unlike there, so is what is no text: null, an object, a
 * list. Numbers are written in full: as labels 1.234567e+06 would be refused. */
bool json_path_print(const char *template, const struct value *root, struct buf *out,
                     struct error *err);

/* Is told of each member (`name`) and each item (`name` NULL) that a template reads, in `parent`.
 */
struct json_path_visitor {
    void (*visit)(void *context, const struct value *parent, const char *name, size_t index);
    void *context;
};

/* Reads what json_path_print reads of `root`, up to where that fails. */
void json_path_visit(const char *template, const struct value *root,
                     const struct json_path_visitor *visitor);

#endif
