/* SPDX-License-Identifier: Apache-2.0 */
#include "parsed_json.h"

#include <string.h>

#include "check.h"

struct document *
parsed_json(const char *json)
{
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(json, strlen(json), 1, &err);

    CHECK_MSG(document != NULL, "%.200s: %s", json, err.message);
    return document;
}
