/* SPDX-License-Identifier: Apache-2.0
 *
 * Which clusters fail together.
 */
#include "ballast/model/failure_domain.h"

#include "ballast/base/buf.h"
#include "ballast/base/str.h"

const char *
failure_domain_name(struct arena *arena, const struct cluster *cluster, enum guard_group by)
{
    const char *zones = cluster->zone;

    if (by == GUARD_BY_REGION) {
        return cluster->region;
    }
    if (by == GUARD_BY_PROVIDER) {
        return cluster->provider;
    }
    if (by != GUARD_BY_ZONE || cluster->zones.count == 0) {
        return zones;
    }
    struct buf text;

    buf_init(&text, SIZE_MAX / 2);
    for (uint32_t i = 0; i < cluster->zones.count; i++) {
        buf_append_str(&text, i > 0 ? "," : "");
        buf_append_str(&text, cluster->zones.items[i]);
    }
    zones = arena_strndup(arena, buf_text(&text), text.length);
    buf_release(&text);
    return zones;
}

const char *
failure_domain_word(enum guard_group by, bool plural)
{
    static const char *const words[][2] = {
        [GUARD_BY_NONE] = {"group", "groups"},
        [GUARD_BY_REGION] = {"region", "regions"},
        [GUARD_BY_PROVIDER] = {"provider", "providers"},
        [GUARD_BY_ZONE] = {"zone", "zones"},
    };

    return words[by][plural];
}
