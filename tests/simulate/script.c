/* SPDX-License-Identifier: Apache-2.0
 *
 * Playing events.
 */
#include "script.h"

#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "checks.h"
#include "control.h"
#include "member.h"
#include "objects.h"

#define TEXT_MAX ((size_t)1 << 16)
#define LOCAL_CPU 250

void
script_add(struct script *script, int seconds, struct event event)
{
    event.at = SIM_START + WARM_UP + seconds;
    vec_add(&script->events, event);
}

static int
event_cmp(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->at != y->at) {
        return x->at < y->at ? -1 : 1;
    }
    if (x->type != y->type) {
        return x->type < y->type ? -1 : 1;
    }
    if (x->cluster != y->cluster) {
        return x->cluster < y->cluster ? -1 : 1;
    }
    return x->workload < y->workload ? -1 : x->workload > y->workload;
}

void
script_sort(struct script *script)
{
    if (script->events.count > 1) {
        qsort(script->events.items, script->events.count, sizeof(script->events.items[0]),
              event_cmp);
    }
}

int64_t
script_trouble(const struct script *script)
{
    int64_t last = SIM_START + WARM_UP;

    if (script->trouble != 0) {
        return script->trouble;
    }
    for (size_t i = 0; i < script->events.count; i++) {
        last = script->events.items[i].at > last ? script->events.items[i].at : last;
    }
    return last;
}

/* --- nodes --- */

/* The fullest node that is there (and not cordoned); NOBODY when that is the last one. */
static int
fullest_node(const struct sim_cluster *cluster, bool uncordoned)
{
    int fullest = NOBODY, present = 0;

    for (int n = 0; n < cluster->n_nodes; n++) {
        const struct sim_node *node = &cluster->nodes[n];

        if (!node->present || (uncordoned && node->cordoned)) {
            continue;
        }
        present++;
        if (fullest == NOBODY || node->used > cluster->nodes[fullest].used) {
            fullest = n;
        }
    }
    return present > 1 ? fullest : NOBODY;
}

static void
remove_nodes(struct sim *sim, struct sim_cluster *cluster, int count)
{
    for (int i = 0; i < count; i++) {
        int node = fullest_node(cluster, false);

        if (node != NOBODY) {
            sim_tell(sim, "%s loses node %d of %dm cpu", cluster->name, node,
                     cluster->nodes[node].cpu);
            member_remove_node(sim, cluster, node);
        }
    }
}

static void
cordon(struct sim *sim, struct sim_cluster *cluster)
{
    int node = fullest_node(cluster, true);

    if (node != NOBODY) {
        sim_tell(sim, "%s: node %d is cordoned", cluster->name, node);
        member_cordon(cluster, node, true);
    }
}

static void
fill(struct sim *sim, struct sim_cluster *cluster, int leave)
{
    int count = member_room(cluster, LOCAL_CPU) - leave / LOCAL_CPU;

    if (count > 0) {
        sim_tell(sim, "%d local pods fill %s", count, cluster->name);
        member_add_local(sim, cluster, count, LOCAL_CPU);
    }
}

/* --- the other writer --- */

static int
fullest_target(const struct sim *sim, const struct sim_workload *workload)
{
    int fullest = 0;

    for (int c = 1; c < sim->n_clusters; c++) {
        fullest = workload->split[c] > workload->split[fullest] ? c : fullest;
    }
    return fullest;
}

static int
other_place(const struct sim_workload *workload, int n_clusters, int from)
{
    for (int i = 1; i < n_clusters; i++) {
        int to = (from + i) % n_clusters;

        if (sim_allows(workload, to)) {
            return to;
        }
    }
    return NOBODY;
}

static void
meddle(struct sim *sim, int workload)
{
    struct sim_workload *subject = &sim->workloads[workload];
    int split[SIM_CLUSTERS];
    struct error err = ERROR_INIT;
    int from = fullest_target(sim, subject);
    struct buf text;

    int to = other_place(subject, sim->n_clusters, from);

    if (to == NOBODY || subject->split[from] == 0 || subject->strategy == STRATEGY_DUPLICATED) {
        return;
    }
    memcpy(split, subject->split, sizeof(split));
    split[from]--;
    split[to]++;
    sim_tell(sim, "%s: another controller moves a replica from %s to %s", subject->name,
             sim->clusters[from].name, sim->clusters[to].name);
    buf_init(&text, TEXT_MAX);
    buf_append_str(&text, "{\"spec\":{\"clusters\":");
    objects_write_targets(sim, subject->assigned | 1u << to, split, &text);
    buf_append_str(&text, "}}");
    if (!api_patch(sim, workload, WRITER_OTHER, &text, &err)) {
        BUG("%s", err.message);
    }
    buf_release(&text);
}

/* --- all --- */

static void
set_bit(unsigned *mask, int bit, bool value)
{
    *mask = value ? *mask | 1u << bit : *mask & ~(1u << bit);
}

