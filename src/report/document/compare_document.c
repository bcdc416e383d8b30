/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a comparison for programs, as JSON or YAML.
 */
#include "document.h"
#include "report/text/compare_page.h"

static void
emit_look(struct emitter *out, const char *key, const struct report *report)
{
    emit_object(out, key);
    emit_source(out, report);
    emit_time(out, "now", report->policy->now);
    emit_integer(out, "clusters", report->fleet->n_clusters);
    emit_integer(out, "bindings", report->fleet->n_bindings);
    emit_members(out, report);
    emit_end(out);
}

static void
emit_changes(struct emitter *out, const char *key, const uint32_t counts[N_COMPARED_CHANGES])
{
    emit_object(out, key);
    emit_integer(out, "came", counts[COMPARED_CAME]);
    emit_integer(out, "went", counts[COMPARED_WENT]);
    emit_integer(out, "changed", counts[COMPARED_CHANGED]);
    emit_end(out);
}

static void
emit_summary(struct emitter *out, const struct comparison *comparison)
{
    const struct comparison_totals *totals = &comparison->totals;

    emit_object(out, "summary");
    emit_bool(out, "different", !comparison_is_empty(comparison));
    emit_changes(out, "clusters", totals->clusters);
    emit_changes(out, "bindings", totals->bindings);
    emit_changes(out, "findings", totals->findings);
    emit_object(out, "replicas");
    emit_integer(out, "moved", totals->moved);
    emit_integer(out, "added", totals->added);
    emit_integer(out, "removed", totals->removed);
    emit_end(out);
    emit_integer(out, "splits", totals->splits);
    emit_object(out, "by");
    for (int i = 0; i < N_COMPARED_WHO; i++) {
        emit_integer(out, compared_who_name((enum compared_who)i), totals->by[i]);
    }
    emit_end(out);
    emit_bool(out, "backwards", comparison->is_backwards);
    emit_end(out);
}

/* --- clusters --- */

/* Writes one side of a cluster, or null if it did not exist. */
static void
emit_side(struct emitter *out, const struct compared_cluster *cluster, bool after)
{
    const char *key = after ? "after" : "before";

    if (cluster->change == (after ? COMPARED_WENT : COMPARED_CAME)) {
        emit_null(out, key);
        return;
    }
    emit_object(out, key);
    emit_string(out, "health", document_standing(after ? cluster->stands : cluster->stood));
    emit_text(out, "healthReason", after ? cluster->health_after : cluster->health_before);
    emit_integer(out, "replicas", after ? cluster->replicas_after : cluster->replicas_before);
    emit_integer(out, "stuck", after ? cluster->stuck_after : cluster->stuck_before);
    emit_bool(out, "seen", after ? cluster->is_seen : cluster->was_seen);
    emit_end(out);
}

static void
emit_known(struct emitter *out, const char *key, const struct compared_amount *amount)
{
    if (amount->known) {
        emit_amount(out, key, amount->amount);
    } else {
        emit_null(out, key);
    }
}

