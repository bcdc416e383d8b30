/* SPDX-License-Identifier: Apache-2.0
 *
 * One reading of a fleet behind a fake API server, members included.
 */
#ifndef BALLAST_MEMBER_RIG_H
#define BALLAST_MEMBER_RIG_H

#include "ballast/base/timestamp.h"
#include "ballast/karmada/control_plane.h"
#include "fake_api.h"

#define AMPLE (30 * NANOS_PER_SECOND) /* for one member that answers, on the busiest machine */
#define MEMBERS_MAX 8

struct rig {
    struct fake_api *api;
    struct kube_config config;
    struct kube_client *client;
    struct control_plane *plane;
    struct fleet *fleet;
    struct gap {
        const char *name, *parts, *message;
    } unseen[MEMBERS_MAX]; /* in the order of their clusters */
    uint32_t n_unseen;
    struct error err;
};

/* Reads the fleet behind `api`, which the rig owns from then on. */
void read_with(struct rig *rig, struct fake_api *api, enum member_access access,
               struct member_trust trust, size_t memory, int64_t member_timeout);
/* Members that speak clear text are trusted. */
void read_waiting(struct rig *rig, struct fake_api *api, enum member_access access,
                  int64_t member_timeout);
/* Whatever is bound, for one who only listens. */
void listen_with(struct rig *rig, struct fake_api *api, const struct fleet_tap *tap,
                 const struct member_choice *observes, size_t memory);
void read_rig(struct rig *rig, struct fake_api *api, enum member_access access);
void close_rig(struct rig *rig);

#endif
