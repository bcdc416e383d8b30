/* SPDX-License-Identifier: Apache-2.0
 *
 * The selectors of a list request, as far as tests need them.
 */
#ifndef BALLAST_FAKE_SELECTOR_H
#define BALLAST_FAKE_SELECTOR_H

#include <stdbool.h>

#include "ballast/format/value.h"

/* Whether an object is of a list with that query: labelSelector=KEY=VALUE or KEY!=VALUE, and
 * fieldSelector the same with status.phase. */
bool fake_selector_takes(const char *query, const struct value *object);

/* What "limit=" or the like says in a query; NULL has none. */
unsigned fake_query_number(const char *query, const char *key, unsigned otherwise);

#endif