static void
emit_resources(struct emitter *out, const struct compared_cluster *cluster)
{
    emit_list(out, "resources");
    for (uint32_t i = 0; i < cluster->n_resources; i++) {
        const struct compared_resource *resource = &cluster->resources[i];

        emit_object(out, NULL);
        emit_string(out, "name", resource->name);
        emit_known(out, "allocatableBefore", &resource->allocatable_before);
        emit_known(out, "allocatableAfter", &resource->allocatable_after);
        emit_known(out, "roomBefore", &resource->room_before);
        emit_known(out, "roomAfter", &resource->room_after);
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_cluster(struct emitter *out, const struct compared_cluster *cluster)
{
    emit_object(out, NULL);
    emit_string(out, "change", compared_change_name(cluster->change));
    emit_string(out, "name", cluster->name);
    emit_bool(out, "recreated", cluster->is_recreated);
    emit_side(out, cluster, false);
    emit_side(out, cluster, true);
    emit_list(out, "taints");
    for (uint32_t i = 0; i < cluster->n_taints; i++) {
        const struct compared_taint *taint = &cluster->taints[i];

        emit_object(out, NULL);
        emit_string(out, "change", compared_change_name(taint->change));
        emit_string(out, "key", taint->taint->key);
        emit_string(out, "value", taint->taint->value);
        emit_string(out, "effect", taint->taint->effect);
        emit_end(out);
    }
    emit_end(out);
    emit_resources(out, cluster);
    emit_end(out);
}

/* --- bindings --- */

/* Writes null for no target. */
static void
emit_part(struct emitter *out, const char *key, bool is_target, int64_t replicas)
{
    if (is_target) {
        emit_integer(out, key, replicas);
    } else {
        emit_null(out, key);
    }
}

static void
emit_split(struct emitter *out, const struct compared_binding *binding)
{
    emit_list(out, "clusters");
    for (uint32_t i = 0; i < binding->n_targets; i++) {
        const struct compared_target *target = &binding->targets[i];

        emit_object(out, NULL);
        emit_string(out, "name", target->name);
        emit_part(out, "before", target->was_target, target->before);
        emit_part(out, "after", target->is_target, target->after);
        emit_end(out);
    }
    emit_end(out);
    emit_object(out, "replicas");
    emit_integer(out, "moved", binding->moved);
    emit_integer(out, "added", binding->added);
    emit_integer(out, "removed", binding->removed);
    emit_end(out);
}

static void
emit_findings(struct emitter *out, const struct compared_binding *binding)
{
    emit_list(out, "findings");
    for (uint32_t i = 0; i < binding->n_findings; i++) {
        const struct compared_finding *finding = &binding->findings[i];

        emit_object(out, NULL);
        emit_string(out, "change", compared_change_name(finding->change));
        emit_string(out, "type", finding_type_name(finding->type));
        emit_string(out, "cluster", finding->cluster);
        emit_integer(out, "before", finding->before);
        emit_integer(out, "after", finding->after);
        emit_string(out, "message", finding->message);
        emit_bool(out, "unseen", finding->is_unseen);
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_writers(struct emitter *out, const struct compared_binding *binding)
{
    emit_list(out, "by");
    for (uint32_t i = 0; i < binding->n_writers; i++) {
        const struct compared_writer *writer = &binding->writers[i];

        emit_object(out, NULL);
        emit_string(out, "who", compared_who_name(writer->who));
        emit_text(out, "proof", writer->proof);
        emit_text(out, "record", writer->record);
        emit_time(out, "time", writer->time);
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_binding(struct emitter *out, const struct compared_binding *binding)
{
    emit_object(out, NULL);
    emit_string(out, "change", compared_change_name(binding->change));
    emit_string(out, "kind", binding_kind_name(binding->binding->kind));
    emit_string(out, "namespace", binding->binding->namespace_);
    emit_string(out, "name", binding->binding->name);
    emit_resource(out, &binding->binding->resource);
    emit_bool(out, "recreated", binding->is_recreated);
    emit_object(out, "wanted");
    emit_part(out, "before", binding->change != COMPARED_CAME, binding->wanted_before);
    emit_part(out, "after", binding->change != COMPARED_WENT, binding->wanted_after);
    emit_end(out);
    emit_split(out, binding);
    emit_writers(out, binding);
    emit_findings(out, binding);
    emit_end(out);
}

void
comparison_document(FILE *stream, const struct comparison_report *compared,
                    const struct report_options *options)
{
    const struct comparison *comparison = compared->comparison;
    struct emitter out;

    emitter_begin(&out, stream, options->format == REPORT_YAML ? EMIT_YAML : EMIT_JSON);
    emit_object(&out, NULL);
    emit_string(&out, "apiVersion", DOCUMENT_API_VERSION);
    emit_string(&out, "kind", "Diff");
    emit_look(&out, "before", compared->before);
    emit_look(&out, "after", compared->after);
    emit_summary(&out, comparison);
    emit_list(&out, "clusters");
    for (uint32_t i = 0; i < comparison->n_clusters; i++) {
        emit_cluster(&out, &comparison->clusters[i]);
    }
    emit_end(&out);
    emit_list(&out, "bindings");
    for (uint32_t i = 0; i < comparison->n_bindings; i++) {
        emit_binding(&out, &comparison->bindings[i]);
    }
    emit_end(&out);
    emit_end(&out);
}
