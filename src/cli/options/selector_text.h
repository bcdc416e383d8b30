/* SPDX-License-Identifier: Apache-2.0
 *
 * Label selectors as text, as kubectl's --selector takes them: the grammar of
 * apimachinery's labels.Parse.
 *
 *     app=web,tier!=cache,env in (prod,staging),!canary
 */
#ifndef BALLAST_CLI_SELECTOR_TEXT_H
#define BALLAST_CLI_SELECTOR_TEXT_H

#include "ballast/base/arena.h"
#include "ballast/base/error.h"
#include "ballast/model/selector.h"

/* Returns the selector, in `arena`; NULL with err (ERROR_PARSE). An empty text selects everything.
 * `a > 1` and `a < 1` are refused: a LabelSelector has no such operators. */
const struct label_selector *selector_parse(struct arena *arena, const char *text,
                                            struct error *err);

/* True if Kubernetes takes the key of a label. False with ERROR_PARSE, which says why not. */
bool label_key_validate(const char *key, struct error *err);
/* True if Kubernetes takes the value of a label. False with ERROR_PARSE, which says why not. */
bool label_value_validate(const char *value, struct error *err);

#endif
