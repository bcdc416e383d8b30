/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a host's FederatedTypeConfigs: its federated kinds, and the reasons against propagating a
 * kind.
 */
#include "federation.h"
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"

#include <ctype.h>

#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"

#define DEFAULT_TARGET_API "apps/v1"
#define FEDERATED "Federated"

static const char *
api_version(struct fleet_builder *builder, const struct type_names *names, const char *otherwise)
{
    if (str_is_empty(names->version)) {
        return otherwise;
    }
    return arena_printf(builder->fleet->arena, "%s%s%s", names->group,
                        str_is_empty(names->group) ? "" : "/", names->version);
}

/* KubeFed's rule for kinds without a plural (kubefed pkg/apis/core/typeconfig, PluralName). */
const char *
federated_plural(struct arena *arena, const char *kind, const char *plural)
{
    const char *named = str_is_empty(plural) ? kind : plural;
    size_t length = strlen(named);
    char *lower = arena_strndup(arena, named, length);

    if (!str_is_empty(plural)) {
        return lower;
    }
    for (size_t i = 0; i < length; i++) {
        lower[i] = (char)tolower((unsigned char)lower[i]);
    }
    if (length > 0 && lower[length - 1] == 'y') {
        return arena_printf(arena, "%.*sies", pin_width(length) - 1, lower);
    }
    return arena_printf(arena, "%s%s", lower, length > 0 && lower[length - 1] == 's' ? "es" : "s");
}

static const char *
why_off(struct fleet_builder *builder, const struct type_config *config)
{
    struct arena *arena = builder->fleet->arena;

    if (config->deletion_timestamp != TIME_NONE) {
        return arena_printf(arena, "FederatedTypeConfig %s is being deleted", config->name);
    }
    return str_eq(config->propagation, "Enabled")
               ? NULL
               : arena_printf(arena, "FederatedTypeConfig %s does not propagate it (%s)",
                              config->name,
                              str_is_empty(config->propagation) ? "no spec.propagation"
                                                                : config->propagation);
}

void
take_federated_types(struct fleet_builder *builder, struct federation *federation)
{
    const struct federation_builder *parts = &builder->federation;
    struct federated_type *types =
        ARENA_ARRAY(builder->fleet->arena, struct federated_type, parts->types.count);

    for (size_t i = 0; i < parts->types.count; i++) {
        const struct type_config *config = &parts->types.items[i];
        const char *kind = config->federated.kind;
        const char *bare =
            strncmp(kind, FEDERATED, strlen(FEDERATED)) == 0 ? kind + strlen(FEDERATED) : kind;

        if (str_eq(config->namespace_, federation->namespace_)) {
            types[federation->n_types++] = (struct federated_type){
                .kind = kind,
                .api_version = api_version(builder, &config->federated, FEDERATED_API),
                .plural = federated_plural(builder->fleet->arena, kind, config->federated.plural),
                .target_api_version = api_version(builder, &config->target, DEFAULT_TARGET_API),
                .target_kind = str_is_empty(config->target.kind) ? bare : config->target.kind,
                .off = why_off(builder, config),
            };
        }
    }
    federation->types = types;
}

void
federated_types_enable(struct fleet_builder *builder, const struct federation *federation)
{
    struct fleet *fleet = builder->fleet;
    uint32_t count = federation->n_types;
    struct api_enablement *apis = ARENA_ARRAY(fleet->arena, struct api_enablement, count);

    for (uint32_t i = 0; i < count; i++) {
        const char **kinds = ARENA_ARRAY(fleet->arena, const char *, 1);

        kinds[0] = federation->types[i].target_kind;
        apis[i] = (struct api_enablement){
            .group_version = federation->types[i].target_api_version,
            .kinds = {.items = kinds, .count = 1, .present = true},
        };
    }
    api_enablements_sort(apis, count);
    for (size_t i = 0; i < builder->clusters.count; i++) {
        builder->clusters.items[i].api_enablements = apis;
        builder->clusters.items[i].n_api_enablements = count;
    }
}
