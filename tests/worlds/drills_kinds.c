/* SPDX-License-Identifier: Apache-2.0
 *
 * The kinds of drills: each a trouble, its boundary cases, and what is right.
 */
#include <stdio.h>

#include "drills.h"

int64_t
drill_pick_age(struct gen *gen, const int64_t *ages, int count)
{
    return ages[below(gen, count)];
}

json_t *
drill_split(int first, int a, int second, int b)
{
    json_t *clusters = json_object();
    char name[16];

    snprintf(name, sizeof(name), "m%d", first);
    json_object_set_new(clusters, name, json_integer(a));
    snprintf(name, sizeof(name), "m%d", second);
    json_object_set_new(clusters, name, json_integer(b));
    return clusters;
}

json_t *
drill_stuck(struct gen *gen, int other, int ready, int stuck)
{
    json_t *web = drill_binding(gen, "shop", "web", "Deployment", drill_names(1, other));

    drill_assign(web, 1, ready + stuck, ready);
    drill_workload(gen, web, 1, ready + stuck, 800000);
    drill_pods(gen, web, &(struct drill_pods){1, 0, ready, POD_READY, 800000, 800000});
    drill_pods(gen, web, &(struct drill_pods){1, ready, stuck, POD_STUCK, 900, 900});
    return web;
}

void
drill_bystander(struct gen *gen, int number)
{
    json_t *pod = member_object(gen, number - 1, "v1", "Pod", "local", "local");

    put(pod, "spec", pack("{s:s,s:[{s:s}]}", "nodeName", "node", "containers", "name", "c"));
    put(pod, "status",
        pack("{s:s,s:[{s:s,s:s}]}", "phase", "Running", "conditions", "type", "Ready", "status",
             "True"));
    add_object(gen, pod);
}

/* --- a StatefulSet of which some are stuck ------------------------------------------------ */

void
drill_ordinals(struct gen *gen)
{
    const char *kind = PICK(gen, "StatefulSet", "StatefulSet", "StatefulSet", "Deployment");
    int replicas = between(gen, 1, 6), start = percent(gen, 30) ? between(gen, 1, 3) : 0;
    int stuck = 0, from_top = 0;

    put(gen->config, "movableKinds", pack("[s]", "StatefulSet"));
    drill_cluster(gen, 1, 1, 1);
    drill_cluster(gen, 2, 30, 0);
    json_t *set = drill_binding(gen, "db", "db", kind, drill_names(1, 2));

    drill_assign(set, 1, replicas, replicas);
    put(drill_workload(gen, set, 1, replicas, 800000), "spec.ordinals.start", json_integer(start));
    for (int i = 0; i < replicas; i++) {
        bool waits = percent(gen, 55);
        int64_t since = waits ? PICK_AGE(gen, 299, 300, 301, 3600, 3600) : 800000;
        bool is_stuck = waits && since > 300;

        drill_pods(
            gen, set,
            &(struct drill_pods){1, start + i, 1, waits ? POD_STUCK : POD_READY, since, since});
        stuck += is_stuck ? 1 : 0;
        from_top = is_stuck ? from_top + 1 : 0;
    }
    int leave = is(kind, "StatefulSet") ? from_top : stuck;

    drill_expect(gen, "db", "stuck ordinals leave from the highest down, and no other",
                 drill_split(1, replicas - leave, 2, leave));
}

/* --- a cluster where more of a workload would not run either ------------------------------- */

