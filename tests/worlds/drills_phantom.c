/* SPDX-License-Identifier: Apache-2.0
 *
 * A drill: replicas that are assigned to m2 and not seen there, and how many of
 * them are about to come.
 */
#include "drills.h"

static int
smaller(int a, int b)
{
    return a < b ? a : b;
}

struct phantom {
    const char *kind;
    int assigned, shown, wanted;
    int64_t scheduled, placed; /* -1: nobody noted it */
    int64_t made;
    bool applied, refused, retained, over;
    bool behind, paused;        /* its controller has not looked at it; its rollout is paused */
    bool neighbour, recent;     /* another workload is there; its pod is new */
    int64_t pods_made;          /* those that are shown */
    int64_t started;            /* a Job; -1: nobody says */
    int completions, succeeded; /* of a Job; -1: it has none */
};

/* By dice of its own: what its pods tell, and how far a Job is. */
static void
put_progress(const struct gen *gen, struct phantom *p)
{
    struct gen own = *gen;
    const bool is_job = is(p->kind, "Job");

    own.random.state ^= UINT64_C(0x6a6f62);
    p->pods_made = PICK_AGE(&own, 5, 599, 600, LONG_AGO, LONG_AGO, LONG_AGO);
    p->started = is_job && percent(&own, 70) ? PICK_AGE(&own, 5, 599, 600, LONG_AGO) : -1;
    p->succeeded = is_job && percent(&own, 60) ? between(&own, 1, 9) : 0;
    p->completions = is_job && percent(&own, 60)
                         ? p->succeeded + p->shown + (percent(&own, 50) ? 0 : below(&own, 6))
                         : -1;
}

static struct phantom
some_phantom(struct gen *gen)
{
    struct phantom p = {
        .kind = PICK(gen, "Deployment", "Deployment", "StatefulSet", "Job"),
        .assigned = between(gen, 1, 6),
        .scheduled = PICK_AGE(gen, 5, 599, 600, 601, LONG_AGO),
        .made = PICK_AGE(gen, 5, 599, 600, LONG_AGO, LONG_AGO),
        .applied = percent(gen, 85),
        .retained = percent(gen, 25),
    };
    p.shown = p.applied ? below(gen, p.assigned + 1) : 0;
    p.wanted = percent(gen, 60) ? p.assigned : between(gen, p.shown, p.assigned);
    p.refused = is(p.kind, "Deployment") && percent(gen, 30);
    p.over = is(p.kind, "Job") && percent(gen, 50);
    p.behind = !is(p.kind, "Job") && percent(gen, 30);
    p.paused = is(p.kind, "Deployment") && percent(gen, 20);
    p.neighbour = percent(gen, 70);
    p.recent = p.neighbour && percent(gen, 30);
    p.shown = p.over ? 0 : p.shown;
    p.placed = percent(gen, 50) ? -1 : PICK_AGE(gen, 5, 599, 600, 601, LONG_AGO);
    p.scheduled = percent(gen, 90) ? p.scheduled : -1;
    put_progress(gen, &p);
    return p;
}

static bool
is_recent(int64_t age)
{
    return age >= 0 && age < 600;
}

/* Somebody noted when it was written. */
static bool
is_dated(const struct phantom *p)
{
    return p->scheduled >= 0 || p->placed >= 0;
}

/* No controller has looked at it for long, though nothing says that its pods are refused. */
static bool
is_neglected(const struct phantom *p)
{
    bool never = p->shown == 0 && p->wanted > 0 && !p->paused && !p->retained && is_dated(p);

    return p->applied && !is(p->kind, "Job") && !p->refused && !is_recent(p->scheduled) &&
           p->made >= 600 && !p->recent && !(p->shown > 0 && is_recent(p->pods_made)) &&
           (p->behind || never);
}

/* Somebody has paused it before its first pod was made. */
static bool
is_not_begun(const struct phantom *p)
{
    return p->paused && p->shown == 0 && p->made >= 600;
}

/* Its object asks for pods, so that some come. */
static bool
creates(const struct phantom *p)
{
    bool is_worked_on = (p->shown > 0 && is_recent(p->pods_made)) || is_recent(p->started);

    return (!p->refused && (is(p->kind, "Deployment") || is_worked_on)) || p->made < 600;
}

/* Of them, those that a Job still needs: with completions, what these lack; else none once one has
 * succeeded. What it was just told to run, and has not heard of, it may still need. */
static int
needed(const struct phantom *p, int count)
{
    const bool is_new = is_recent(p->scheduled) || is_recent(p->placed);

    if (p->wanted < p->assigned && is_new) {
        return count;
    }
    return p->completions >= 0 ? smaller(count, p->completions - p->succeeded)
           : p->succeeded > 0  ? smaller(count, p->shown)
                               : count;
}

