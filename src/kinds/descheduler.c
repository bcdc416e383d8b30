/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the signs that karmada-descheduler runs: its Deployment, or the Lease that it holds.
 */
#include "ballast/base/timestamp.h"
#include "building.h"
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"

#define DESCHEDULER_NAME "karmada-descheduler"

static bool
is_of_descheduler(const struct value *object)
{
    return str_eq(value_text(value_get(object, "metadata"), "name"), DESCHEDULER_NAME);
}

static bool
is_stopped(const struct value *deployment)
{
    const struct value *spec = value_get(deployment, "spec");
    const struct value *replicas = spec == NULL ? NULL : value_get(spec, "replicas");

    return replicas != NULL && value_type(replicas) == VALUE_INTEGER &&
           value_integer(replicas) == 0;
}

int64_t
decode_lease_renewed(const struct value *lease)
{
    const struct value *spec = value_get(lease, "spec");
    int64_t renewed;

    return spec != NULL && !str_is_empty(value_text(spec, "holderIdentity")) &&
                   timestamp_parse(value_text(spec, "renewTime"), &renewed)
               ? renewed
               : TIME_NONE;
}

bool
builder_needs(const char *kind)
{
    return str_eq(kind, "Lease") || str_eq(kind, "CustomResourceDefinition");
}

void
builder_note(struct fleet_builder *builder, const char *kind, const struct value *object)
{
    struct fleet *fleet = builder->fleet;

    builder_note_definition(builder, kind, object);
    if (str_eq(kind, "Deployment") && is_of_descheduler(object) && !is_stopped(object)) {
        fleet->deploys_descheduler = true;
    }
    if (str_eq(kind, "Lease") && is_of_descheduler(object)) {
        int64_t renewed = decode_lease_renewed(object);

        fleet->descheduler_renewed =
            renewed > fleet->descheduler_renewed ? renewed : fleet->descheduler_renewed;
    }
}