void
drill_barren(struct gen *gen)
{
    int stuck = between(gen, 1, 4), there = between(gen, 2, 4), kind = below(gen, 3);
    bool closed = true;

    drill_cluster(gen, 1, 1, 1);
    drill_cluster(gen, 2, 90, there);
    drill_cluster(gen, 3, 30, 0);
    json_t *web = drill_stuck(gen, 2, 1, stuck);

    json_array_append_new(at(web, "spec.placement.clusterAffinity.clusterNames"),
                          json_string("m3"));
    put_key(web, "metadata.annotations", "policy.karmada.io/applied-placement", json_string("{}"));
    drill_assign(web, 2, there, 0);
    if (kind == 0) {
        json_t *said = find_by(at(web, "status.aggregatedStatus"), "clusterName", "m2");

        put(said, "applied", json_false());
        put(said, "appliedMessage", json_string("denied"));
    } else if (kind == 1) {
        int64_t since = PICK_AGE(gen, 599, 600, 601, 7200, 7200);
        int ready = percent(gen, 30) ? 1 : 0;

        closed = since > 600 && ready == 0;
        drill_workload(gen, web, 2, there, 800000);
        drill_pods(gen, web, &(struct drill_pods){2, 0, ready, POD_READY, 800000, 800000});
        drill_pods(gen, web,
                   &(struct drill_pods){2, ready, there - ready,
                                        percent(gen, 50) ? POD_HANGS : POD_UNREADY, since, since});
    } else {
        int64_t scheduled = PICK_AGE(gen, 5, 599, 600, LONG_AGO);
        json_t *workload = drill_workload(gen, web, 2, there, 800000);

        closed = scheduled >= 600;
        put(web, "status.lastScheduledTime", ago(gen, scheduled));
        put(workload, "status.conditions",
            pack("[{s:s,s:s,s:s,s:s,s:o}]", "type", "ReplicaFailure", "status", "True", "reason",
                 "FailedCreate", "message", "exceeded quota", "lastTransitionTime",
                 ago(gen, 2400)));
        drill_pods(gen, web, &(struct drill_pods){2, 0, there - 1, POD_READY, 800000, 800000});
    }
    if (closed) {
        json_t *right = drill_split(1, 1, 2, there);

        put(right, "m3", json_integer(stuck));
        drill_expect(gen, "web", "nothing more goes where it does not run", right);
    } else if (at(web, "spec.placement.replicaScheduling.weightPreference.staticWeightList") ==
               NULL) {
        drill_expect_more(gen, "web", "it may go there, where the most room is", 2, there);
    }
}

/* --- a cluster that fails what is started in it -------------------------------------------- */

#define STARTS_MAX 5

struct start {
    int64_t age;
    int team;
};

/* Since some time workloads of three teams failed, and more than came up. */
static bool
fails_starts(const struct start *bad, int n_bad, const struct start *good, int n_good)
{
    for (int i = 0; i < n_bad; i++) {
        unsigned teams = 0;
        int failed = 0, well = 0;

        for (int k = 0; k < n_bad; k++) {
            failed += bad[k].age <= bad[i].age ? 1 : 0;
            teams |= bad[k].age <= bad[i].age ? 1u << bad[k].team : 0;
        }
        for (int k = 0; k < n_good; k++) {
            well += good[k].age <= bad[i].age ? 1 : 0;
        }
        if (__builtin_popcount(teams) >= 3 && failed > well) {
            return true;
        }
    }
    return false;
}

/* What refuses pods is counted by namespaces, since a namespace may have a rule of its own. */
static json_t *
add_start(struct gen *gen, int number, int team, bool is_good, int namespaces)
{
    char name[32], namespace_[32], policy[32];

    snprintf(name, sizeof(name), "%s%d", is_good ? "good" : "bad", number);
    snprintf(namespace_, sizeof(namespace_), "team%d", team % namespaces);
    snprintf(policy, sizeof(policy), "policy%d", team);
    json_t *start = drill_binding(gen, namespace_, name, "Deployment",
                                  is_good ? drill_names(2, 2) : drill_names(2, 3));

    put_key(start, "metadata.labels", "propagationpolicy.karmada.io/permanent-id",
            json_string(policy));
    return start;
}

/* Ways to fail; pods that are refused there are not. */
enum { REFUSED = POD_PULLS + 1, REFUSED_BY_QUOTA };

/* A workload of which the only pod fails, or none is created. */
static void
add_bad(struct gen *gen, int number, const struct start *start, int how)
{
    int namespaces = how >= REFUSED ? STARTS_MAX : 2;
    json_t *binding = add_start(gen, number, start->team, false, namespaces);

    drill_assign(binding, 2, 1, 0);
    json_t *workload = drill_workload(gen, binding, 2, 1, start->age);

    if (how < REFUSED) {
        drill_pods(gen, binding, &(struct drill_pods){2, 0, 1, how, start->age, start->age});
        return;
    }
    put(workload, "status.conditions",
        pack("[{s:s,s:s,s:s,s:s,s:o}]", "type", "ReplicaFailure", "status", "True", "reason",
             "FailedCreate", "message",
             how == REFUSED ? "admission webhook denied it"
                            : "pods \"p\" is forbidden: exceeded quota: q",
             "lastTransitionTime", ago(gen, start->age)));
}

static void
add_good(struct gen *gen, int number, const struct start *start)
{
    json_t *binding = add_start(gen, number, start->team, true, STARTS_MAX);

    drill_assign(binding, 2, 1, 1);
    drill_workload(gen, binding, 2, 1, start->age);
    drill_pods(gen, binding, &(struct drill_pods){2, 0, 1, POD_READY, start->age, start->age});
}

