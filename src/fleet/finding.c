/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of findings, all from the one table in finding.h.
 */
#include "ballast/finding.h"

#include "ballast/str.h"

struct type_info {
    const char *name;
    bool triggers;
    const char *summary;
};

static const struct type_info types[] = {
#define X(id, name, on, text) {name, on, text},
    FINDING_TYPES(X)
#undef X
};

const char *
finding_type_name(enum finding_type type)
{
    return types[type].name;
}

bool
finding_type_parse(const char *name, enum finding_type *ret)
{
    for (int type = 0; type < N_FINDING_TYPES; type++) {
        if (str_eq(types[type].name, name)) {
            *ret = (enum finding_type)type;
            return true;
        }
    }
    return false;
}

bool
finding_type_default_trigger(enum finding_type type)
{
    return types[type].triggers;
}

const char *
finding_type_summary(enum finding_type type)
{
    return types[type].summary;
}
