/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet that lives: members with nodes and pods, Karmada's control plane over
 * them, and what happens to both, on a clock of its own. Nothing here knows how
 * replicas are rebalanced; a policy (policies.h) does that through the objects.
 *
 * Times are seconds since the Unix epoch, cpu is in milli.
 */
#ifndef BALLAST_SIMULATE_MODEL_H
#define BALLAST_SIMULATE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "../worlds/random.h"
#include "ballast/base/buf.h"
#include "ballast/base/vec.h"
#include "ballast/format/value.h"
#include "ballast/model/fleet.h"
#include "measures.h"
#include "sizes.h"

enum pod_state {
    POD_PENDING,  /* no node takes it */
    POD_STARTING, /* on a node */
    POD_READY,
    POD_CRASHING,
};

struct sim_pod {
    int workload; /* NOBODY: local, of no binding */
    int number;   /* unique in its member; of a StatefulSet its ordinal */
    int node;     /* NOBODY while pending */
    int cpu;
    enum pod_state state;
    int64_t created;
    int64_t since; /* of the state */
    int64_t starts_at;
    struct document *document; /* as its API server shows it; NULL: anew */
};

struct sim_node {
    bool present, cordoned;
    int cpu;
    int used, pods; /* by pods that are bound to it */
    struct document *document;
};

/* A workload's Deployment (or what kind it is) in a member. */
struct sim_deployment {
    int replicas;     /* NOBODY: there is none */
    int count, ready; /* pods */
    int shown_replicas, shown_ready;
    bool shown_finished, shown_starved;
    struct document *document; /* with those above */
};

/* What a workload is: sim_kinds says how objects name it. */
enum sim_kind {
    SIM_DEPLOYMENT,
    SIM_STATEFUL_SET,
    SIM_JOB,
    SIM_ENGINE, /* a custom resource that works only as a whole */
    N_SIM_KINDS,
};

struct sim_kind_names {
    const char *api_version, *kind;
};

extern const struct sim_kind_names sim_kinds[N_SIM_KINDS];

struct sim_cluster {
    char name[16];
    int region;
    bool pull;            /* who loses touch with it says Unknown, not False */
    bool down;            /* nothing runs there */
    bool cut_off;         /* it runs, but the control plane does not reach it */
    bool ready;           /* condition Ready as the control plane shows it */
    int64_t since;        /* of the condition */
    int64_t poisoned;     /* since when whatever starts there fails; 0: no */
    bool poisons_all;     /* and what ran, too */
    int64_t tainted;      /* since when everybody is to leave for maintenance; 0: no */
    int64_t contact;      /* last */
    int64_t lag;          /* seconds from one time that what is assigned is applied to the next */
    int64_t summed_up;    /* last */
    int cpu, used, asked; /* the resource summary: allocatable, allocated, allocating */
    int slots, taken, waiting; /* the same of pods */
    struct document *document;
    struct document *answers; /* of its estimator */
    struct sim_node nodes[SIM_NODES];
    int n_nodes;
    VEC_OF(struct sim_pod) pods;
    int next_pod;
    struct sim_deployment deployments[SIM_WORKLOADS];
};

/* An entry of a binding's status.aggregatedStatus. */
struct sim_status {
    bool present, denied;
    int replicas, count, ready; /* wanted, there, ready */
};

struct sim_workload {
    char name[24];
    char namespace_[8];
    int cpu;
    int replicas, first_replicas;
    enum replica_strategy strategy;
    int priority;
    unsigned affinity; /* bit mask of clusters; 0: any */
    unsigned overflow; /* and a second tier of them, where these are full; 0: none */
    int tolerates;     /* seconds of maintenance; NOBODY: for ever */
    int64_t asked;     /* when a reschedule was asked for last; 0: never */
    int weights[SIM_CLUSTERS];
    bool crashing;       /* wherever it runs */
    unsigned broken_in;  /* it crashes in these clusters */
    unsigned refused_by; /* no node there takes it, for a reason that nodes do not show */
    bool keeps_apart;    /* the reason: a guard on each of them, from which its pods keep apart */
    enum sim_kind kind;
    int sidecar;        /* milli cpu that its pods ask for, and its template does not tell */
    int autoscaled;     /* members' autoscalers hold so many percent of what is assigned; 0: none */
    unsigned denied_by; /* these clusters refuse the workload */
    unsigned starved_in; /* these refuse its pods */
    bool is_finished;    /* wherever it runs */
    int64_t refused;     /* when one of the two masks last grew */
    int64_t placed;      /* when it was scheduled or moved last */

