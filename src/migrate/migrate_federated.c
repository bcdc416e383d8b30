/* SPDX-License-Identifier: Apache-2.0
 *
 * Migrates one federated object: its template, placement and overrides.
 */
#include "migrate_internal.h"

static const char *const spec_fields[] = {"template", "placement", "overrides", "retainReplicas",
                                          NULL};

static bool
check_template(struct migration *m, const struct work *work)
{
    const struct value *template = value_get(value_get(work->input->root, "spec"), "template");
    bool is_absent = template == NULL || value_type(template) == VALUE_NULL;

    if (!is_absent && value_type(template) != VALUE_OBJECT) {
        note_lost(m, work->input->label, "spec.template", "want object");
        return false;
    }
    const struct value *metadata = value_get(template, "metadata");

    if (!member_is(m, work->input->label, "spec.template", template, "metadata", VALUE_OBJECT) ||
        !member_has_texts(m, work->input->label, "spec.template.metadata", metadata, "labels") ||
        !member_has_texts(m, work->input->label, "spec.template.metadata", metadata,
                          "annotations")) {
        return false;
    }
    if (work->has_replicas && value_find(template, "spec", VALUE_OBJECT) == NULL) {
        note_lost(m, work->input->label, "spec.template.spec", "want object");
        return false;
    }
    return true;
}

/* A cluster with an error in KubeFed's status differs from the template. */
static void
check_status(struct migration *m, const struct work *work)
{
    const struct value *status = value_find(work->input->root, "status", VALUE_OBJECT);
    const struct value *clusters = value_find(status, "clusters", VALUE_LIST);

    if (value_count(status) > 0) {
        note_remark(m, work->input->label, "status", "KubeFed's own; Karmada makes one anew");
    }
    for (size_t i = 0; clusters != NULL && i < value_count(clusters); i++) {
        const char *text = value_text(value_at(clusters, i), "status");

        if (!str_is_empty(text)) {
            note_lost(m, work->input->label,
                      arena_printf(m->arena, "status.clusters[%zu].status", i),
                      "%s: what %s has is not what is written", text,
                      value_text(value_at(clusters, i), "name"));
        }
    }
}

static void
check_fields(struct migration *m, const struct work *work)
{
    const struct value *spec = value_get(work->input->root, "spec");
    const struct value *retain = value_get(spec, "retainReplicas");

    note_unknown(m, work->input->label, "spec", spec, spec_fields);
    member_is(m, work->input->label, "spec", spec, "retainReplicas", VALUE_BOOL);
    if (retain != NULL && value_type(retain) == VALUE_BOOL && value_bool(retain)) {
        note_lost(m, work->input->label, "spec.retainReplicas",
                  "Karmada leaves replicas to a member only with the label "
                  "resourcetemplate.karmada.io/retain-replicas");
    }
    check_status(m, work);
}

static void
note_differences(struct migration *m, const struct work *work, const struct reach *reach)
{
    if (work->is_namespace) {
        if (reach->is_known && m->clusters.count > 0 && reach->n_today == m->clusters.count) {
            return;
        }
        note_remark(m, work->input->label, "spec.placement",
                    "Karmada makes the namespace in every member; what is in it is bounded as "
                    "before");
    } else if (reach->is_nowhere) {
        note_remark(m, work->input->label, "spec.placement",
                    "it is placed nowhere, so there is no policy for it");
    }
}

static void
add_document(struct migration *m, struct value *document)
{
    if (document != NULL) {
        vec_add(&m->documents, document);
    }
}

static bool
migrate(struct migration *m, const struct work *work)
{
    struct reach reach;
    struct override_list overrides;
    struct split split;

    if (!check_template(m, work) || !reach_read(m, work, &reach) ||
        !overrides_read(m, work, &reach, &overrides)) {
        return false;
    }
    if (work->has_replicas && !split_read(m, work, &reach, &overrides, &split)) {
        return false;
    }
    const struct split *divided = work->has_replicas ? &split : NULL;

    check_fields(m, work);
    note_differences(m, work, &reach);
    if (divided != NULL && split.is_divided && !reach.is_nowhere &&
        str_eq(work->kind, "ReplicaSet")) {
        m->divides_replica_sets = true;
    }
    add_document(m, template_manifest(m, work, divided));
    if (!work->is_namespace && !reach.is_nowhere) {
        add_document(m, propagation_manifest(m, work, &reach, divided));
    }
    add_document(m, override_manifest(m->arena, work, &overrides));
    return true;
}

void
federated_migrate(struct migration *m, const struct work *work)
{
    if (str_is_empty(work->policy_name)) {
        return;
    }
    if (!karmada_takes_policy(work->policy_name)) {
        note_lost(m, work->input->label, "metadata.name",
                  "left out: Karmada takes no policy of the name %s", work->policy_name);
        return;
    }
    if (!old_karmada_takes_policy(work->policy_name)) {
        note_remark(m, work->input->label, "metadata.name",
                    "Karmada before v1.11 takes policies of up to 63 characters only");
    }
    if (!migrate(m, work)) {
        note_lost(m, work->input->label, "", "left out, since it cannot be told how it runs");
    }
}
