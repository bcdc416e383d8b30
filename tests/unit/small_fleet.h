/* SPDX-License-Identifier: Apache-2.0
 *
 * Fleets small enough to be read in a test. Objects are JSON with ' for ". The
 * time is always small_fleet_now; ages are minutes before it.
 */
#ifndef BALLAST_SMALL_FLEET_H
#define BALLAST_SMALL_FLEET_H

#include "ballast/diagnose/diagnose.h"
#include "ballast/kinds/decode.h"

/* What says that a policy owns a binding: what karmada-scheduler goes by, and so does Ballast. */
#define OWNED "'propagationpolicy.karmada.io/permanent-id':'p'"
#define OWNED_LABEL "'labels':{" OWNED "}"

struct small_fleet {
    struct fleet_builder *builder;
    struct fleet *fleet;
    struct arena *arena;
    struct policy policy; /* the defaults, with the time set */
    const struct diagnosis *diagnosis;
    unsigned n_pods;
    unsigned n_bad; /* objects that cannot be read */
};

enum pod_state {
    POD_READY,
    POD_STARTING,      /* scheduled, not ready, nothing wrong with it */
    POD_UNSCHEDULABLE, /* "0/4 nodes are available: 4 Insufficient cpu." */
    POD_CRASHING,      /* CrashLoopBackOff */
    POD_NO_IMAGE,      /* ImagePullBackOff */
    POD_EVICTED,       /* phase Failed */
    POD_DONE,          /* phase Succeeded */
    POD_TERMINATING,   /* ready, and being deleted */
};

int64_t small_fleet_now(void);
/* RFC 3339 of so many minutes ago; of a ring of buffers. */
const char *ago(int minutes);

void small_fleet_open(struct small_fleet *f);
void small_fleet_close(struct small_fleet *f);

/* One object, "" for the control plane. */
void small_fleet_add(struct small_fleet *f, const char *member, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* One that cannot be read, and is skipped. */
void small_fleet_add_bad(struct small_fleet *f, const char *member, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A Cluster that has been ready for an hour, and all of whose parts were looked at. */
void small_fleet_cluster(struct small_fleet *f, const char *name);
/* A Cluster whose Ready has that status for so long, with more in its spec ("" or ",'taints':..."),
 * nothing of which was seen. */
void small_fleet_sick_cluster(struct small_fleet *f, const char *name, const char *ready, int age,
                              const char *more_spec);
/* A divided Deployment ns/NAME; `clusters` is the list's inside, `more_spec` begins with a comma or
 * is "". */
void small_fleet_binding(struct small_fleet *f, const char *name, int replicas,
                         const char *clusters, const char *more_spec);
/* Deployment ns/NAME in a member, with the template of a version. */
void small_fleet_deployment(struct small_fleet *f, const char *member, const char *name,
                            int replicas, const char *version);
/* Its ReplicaSet NAME-VERSION. */
void small_fleet_replica_set(struct small_fleet *f, const char *member, const char *name,
                             const char *version, int age);
/* Pods whose controller is KIND NAME in the member. */
struct small_pods {
    int count;
    enum pod_state state;
    int age; /* minutes in that state */
};
void small_fleet_pods(struct small_fleet *f, const char *member, const char *kind,
                      const char *owner, struct small_pods pods);
/* A Deployment of one version with its ReplicaSet, and `ready` ready pods. */
void small_fleet_web(struct small_fleet *f, const char *member, int replicas, int ready);

/* Ends the fleet and diagnoses it; false (and a failed check) when that cannot be. */
bool small_fleet_diagnose(struct small_fleet *f);
/* Diagnoses it again, after a change of the policy. */
void small_fleet_again(struct small_fleet *f);
/* The finding of a type about a cluster ("" for none) of the only or first binding, else NULL. */
const struct finding *small_fleet_find(const struct small_fleet *f, enum finding_type type,
                                       const char *cluster);
/* The state of the n-th entry of spec.clusters of the first binding. */
const struct target_state *small_fleet_target(const struct small_fleet *f, uint32_t entry);

#endif