static void
play_cluster(struct sim *sim, struct sim_cluster *cluster, const struct event *event)
{
    switch (event->type) {
    case EVENT_DOWN:
        sim_tell(sim, "%s is down", cluster->name);
        cluster->down = true;
        break;
    case EVENT_UP:
        sim_tell(sim, "%s is up", cluster->name);
        cluster->down = false;
        member_restart(sim, cluster);
        break;
    case EVENT_CUT_OFF:
    case EVENT_REACH:
        cluster->cut_off = event->type == EVENT_CUT_OFF;
        sim_tell(sim, "%s is %s", cluster->name, cluster->cut_off ? "cut off" : "in reach");
        break;
    case EVENT_TAINT:
    case EVENT_UNTAINT:
        control_taint(sim, cluster, event->type == EVENT_TAINT);
        break;
    case EVENT_ADD_NODES:
        sim_tell(sim, "%s gets %d nodes of %dm cpu", cluster->name, event->amount, event->cpu);
        for (int i = 0; i < event->amount; i++) {
            member_add_node(cluster, event->cpu);
        }
        break;
    case EVENT_REMOVE_NODES:
        remove_nodes(sim, cluster, event->amount);
        break;
    case EVENT_CORDON:
        cordon(sim, cluster);
        break;
    case EVENT_FILL:
        fill(sim, cluster, event->amount);
        break;
    default:
        sim_tell(sim, "%d local pods leave %s", event->amount, cluster->name);
        member_remove_local(sim, cluster, event->amount);
    }
}

static void
poison(struct sim *sim, struct sim_cluster *cluster, const struct event *event)
{
    cluster->poisoned = event->type == EVENT_POISON ? sim->now : 0;
    cluster->poisons_all = event->amount != 0;
    sim_tell(sim, "%s %s", cluster->name,
             event->type == EVENT_CURE ? "is cured"
             : event->amount != 0      ? "fails everything"
                                       : "fails what starts there");
}

static bool
is_reached(const struct sim *sim, const struct sim_workload *workload)
{
    for (int c = 0; c < sim->n_clusters; c++) {
        if ((workload->assigned >> c & 1) != 0 && !sim_reaches(&sim->clusters[c])) {
            return false;
        }
    }
    return true;
}

static void
play_admission(struct sim *sim, struct sim_workload *workload, const struct event *event)
{
    int where = fullest_target(sim, workload);

    workload->refused = sim->now;
    switch (event->type) {
    case EVENT_AUTOSCALE:
        workload->autoscaled = event->amount;
        sim_tell(sim, "%s: its members hold %d%% of it", workload->name, event->amount);
        break;
    case EVENT_FINISH:
        workload->is_finished = is_reached(sim, workload); /* else nobody can tell */
        sim_tell(sim, "%s has run to its end", workload->name);
        break;
    default:
        workload->denied_by = event->type == EVENT_DENY ? 1u << where : 0;
        workload->starved_in = event->type == EVENT_STARVE ? 1u << where : 0;
        sim_tell(sim, "%s %s %s", sim->clusters[where].name,
                 event->type == EVENT_DENY     ? "refuses"
                 : event->type == EVENT_STARVE ? "refuses pods of"
                                               : "admits",
                 workload->name);
    }
}

static void
play_health(struct sim *sim, struct sim_workload *workload, const struct event *event)
{
    const char *where = sim->clusters[event->cluster].name;

    switch (event->type) {
    case EVENT_CRASH:
    case EVENT_HEAL:
        workload->crashing = event->type == EVENT_CRASH;
        sim_tell(sim, "%s %s", workload->name,
                 workload->crashing ? "crashes wherever it runs" : "no longer crashes");
        break;
    case EVENT_BREAK:
    case EVENT_REPAIR:
        set_bit(&workload->broken_in, event->cluster, event->type == EVENT_BREAK);
        sim_tell(sim, "%s %s in %s", workload->name,
                 event->type == EVENT_BREAK ? "breaks" : "is repaired", where);
        break;
    case EVENT_REFUSE:
        set_bit(&workload->refused_by, event->cluster, true);
        sim_tell(sim, "no node of %s will take %s, and none shows why", where, workload->name);
        break;
    default:
        play_admission(sim, workload, event);
    }
}

static void
play(struct sim *sim, const struct event *event)
{
    struct sim_workload *workload = &sim->workloads[event->workload];

    if (event->type >= EVENT_CRASH && event->type <= EVENT_FINISH) {
        play_health(sim, workload, event);
        checks_saw_event(sim, event->cluster, event->workload);
        return;
    }
    switch (event->type) {
    case EVENT_POISON:
    case EVENT_CURE:
        poison(sim, &sim->clusters[event->cluster], event);
        checks_saw_event(sim, event->cluster, NOBODY);
        break;
    case EVENT_CREATE:
        api_create_binding(sim, event->workload);
        break;
    case EVENT_SCALE:
        control_scale(sim, event->workload, (workload->first_replicas * event->amount + 99) / 100);
        checks_saw_event(sim, NOBODY, event->workload);
        break;
    case EVENT_MEDDLE:
        meddle(sim, event->workload);
        checks_saw_event(sim, event->cluster, event->workload);
        break;
    case EVENT_RESCHEDULE:
        control_reschedule(sim, event->workload);
        checks_saw_event(sim, NOBODY, event->workload);
        break;
    case EVENT_STOP:
    case EVENT_START:
        sim->unscheduled = event->type == EVENT_STOP;
        sim_tell(sim, "karmada-scheduler %s", sim->unscheduled ? "stops" : "starts");
        break;
    default:
        play_cluster(sim, &sim->clusters[event->cluster], event);
        checks_saw_event(sim, event->cluster, NOBODY);
    }
}

void
script_play(struct script *script, struct sim *sim)
{
    for (; script->next < script->events.count; script->next++) {
        const struct event *event = &script->events.items[script->next];

        if (event->at > sim->now) {
            return;
        }
        play(sim, event);
    }
}
