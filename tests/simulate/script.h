/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens to a fleet, and when: written before the simulation begins, from
 * the seed alone, so that every policy meets the same.
 */
#ifndef BALLAST_SIMULATE_SCRIPT_H
#define BALLAST_SIMULATE_SCRIPT_H

#include "model.h"

enum event_type {
    EVENT_CREATE,       /* workload: its binding is there */
    EVENT_SCALE,        /* workload, amount: percent of what it had first */
    EVENT_DOWN,         /* cluster: nothing runs there any more */
    EVENT_UP,           /* cluster */
    EVENT_CUT_OFF,      /* cluster: out of the control plane's reach, but running */
    EVENT_REACH,        /* cluster */
    EVENT_TAINT,        /* cluster: maintenance, NoExecute */
    EVENT_UNTAINT,      /* cluster */
    EVENT_ADD_NODES,    /* cluster, amount: how many, of `cpu` each */
    EVENT_REMOVE_NODES, /* cluster, amount: the fullest */
    EVENT_CORDON,       /* cluster: the fullest that is not yet */
    EVENT_FILL,         /* cluster, amount: local pods leave so much milli cpu */
    EVENT_EMPTY,        /* cluster, amount: so many local pods go */
    EVENT_CRASH,        /* workload: everywhere */
    EVENT_HEAL,         /* workload */
    EVENT_BREAK,        /* workload, in cluster */
    EVENT_REPAIR,       /* workload, in cluster */
    EVENT_REFUSE,       /* workload, in cluster: its nodes refuse it, and do not show why */
    EVENT_AUTOSCALE,    /* workload, amount: percent that its members hold of what is assigned */
    EVENT_DENY,         /* workload: where most of it is, it is not applied */
    EVENT_STARVE,       /* workload: likewise, its pods are not created */
    EVENT_ADMIT,        /* workload: neither any more */
    EVENT_FINISH,       /* workload: it has run to its end */
    EVENT_MEDDLE,       /* workload: another controller moves one replica by its own mind */
    EVENT_RESCHEDULE,   /* workload: somebody asks for it to be placed anew */
    EVENT_POISON,       /* cluster: what starts there fails; amount: what runs there, too */
    EVENT_CURE,         /* cluster */
    EVENT_STOP,         /* karmada-scheduler */
    EVENT_START,        /* karmada-scheduler */
};

struct event {
    int64_t at;
    enum event_type type;
    int cluster, workload;
    int amount, cpu;
};

struct script {
    VEC_OF(struct event) events;
    size_t next;
    int64_t end;
    int64_t trouble; /* it is measured how long it takes to settle after that; 0: the last event */
};

/* `seconds` count from the end of the warm-up. */
void script_add(struct script *script, int seconds, struct event event);
/* To be called once, when all are added. */
void script_sort(struct script *script);
/* Does what is due. */
void script_play(struct script *script, struct sim *sim);
/* When the trouble is there. */
int64_t script_trouble(const struct script *script);

#endif
