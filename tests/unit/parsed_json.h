/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON that a test has written itself.
 */
#ifndef BALLAST_PARSED_JSON_H
#define BALLAST_PARSED_JSON_H

#include "ballast/format/value.h"

/* A text that is no JSON fails the test. Freed with document_free. */
struct document *parsed_json(const char *json);

#endif
