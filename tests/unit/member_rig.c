/* SPDX-License-Identifier: Apache-2.0
 *
 * One reading of a fleet behind a fake API server.
 */
#include "member_rig.h"

#include "check.h"
#include "live_fleet.h"

static void
note_gaps(struct rig *rig)
{
    for (uint32_t i = 0; i < rig->fleet->n_clusters; i++) {
        const struct member *member = &rig->fleet->members[i];

        if (member->gap.parts != NULL && CHECK(rig->n_unseen < MEMBERS_MAX)) {
            rig->unseen[rig->n_unseen++] =
                (struct gap){member->name, member->gap.parts, member->gap.message};
        }
    }
}

static struct control_plane_options
options_of(enum member_access access, struct member_trust trust, size_t memory,
           int64_t member_timeout)
{
    return (struct control_plane_options){
        .clock = fake_api_clock(),
        .page_size = 2,
        .concurrency = 2,
        .members = {.access = access,
                    .timeout = member_timeout,
                    .time = 4 * AMPLE,
                    .memory = memory,
                    .sources = {.order = {SOURCE_PODS, SOURCE_NODES}, .count = 2},
                    .trust = trust},
    };
}

static void
read_by(struct rig *rig, struct fake_api *api, const struct control_plane_options *options)
{
    *rig = (struct rig){.api = api, .err = ERROR_INIT};
    rig->client = live_client(api, &rig->config);
    rig->plane = control_plane_new(rig->client, options);
    const struct backend backend = control_plane_backend(rig->plane);

    rig->fleet = backend.read(backend.context, &rig->err);
    CHECK_MSG(rig->fleet != NULL, "no fleet: %s", rig->err.message);
    if (rig->fleet != NULL) {
        note_gaps(rig);
        for (uint32_t i = 0; i < rig->fleet->n_problems; i++) {
            CHECK_STR(rig->fleet->problems[i].message, "no problem");
        }
    }
}

void
read_with(struct rig *rig, struct fake_api *api, enum member_access access,
          struct member_trust trust, size_t memory, int64_t member_timeout)
{
    const struct control_plane_options options = options_of(access, trust, memory, member_timeout);

    read_by(rig, api, &options);
}

void
listen_with(struct rig *rig, struct fake_api *api, const struct fleet_tap *tap,
            const struct member_choice *observes, size_t memory)
{
    struct control_plane_options options = options_of(
        MEMBER_ACCESS_AUTO, (struct member_trust){.allow_insecure = true}, memory, AMPLE);

    options.tap = tap;
    options.observes = observes;
    read_by(rig, api, &options);
}

void
read_waiting(struct rig *rig, struct fake_api *api, enum member_access access,
             int64_t member_timeout)
{
    struct policy policy;

    policy_init(&policy);
    policy.trust.allow_insecure = true;
    read_with(rig, api, access, policy.trust, 0, member_timeout);
}

void
read_rig(struct rig *rig, struct fake_api *api, enum member_access access)
{
    read_waiting(rig, api, access, AMPLE);
}

void
close_rig(struct rig *rig)
{
    fleet_free(rig->fleet);
    control_plane_free(rig->plane);
    kube_client_free(rig->client);
    fake_api_stop(rig->api);
}
