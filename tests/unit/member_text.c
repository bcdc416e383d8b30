/* SPDX-License-Identifier: Apache-2.0
 *
 * One line an object.
 */
#include "member_text.h"

#include <inttypes.h>

static void
labels(const struct label_list *list, struct buf *out)
{
    buf_printf(out, " labels(%d)", list->present);
    for (uint32_t i = 0; i < list->count; i++) {
        buf_printf(out, " %s=%s", list->items[i].key, list->items[i].value);
    }
}

static void
amounts(const struct resource_amounts *list, struct buf *out)
{
    buf_append_str(out, " amounts");
    for (uint32_t i = 0; i < list->count; i++) {
        buf_printf(out, " %s=%" PRId64, list->items[i].name, list->items[i].amount);
    }
}

static void
owner(const struct owner *o, struct buf *out)
{
    buf_printf(out, " owner %s|%s|%s|%s", o->api_version, o->kind, o->name, o->uid);
}

static void
conditions(const struct condition_list *list, struct buf *out)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct condition *c = &list->items[i];

        buf_printf(out, " condition %s|%s|%s|%s|%" PRId64, c->type, c->status, c->reason,
                   c->message, c->last_transition);
    }
}

static void
pod(const struct pod *p, struct buf *out)
{
    buf_printf(out, "pod %s/%s %s on %s, %s|%s %" PRId64 " %" PRId64, p->namespace_, p->name,
               p->uid, p->node_name, p->phase, p->reason, p->creation, p->deletion_timestamp);
    labels(&p->labels, out);
    owner(&p->owner, out);
    conditions(&p->conditions, out);
    for (uint32_t i = 0; i < p->n_containers; i++) {
        const struct container_status *c = &p->containers[i];

        buf_printf(out, " container %s|%s|%s|%s|%s|%d|%d|%d|%d", c->name, c->waiting_reason,
                   c->waiting_message, c->terminated_reason, c->last_terminated_reason,
                   c->exit_code, c->restart_count, c->ready, c->init);
    }
    amounts(&p->requests, out);
    buf_append_char(out, '\n');
}

static void
settled(const struct settled_pods *p, struct buf *out)
{
    buf_printf(out, "settled %u in %s %s|%s %" PRId64, p->count, p->namespace_, p->template_hash,
               p->revision, p->newest_creation);
    owner(&p->owner, out);
    buf_append_char(out, '\n');
}

static void
node(const struct node *n, struct buf *out)
{
    buf_printf(out, "node %s host %s unschedulable=%d", n->name,
               n->hostname != NULL ? n->hostname : "-", n->kind->unschedulable);
    labels(&n->kind->labels, out);
    for (uint32_t i = 0; i < n->kind->taints.count; i++) {
        const struct taint *t = &n->kind->taints.items[i];

        buf_printf(out, " taint %s|%s|%s|%" PRId64, t->key, t->value, t->effect, t->time_added);
    }
    amounts(&n->kind->allocatable, out);
    if (n->settled != NULL) {
        buf_printf(out, " settled %" PRId64, n->settled->pods);
        amounts(&n->settled->requests, out);
    }
    buf_append_char(out, '\n');
}

static bool
same(struct digest a, struct digest b)
{
    return a.high == b.high && a.low == b.low;
}

/* Digests are of one encoding: what counts is whose templates are equal, told by the first of them.
 */
static void
template_of(const struct member *m, struct digest d, struct buf *out)
{
    for (uint32_t i = 0; i < m->n_replica_sets; i++) {
        if (same(m->replica_sets[i].version.pod_template, d)) {
            buf_printf(out, " template of set %s", m->replica_sets[i].name);
            return;
        }
    }
    for (uint32_t i = 0; i < m->n_workloads; i++) {
        if (same(m->workloads[i].pod_template, d)) {
            buf_printf(out, " template of %s", m->workloads[i].name);
            return;
        }
    }
}

static void
replica_set(const struct member *m, const struct replica_set *s, struct buf *out)
{
    buf_printf(out, "replica set %s/%s %s %" PRId64, s->namespace_, s->name, s->uid,
               s->version.creation);
    labels(&s->labels, out);
    owner(&s->owner, out);
    template_of(m, s->version.pod_template, out);
    buf_append_char(out, '\n');
}

static void
selector(const struct label_selector *s, struct buf *out)
{
    if (s == NULL) {
        return;
    }
    buf_append_str(out, " selector");
    labels(&s->match_labels, out);
    buf_printf(out, " expressions(%d)", s->match_expressions.present);
    for (uint32_t i = 0; i < s->match_expressions.count; i++) {
        const struct selector_requirement *r = &s->match_expressions.items[i];

        buf_printf(out, " %s %s %d", r->key, r->operator_text, (int)r->operator);
        for (uint32_t j = 0; j < r->values.count; j++) {
            buf_printf(out, ",%s", r->values.items[j]);
        }
    }
}

static void
workload(const struct member *m, const struct workload *w, struct buf *out)
{
    buf_printf(out,
               "workload %s %s %s/%s %s replicas %" PRId64 " ready %" PRId64 " generation %" PRId64
               " observed %" PRId64 " retains=%d",
               w->api_version, w->kind, w->namespace_, w->name, w->uid, w->replicas,
               w->ready_replicas, w->generation, w->observed_generation, w->retains_replicas);
    owner(&w->owner, out);
    selector(w->selector, out);
    template_of(m, w->pod_template, out);
    buf_append_char(out, '\n');
}

static void
member(const struct member *m, struct buf *out)
{
    buf_printf(out, "member %s %d%d%d %d%d%d\n", m->name, m->has_pods, m->has_nodes,
               m->has_replica_sets, m->has_deployments, m->has_stateful_sets, m->has_jobs);
    for (uint32_t i = 0; i < m->n_pods; i++) {
        pod(&m->pods[i], out);
    }
    for (uint32_t i = 0; i < m->n_settled; i++) {
        settled(&m->settled[i], out);
    }
    for (uint32_t i = 0; i < m->n_nodes; i++) {
        node(&m->nodes[i], out);
    }
    for (uint32_t i = 0; i < m->n_replica_sets; i++) {
        replica_set(m, &m->replica_sets[i], out);
    }
    for (uint32_t i = 0; i < m->n_workloads; i++) {
        workload(m, &m->workloads[i], out);
    }
}

void
member_text(const struct fleet *fleet, struct buf *out)
{
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        member(&fleet->members[i], out);
    }
    for (uint32_t i = 0; i < fleet->claims.count; i++) {
        const struct replica_owner *c = &fleet->claims.items[i];

        buf_printf(out, "claim %d %s %s %s/%s\n", (int)c->kind, c->origin, c->resource_kind,
                   c->namespace_, c->name);
    }
    for (uint32_t i = 0; i < fleet->n_problems; i++) {
        buf_printf(out, "problem %s: %s\n", fleet->problems[i].object, fleet->problems[i].message);
    }
}
