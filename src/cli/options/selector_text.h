/* SPDX-License-Identifier: Apache-2.0
 *
 * Label selectors as text, as kubectl's --selector takes them: the grammar of apimachinery's
 * labels.Parse.
 *
 *     app=web,tier!=cache,env in (prod,staging),!canary
 */
#ifndef BALLAST_CLI_SELECTOR_TEXT_H
#define BALLAST_CLI_SELECTOR_TEXT_H

#include "ballast/base/arena.h"
#include "ballast/base/error.h"
#include "ballast/model/selector.h"

/* Returns the selector, in `arena`. NULL with err ERROR_PARSE. An empty text selects everything.
 * The parser refuses `a > 1` and `a < 1`, which a LabelSelector cannot express. */
const struct label_selector *selector_parse(struct arena *arena, const char *text,
                                            struct error *err);

/* True if Kubernetes accepts the text as a label key. False with ERROR_PARSE and the reason. */
bool label_key_validate(const char *key, struct error *err);
/* True if Kubernetes accepts the text as a label value. False with ERROR_PARSE and the reason. */
bool label_value_validate(const char *value, struct error *err);

#endif
