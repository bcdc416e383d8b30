/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports preferences that apply to nothing, and a scheduler that no binding has. A preference that
 * only loses to another preference still matches, and is not reported.
 */
#include "ballast/base/str.h"
#include "notices.h"

#define DEFAULT_SCHEDULER "default-scheduler"

static const char *
namespace_of(const struct binding *binding)
{
    return binding->resource.namespace_;
}

static const char *
name_of(const struct binding *binding)
{
    return binding->resource.name;
}

static const char *
kind_of(const struct binding *binding)
{
    return binding->resource.kind;
}

static const char *
api_version_of(const struct binding *binding)
{
    return binding->resource.api_version;
}

static const char *
scheduler_of(const struct binding *binding)
{
    return str_is_empty(binding->scheduler_name) ? DEFAULT_SCHEDULER : binding->scheduler_name;
}

/* A part of a selector, and its values in all bindings, listed once for all preferences. */
struct selector_part {
    const char *what; /* "namespace" */
    const char *none; /* "no binding is in" */
    text_of_binding *text;
    struct known_names known;
};

enum { PART_NAMESPACES, PART_NAMES, PART_KINDS, PART_API_VERSIONS, N_PARTS };

static void
notice_part(struct notices *notices, const struct preference *preference,
            struct selector_part *part, const struct str_list *names, const char *const *where)
{
    if (names->count > 0 && part->known.seen == NULL) {
        part->known = known_list(notices->fleet, part->text);
    }
    for (uint32_t i = 0; i < names->count; i++) {
        if (!known_has(&part->known, names->items[i])) {
            notice_add(notices, where[i], "%s names %s %s, which %s%s",
                       quote_text(notices->arena, preference->origin), part->what,
                       quote_text(notices->arena, names->items[i]), part->none,
                       known_suggest(notices->arena, &part->known, names->items[i]));
        }
    }
}

static void
notice_label(struct notices *notices, const void *context, const char *label, const char *hint)
{
    const struct preference *preference = context;

    notice_add(notices, preference->scope.where.labels,
               "%s asks for label %s, which no workload or binding is known "
               "to have%s",
               quote_text(notices->arena, preference->origin), quote_text(notices->arena, label),
               hint);
}

/* True if no binding matches the selector. A binding with unknown labels may match. */
static bool
is_for_none(const struct notices *notices, const struct preference *preference)
{
    enum label_match match = LABELS_DIFFER;

    for (uint32_t i = 0; i < notices->fleet->n_bindings && match == LABELS_DIFFER; i++) {
        match = preference_scope_match(&preference->scope, notices->fleet,
                                       &notices->fleet->bindings[i]);
    }
    return match == LABELS_DIFFER;
}

static void
notice_preference(struct notices *notices, const struct preference *preference,
                  struct selector_part parts[N_PARTS])
{
    const struct preference_scope *scope = &preference->scope;
    size_t before = notices->found.count;

    notice_part(notices, preference, &parts[PART_NAMESPACES], &scope->namespaces,
                scope->where.namespaces);
    notice_part(notices, preference, &parts[PART_NAMES], &scope->names, scope->where.names);
    notice_part(notices, preference, &parts[PART_KINDS], &scope->kinds, scope->where.kinds);
    notice_part(notices, preference, &parts[PART_API_VERSIONS], &scope->api_versions,
                scope->where.api_versions);
    if (scope->labels != NULL) {
        find_missing_labels(notices, scope->labels, notice_label, preference);
    }
    if (notices->found.count == before && is_for_none(notices, preference)) {
        notice_add(notices, scope->where.selector,
                   "%s is for nothing: no binding meets all that its selector asks for",
                   quote_text(notices->arena, preference->origin));
    }
}

static uint32_t
count_unknown(const struct notices *notices)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < notices->fleet->n_bindings; i++) {
        const struct binding *binding = &notices->fleet->bindings[i];
        bool is_asked = notices->diagnosis->bindings[i].left_alone != LEFT_ALONE_OUT_OF_SCOPE &&
                        binding_is_workload(binding);

        count +=
            is_asked && preference_is_unknown(notices->policy, notices->fleet, binding) ? 1 : 0;
    }
    return count;
}

void
notice_preferences(struct notices *notices)
{
    const struct preference_list *list = &notices->policy->preferences;
    struct selector_part parts[N_PARTS] = {
        [PART_NAMESPACES] = {"namespace", "no binding is in", namespace_of, KNOWN_NAMES},
        [PART_NAMES] = {"workload", "no binding belongs to", name_of, KNOWN_NAMES},
        [PART_KINDS] = {"kind", "no binding is of", kind_of, KNOWN_NAMES},
        [PART_API_VERSIONS] = {"API version", "no binding is of", api_version_of, KNOWN_NAMES},
    };
    uint32_t unknown = list->count > 0 ? count_unknown(notices) : 0;

    if (unknown > 0) {
        notice_add(notices, "preferences",
                   "the labels of %u %s are not known here, and those of the bindings do not say "
                   "whether a selector matches: no preference applies to them. For a fleet in "
                   "files, put the workloads' resource templates into control-plane/",
                   unknown, unknown == 1 ? "workload" : "workloads");
    }
    for (uint32_t i = 0; i < list->count && notices->fleet->n_bindings > 0; i++) {
        if (list->items[i].scope.where.selector != NULL) {
            notice_preference(notices, &list->items[i], parts);
        }
    }
    for (int i = 0; i < N_PARTS; i++) {
        known_free(&parts[i].known);
    }
}

void
notice_scheduler(struct notices *notices)
{
    const struct policy *policy = notices->policy;
    struct known_names known = known_list(notices->fleet, scheduler_of);

    if (notices->fleet->n_bindings > 0 && !known_has(&known, policy->scheduler_name)) {
        notice_add(notices, policy->scheduler_where != NULL ? policy->scheduler_where : "scheduler",
                   "%sno binding is of scheduler %s%s, so all are left alone%s",
                   policy->scheduler_where != NULL ? "schedulerName: " : "",
                   quote_text(notices->arena, policy->scheduler_name),
                   policy->scheduler_where != NULL ? "" : " (the default)",
                   known_suggest(notices->arena, &known, policy->scheduler_name));
    }
    known_free(&known);
}