/* The clusters, and what runs in them. */
static void
add_failing_scene(struct gen *gen)
{
    drill_cluster(gen, 1, 9, 0);
    drill_cluster(gen, 2, 90, 5);
    drill_cluster(gen, 3, 40, 1);
    drill_lose(gen, drill_cluster(gen, 4, 20, 0), 900, "ClusterNotReachable");
    drill_bystander(gen, 2);
    json_t *steady = drill_binding(gen, "shop", "steady", "Deployment", drill_names(3, 3));

    drill_assign(steady, 3, 1, 1);
    drill_workload(gen, steady, 3, 1, 100);
    drill_pods(gen, steady, &(struct drill_pods){3, 0, 1, POD_READY, 100, 100});
}

static void
expect_of_lost(struct gen *gen, bool fails)
{
    json_t *web = drill_binding(gen, "shop", "web", "Deployment", drill_names(2, 3));

    json_array_append_new(at(web, "spec.placement.clusterAffinity.clusterNames"),
                          json_string("m4"));
    put_key(web, "metadata.annotations", "policy.karmada.io/applied-placement", json_string("{}"));
    drill_assign(web, 4, 6, 6);
    if (fails) {
        drill_expect(gen, "web", "nothing goes to a cluster that fails what starts there",
                     drill_split(2, 0, 3, 6));
    } else {
        drill_expect_more(gen, "web", "the cluster with the most room does not fail", 2, 0);
    }
}

void
drill_failing(struct gen *gen)
{
    static const int ways[] = {POD_CRASHES, POD_PULLS, POD_HANGS, POD_UNREADY, REFUSED};
    struct start bad[STARTS_MAX], good[STARTS_MAX];
    int kind = below(gen, 5), n_bad = between(gen, 2, STARTS_MAX), counted = 0;
    int n_good = below(gen, 4);
    int64_t threshold = kind < 2 ? 300 : 600;
    bool counts[STARTS_MAX];

    add_failing_scene(gen);
    for (int i = 0; i < n_good; i++) {
        good[i] = (struct start){PICK_AGE(gen, 200, 1000, 2000, 3000, 500000), 5};
        add_good(gen, i, &good[i]);
    }
    for (int i = 0; i < n_bad; i++) {
        int how = kind == 4 && percent(gen, 30) ? REFUSED_BY_QUOTA : ways[kind];
        struct start start = {PICK_AGE(gen, threshold, threshold + 1, 1500, 2500, 4000),
                              percent(gen, 70) ? i : 0};

        add_bad(gen, i, &start, how);
        counts[i] = how == REFUSED || (how < REFUSED && start.age > threshold);
        if (counts[i]) {
            bad[counted++] = start;
        }
    }
    bool fails = fails_starts(bad, counted, good, n_good);

    expect_of_lost(gen, fails);
    for (int i = 0; i < n_bad; i++) {
        bool leaves = fails && counts[i] && kind < 2;
        char name[32];

        snprintf(name, sizeof(name), "bad%d", i);
        drill_expect(gen, name, "what fails leaves a cluster that is to blame, and only that",
                     drill_split(2, leaves ? 0 : 1, 3, leaves ? 1 : 0));
    }
}

/* --- Ballast's own record as a witness ----------------------------------------------------- */

#define MARK "2965980720" /* of what asks for one CPU */

static void
put_record(json_t *binding, const char *text)
{
    put_key(binding, "metadata.annotations", "ballast.io/last-move", json_string(text));
}