/* How many of them are to be waited for. */
static int
reserved(const struct phantom *p)
{
    int most = p->retained ? p->wanted : p->assigned, coming = 0;

    if (!p->applied || p->over) {
        return 0;
    }
    if (is_recent(p->scheduled) || is_recent(p->placed)) {
        coming = most;
    } else if (!is_dated(p) && p->wanted < p->assigned && !p->retained && !p->refused) {
        coming = p->assigned; /* the member may not have heard of all of them yet */
    } else if (!is_neglected(p) && !is_not_begun(p) && (!is_dated(p) || creates(p))) {
        coming = p->wanted;
    }
    coming = needed(p, coming);
    return coming > p->shown ? coming - p->shown : 0;
}

static void
show_phantom(struct gen *gen, const struct phantom *p, const json_t *binding)
{
    json_t *workload = drill_workload(gen, binding, 2, p->wanted, p->made);

    if (p->retained) {
        put_key(workload, "metadata.labels", "resourcetemplate.karmada.io/retain-replicas",
                json_string("true"));
    }
    if (p->behind) {
        put(workload, "metadata.generation", json_integer(2));
    }
    if (p->paused) {
        put(workload, "spec.paused", json_true());
    }
    if (p->completions >= 0) {
        put(workload, "spec.completions", json_integer(p->completions));
    }
    if (p->succeeded > 0) {
        put(workload, "status.succeeded", json_integer(p->succeeded));
    }
    if (p->started >= 0) {
        put(workload, "status.startTime", ago(gen, p->started));
    }
    if (p->refused || p->over) {
        put(workload, "status.conditions",
            pack("[{s:s,s:s,s:s,s:s,s:o}]", "type", p->refused ? "ReplicaFailure" : "Complete",
                 "status", "True", "reason", "FailedCreate", "message", "denied",
                 "lastTransitionTime", ago(gen, 2400)));
    }
    drill_pods(gen, binding,
               &(struct drill_pods){2, 0, p->shown, POD_READY, LONG_AGO, p->pods_made});
}

/* Where it is alone, its controllers' cluster is no destination for others either. */
static bool
is_deserted(const struct phantom *p)
{
    return is_neglected(p) && p->behind && !p->neighbour;
}

static void
add_neighbour(struct gen *gen, const struct phantom *p)
{
    int64_t made = p->recent ? 599 : LONG_AGO;
    json_t *other = drill_binding(gen, "near", "near", "Deployment", drill_names(2, 2));

    drill_assign(other, 2, 1, 1);
    drill_workload(gen, other, 2, 1, LONG_AGO);
    drill_pods(gen, other, &(struct drill_pods){2, 0, 1, POD_READY, made, made});
}

void
drill_phantom(struct gen *gen)
{
    struct phantom p = some_phantom(gen);
    int room = between(gen, 1, 9), stuck = between(gen, 1, 6);
    int left = is_deserted(&p) ? 0 : room - reserved(&p);
    int goes = left > 0 ? smaller(stuck, left) : 0, near = p.neighbour ? 1 : 0;
    int ends = p.over ? 0 : needed(&p, p.retained ? p.wanted : p.assigned);

    drill_cluster(gen, 1, 1, 1);
    drill_cluster(gen, 2, room + p.shown + near, p.shown + near);
    drill_cluster(gen, 3, 1, 1);
    drill_bystander(gen, 2);
    if (p.neighbour) {
        add_neighbour(gen, &p);
    }
    json_t *old = drill_binding(gen, "old", "old", p.kind, drill_names(2, 2));

    drill_assign(old, 2, p.assigned, p.shown);
    if (p.scheduled >= 0) {
        put(old, "status.lastScheduledTime", ago(gen, p.scheduled));
    } else {
        json_object_del(at(old, "status"), "lastScheduledTime");
    }
    if (p.placed >= 0) {
        put_key(old, "metadata.annotations", "ballast.io/placed-at", ago(gen, p.placed));
    }
    if (p.applied) {
        show_phantom(gen, &p, old);
    } else {
        put(old, "status.aggregatedStatus",
            pack("[{s:s,s:s}]", "clusterName", "m2", "appliedMessage", "in the way"));
    }
    drill_stuck(gen, 2, 1, stuck);
    drill_expect(gen, "web", "what is assigned and will not come reserves nothing, else it does",
                 drill_split(1, 1 + stuck - goes, 2, goes));
    if (p.applied) {
        drill_expect_finding(gen, "old", "PodsNotCreated", ends - p.shown - reserved(&p) > 0);
    }
}
