/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON texts into the model, for the suites of the model. Single quotes stand
 * for double ones, so that a test can be read.
 */
#ifndef BALLAST_MODEL_FIXTURE_H
#define BALLAST_MODEL_FIXTURE_H

#include "../decode_one.h"
#include "check.h"

/* One test's builder and the last document that was parsed. */
struct model_fixture {
    struct fleet_builder *builder;
    struct document *document;
    struct error err;
};

void model_begin(struct model_fixture *f);
void model_end(struct model_fixture *f);
/* The value of a text, until the next one is parsed. Fails the test when it is malformed. */
const struct value *model_value(struct model_fixture *f, const char *text);
/* Appends a text with double quotes in the place of single ones. */
void model_quote(const char *text, struct buf *out);
/* fleet_builder_add of a text. */
enum add_result model_add(struct model_fixture *f, const char *file, size_t line,
                          const char *member, const char *text);
/* Adds a Cluster of that name; fails the test when it is not taken. */
void model_add_cluster(struct model_fixture *f, const char *name);
/* The fleet of what was added; NULL (and the test fails) when there is none. */
struct fleet *model_finish(struct model_fixture *f);

#endif