void
drill_record(struct gen *gen)
{
    const char *kind = PICK(gen, "Deployment", "Deployment", "StatefulSet");
    const char *reason = PICK(gen, "UnhealthyCluster", "UnhealthyCluster", "UnhealthyCluster",
                              "RescheduleRequested", "FailedReplicas", "UnschedulableReplicas");
    const char *ready = PICK(gen, "", "", "\"ready\":2,", "\"ready\":0,");
    const int64_t moved = 3000, made = PICK_AGE(gen, 2990, 2401, 2400, 2399, 1500);
    int replicas = between(gen, 1, 3);
    bool same = made >= moved - 600;
    bool was_ready = !is(ready, "\"ready\":0,") && !is(reason, "FailedReplicas") &&
                     !is(reason, "UnschedulableReplicas");
    bool leaves = same && was_ready;
    char record[512], time[64];
    json_t *then = time_json(WORLD_NOW - moved);

    snprintf(time, sizeof(time), "%s", json_string_value(then));
    json_decref(then);
    snprintf(record, sizeof(record),
             "{\"time\":\"%s\",\"from\":[{\"name\":\"m4\",\"replicas\":%d}],"
             "\"to\":[{\"name\":\"m2\",\"replicas\":%d}],\"reason\":\"%s\",%s\"attempt\":1,"
             "\"workload\":" MARK "}",
             time, replicas, replicas, reason, ready);
    put(gen->config, "movableKinds", pack("[s]", "StatefulSet"));
    drill_cluster(gen, 1, 1, 1);
    drill_cluster(gen, 2, 20, replicas);
    drill_cluster(gen, 3, 20, 0);
    drill_lose(gen, drill_cluster(gen, 4, 20, 0), 3500, "ClusterNotReachable");
    json_t *web = drill_binding(gen, "shop", "web", kind, drill_names(2, 3));

    put_record(web, record);
    drill_assign(web, 2, replicas, 0);
    drill_workload(gen, web, 2, replicas, made);
    drill_pods(gen, web,
               &(struct drill_pods){2, 0, replicas, percent(gen, 50) ? POD_CRASHES : POD_PULLS,
                                    1400, made});
    drill_expect(gen, "web", "a version that was ready until it was moved here is not to blame",
                 drill_split(2, leaves ? 0 : replicas, 3, leaves ? replicas : 0));
}

/* --- a cluster that does not tell how it is, and is seen ----------------------------------- */

void
drill_agent(struct gen *gen)
{
    int replicas = between(gen, 1, 6), ready = below(gen, replicas + 1);
    int64_t since = PICK_AGE(gen, 299, 300, 301, 3600, 3600);
    bool answers = percent(gen, 80);
    bool lost = since > 300 && (!answers || 2 * ready <= replicas);

    drill_cluster(gen, 1, 20, 0);
    drill_lose(gen, drill_cluster(gen, 2, 20, replicas), since,
               answers ? "ClusterStatusUnknown" : "ClusterNotReachable");
    drill_cluster(gen, 3, 1, 1);
    json_t *web = drill_binding(gen, "shop", "web", "Deployment", drill_names(1, 2));

    drill_assign(web, 2, replicas, ready);
    drill_workload(gen, web, 2, replicas, 800000);
    drill_pods(gen, web, &(struct drill_pods){2, 0, ready, POD_READY, 800000, 800000});
    drill_pods(gen, web,
               &(struct drill_pods){2, ready, replicas - ready, POD_UNREADY, since, 800000});
    drill_expect(gen, "web", "a cluster is lost unless its pods are seen to be ready",
                 drill_split(1, lost ? replicas : 0, 2, lost ? 0 : replicas));
}

/* --- a cluster that was lost, and is back --------------------------------------------------- */

void
drill_cooldown(struct gen *gen)
{
    bool twice = percent(gen, 40);
    int64_t length = twice ? 600 : 300;
    int64_t back = PICK_AGE(gen, length - 1, length, length + 1, 20000);
    int64_t moved = back == 20000 ? PICK_AGE(gen, length - 1, length, length + 1) : back + 600;
    int stuck = between(gen, 1, 4);
    bool over = (back < moved ? back : moved) >= length;
    char record[512];
    json_t *then = time_json(WORLD_NOW - moved), *before = time_json(WORLD_NOW - 18000);

    snprintf(record, sizeof(record),
             "{\"time\":\"%s\",\"from\":[{\"name\":\"m2\",\"replicas\":1}],"
             "\"to\":[{\"name\":\"m1\",\"replicas\":1}],\"reason\":\"UnhealthyCluster\","
             "\"attempt\":1,\"workload\":" MARK ",\"earlier\":[{\"time\":\"%s\","
             "\"from\":[{\"name\":\"%s\",\"replicas\":1}],"
             "\"to\":[{\"name\":\"m1\",\"replicas\":1}],\"reason\":\"UnhealthyCluster\"}]}",
             json_string_value(then), json_string_value(before), twice ? "m2" : "m3");
    json_decref(then);
    json_decref(before);
    drill_cluster(gen, 1, 1, 1);
    put(json_array_get(at(drill_cluster(gen, 2, 20, 0), "status.conditions"), 0),
        "lastTransitionTime", ago(gen, back));
    drill_cluster(gen, 3, 1, 1);
    put_record(drill_stuck(gen, 2, 1, stuck), record);
    drill_expect(gen, "web", "what was left as lost is open again once it has been ready for long",
                 drill_split(1, 1 + (over ? 0 : stuck), 2, over ? stuck : 0));
}