    /* the ResourceBinding, as the control plane's API server has it */
    struct document *binding;
    struct document *replica_set; /* the same in every member */
    struct document *template_;   /* the Deployment, as the control plane has it */
    int64_t generation, observed; /* observed: by karmada-scheduler */
    unsigned assigned;            /* bit mask of spec.clusters, read off the object */
    unsigned evicting;            /* bit mask of graceful eviction tasks, likewise */
    int split[SIM_CLUSTERS];
    struct sim_status status[SIM_CLUSTERS];
    int64_t next_try; /* of karmada-scheduler */
    int64_t backoff;
};

struct sim;

struct sim {
    uint64_t seed;
    struct random random; /* of the events: a policy never draws from it */
    struct random writer; /* of the other writers */
    int64_t now;
    int64_t version;      /* last resourceVersion */
    int conflict_percent; /* of Ballast's writes that somebody else is quicker than */
    int doubt_percent;    /* of them that are carried out and seem not to be */
    bool unscheduled;     /* karmada-scheduler does not run */
    bool estimators;      /* members' estimators answer; nothing else of members is seen */
    int n_clusters, n_workloads;
    struct sim_cluster clusters[SIM_CLUSTERS];
    struct sim_workload workloads[SIM_WORKLOADS];
    struct measures measures;
    struct checks *checks; /* NULL: nothing is checked */
    bool verbose;
};

/* Whose write of a binding it is. */
enum writer {
    WRITER_USER,
    WRITER_OTHER, /* some controller that has its own mind */
    WRITER_SCHEDULER,
    WRITER_CONTROLLER, /* Karmada's other controllers */
    WRITER_POLICY,
};

struct sim *sim_new(uint64_t seed, bool verbose);
void sim_free(struct sim *sim);

/* The pods of a workload in a cluster, and those of them that are ready. */
static inline struct sim_deployment *
sim_deployment(struct sim *sim, int cluster, int workload)
{
    return &sim->clusters[cluster].deployments[workload];
}

/* The control plane gets through to it. */
static inline bool
sim_reaches(const struct sim_cluster *cluster)
{
    return !cluster->down && !cluster->cut_off;
}

/* What the member itself wants of it. */
static inline int
sim_wanted_in(const struct sim *sim, int cluster, int workload)
{
    const struct sim_workload *subject = &sim->workloads[workload];
    int assigned = subject->split[cluster];

    if (subject->is_finished) {
        return 0;
    }
    return subject->autoscaled > 0 ? (assigned * subject->autoscaled + 99) / 100 : assigned;
}

/* Its placement names the cluster. */
static inline bool
sim_allows(const struct sim_workload *workload, int cluster)
{
    return workload->affinity == 0 ||
           ((workload->affinity | workload->overflow) >> cluster & 1) != 0;
}

/* A taint asks it to leave: it does not tolerate it, or no longer. */
static inline bool
sim_must_leave(const struct sim *sim, const struct sim_workload *workload, int cluster)
{
    int64_t since = sim->clusters[cluster].tainted;

    return since != 0 && workload->tolerates != NOBODY && sim->now - since >= workload->tolerates;
}

int sim_find_cluster(const struct sim *sim, const char *name); /* NOBODY */
/* By the name of the binding's resource. */
int sim_find_workload(const struct sim *sim, const char *name); /* NOBODY */

/* A line of the story, with the time before it. */
void sim_tell(const struct sim *sim, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "a=2 b=1" of a split. */
void sim_show_split(const struct sim *sim, const int *split, struct buf *out);

#endif
