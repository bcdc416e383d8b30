/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes which replicas do not run, as members of a document's summary.
 */
#include "document.h"
#include "report/view/view.h"

static void
emit_holds(struct emitter *out, const struct down *down)
{
    emit_list(out, "leftAlone");
    for (uint32_t i = 0; i < down->n_left_alone; i++) {
        emit_object(out, NULL);
        emit_string(out, "code", down->left_alone[i].code);
        emit_integer(out, "replicas", down->left_alone[i].replicas);
        emit_integer(out, "workloads", down->left_alone[i].workloads);
        emit_end(out);
    }
    emit_end(out);
    emit_object(out, "cooldown");
    emit_integer(out, "replicas", down->cooldown.replicas);
    emit_integer(out, "workloads", down->cooldown.workloads);
    emit_end(out);
}

static void
emit_priorities(struct emitter *out, const struct down *down)
{
    emit_list(out, "priorities");
    for (uint32_t i = 0; i < down->n_priorities; i++) {
        emit_object(out, NULL);
        emit_integer(out, "priority", down->priorities[i].priority);
        emit_integer(out, "replicas", down->priorities[i].replicas);
        emit_integer(out, "workloads", down->priorities[i].workloads);
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_none_ready(struct emitter *out, const struct report_view *view)
{
    const struct down *down = &view->replicas->down;

    emit_list(out, "noneReady");
    for (uint32_t i = 0; i < down->n_none_ready; i++) {
        const struct down_workload *workload = &down->none_ready[i];
        const struct object_reference *resource =
            &view->report->fleet->bindings[workload->binding].resource;

        emit_object(out, NULL);
        emit_string(out, "kind", resource->kind);
        emit_string(out, "namespace", resource->namespace_);
        emit_string(out, "name", resource->name);
        emit_integer(out, "priority", workload->priority);
        emit_integer(out, "replicas", workload->replicas);
        emit_end(out);
    }
    emit_end(out);
}

void
emit_down(struct emitter *out, const struct report_view *view)
{
    const struct replica_sums *sums = view->replicas;
    const struct down *down = &sums->down;

    emit_object(out, "down");
    emit_integer(out, "replicas", down->replicas);
    emit_integer(out, "wanted", down->wanted);
    emit_integer(out, "workloads", down->workloads);
    for (int state = 0; state < N_REPLICA_STATES; state++) {
        if (state != REPLICA_READY) {
            emit_integer(out, replica_state_name((enum replica_state)state), sums->of_state[state]);
        }
    }
    emit_integer(out, "inNoCluster", down->unplaced);
    emit_integer(out, "homeless", sums->homeless);
    emit_priorities(out, down);
    emit_none_ready(out, view);
    emit_holds(out, down);
    emit_end(out);
}
