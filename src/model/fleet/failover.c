/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of purge modes, all from the one table in binding.h.
 */
#include "ballast/model/binding.h"

#include "ballast/base/str.h"

static const struct {
    const char *name, *summary;
} modes[] = {
#define X(id, name, text) {name, text},
    PURGE_MODES(X)
#undef X
};

const char *
purge_mode_name(enum purge_mode mode)
{
    return modes[mode].name;
}

const char *
purge_mode_summary(enum purge_mode mode)
{
    return modes[mode].summary;
}

bool
purge_mode_parse(const char *name, enum purge_mode *ret)
{
    for (int mode = 0; mode < N_PURGE_MODES; mode++) {
        if (str_eq(modes[mode].name, name)) {
            *ret = (enum purge_mode)mode;
            return true;
        }
    }
    return false;
}

enum purge_mode
purge_mode_other_name(enum purge_mode mode)
{
    switch (mode) {
    case PURGE_GRACEFULLY:
        return PURGE_GRACIOUSLY;
    case PURGE_GRACIOUSLY:
        return PURGE_GRACEFULLY;
    case PURGE_DIRECTLY:
        return PURGE_IMMEDIATELY;
    case PURGE_IMMEDIATELY:
        return PURGE_DIRECTLY;
    default:
        return mode;
    }
}

bool
purge_mode_is_older_name(enum purge_mode mode)
{
    return mode == PURGE_GRACIOUSLY || mode == PURGE_IMMEDIATELY;
}
