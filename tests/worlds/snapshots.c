/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects through the pruner and back: the plan as JSON must be the same, and
 * with new names the same up to these.
 */
#include "snapshots.h"

#include <stdio.h>
#include <stdlib.h>

#include "ballast/base/vec.h"
#include "ballast/capacity/ledger.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/kinds/decode.h"
#include "ballast/kinds/prune.h"
#include "ballast/report/report.h"
#include "ballast/shards/summary.h"

#define TEXT_MAX ((size_t)1 << 26)
#define CROWD 900 /* pods, of some 250 bytes each in a summary */

/* A pruned object; the texts hold marks. */
struct line {
    size_t offset, length;
    size_t member, member_length; /* as a JSON string */
    bool in_member;
};

struct taken {
    struct pruner *pruner;
    struct buf text;
    VEC_OF(struct line) lines;
};

struct planned {
    struct fleet *fleet;
    struct arena *arena;
    const struct diagnosis *diagnosis;
    const struct plan *plan;
    char *json;
};

static void
on_begin(void *context)
{
    (void)context;
}

static void
on_object(void *context, const struct fleet_object *object)
{
    struct taken *taken = context;
    struct line line = {.offset = taken->text.length, .in_member = object->member[0] != '\0'};

    prune_object(taken->pruner, object, &taken->text);
    line.length = taken->text.length - line.offset;
    line.member = taken->text.length;
    prune_name(taken->pruner, object->member, &taken->text);
    line.member_length = taken->text.length - line.member;
    vec_add(&taken->lines, line);
}

static void
on_part(void *context, const char *member, enum member_part part)
{
    (void)context;
    (void)member;
    (void)part;
}

/* A malformed one is skipped, and known to be there all the same. */
static bool
is_budget(const struct value *object)
{
    return str_eq(value_text(object, "kind"), "PodDisruptionBudget");
}

static bool
add(struct fleet_builder *builder, const char *text, size_t length, const char *member,
    struct error *err)
{
    struct object_origin origin = {.file = "world", .member = member};
    struct document *document = document_parse_json(text, length, 1, err);
    enum add_result result = document == NULL ? ADD_FAILED
                                              : fleet_builder_add(builder, document_root(document),
                                                                  "", "", &origin, err);
    /* what a snapshot says of its own (labels, what was left out) is told, and not taken */
    bool done = result == ADD_TAKEN || result == ADD_IGNORED || result == ADD_UNREAD ||
                (result == ADD_SKIPPED && is_budget(document_root(document)));

    document_free(document);
    return done;
}

static void
plan(struct planned *p, const struct policy *policy)
{
    struct report report;
    struct report_options options = {.format = REPORT_JSON, .all = true, .dry_run = true};
    struct error err = ERROR_INIT;
    size_t size = 0;
    FILE *stream = open_memstream(&p->json, &size);

    p->arena = arena_new();
    p->fleet->members = sources_keep(&policy->sources, p->fleet->arena, p->fleet);
    p->diagnosis = diagnose(p->arena, p->fleet, policy);
    p->plan = plan_fleet(p->arena, p->fleet, p->diagnosis, policy,
                         ledger_new(p->arena, p->fleet, p->diagnosis, policy),
                         run_accounts_new(p->arena, p->fleet, p->diagnosis, &policy->limits));
    report = (struct report){
        .fleet = p->fleet,
        .diagnosis = p->diagnosis,
        .coverage = coverage_of(p->arena, p->fleet, p->diagnosis, policy),
        .origin = &(struct fleet_origin){.path = "world"},
        .policy = policy,
        .plan = p->plan,
    };
    report_write(stream, &report, &options, &err);
    fclose(stream);
}

static void
release(struct planned *p)
{
    fleet_free(p->fleet);
    arena_free(p->arena);
    free(p->json);
}

static bool
add_objects(struct fleet_builder *builder, const struct buf *objects, struct error *err)
{
    bool done = true;

    for (size_t at = 0; done && at < objects->length; at += strlen(objects->data + at) + 1) {
        fleet_builder_at(builder, at);
        done = add(builder, objects->data + at, strlen(objects->data + at), "", err);
    }
    return done;
}

static bool
read_objects(const struct buf *objects, const struct fleet_tap *tap, struct planned *ret)
{
    struct fleet_builder *builder = fleet_builder_new();
    struct error err = ERROR_INIT;

    fleet_builder_tap(builder, tap);
    bool done = add_objects(builder, objects, &err);

    ret->fleet = done ? fleet_builder_finish(builder, 0, &err) : NULL;
    fleet_builder_free(builder);
    return ret->fleet != NULL;
}

static bool
read_lines(const struct taken *taken, struct planned *ret)
{
    struct fleet_builder *builder = fleet_builder_new();
    struct error err = ERROR_INIT;
    struct buf text, member;
    bool done = true;

    buf_init(&text, TEXT_MAX);
    buf_init(&member, TEXT_MAX);
    for (size_t i = 0; done && i < taken->lines.count; i++) {
        const struct line *line = &taken->lines.items[i];

        buf_clear(&text);
        buf_clear(&member);
        pruner_reveal(taken->pruner, taken->text.data + line->offset, line->length, &text);
        pruner_reveal(taken->pruner, taken->text.data + line->member, line->member_length, &member);
        member.data[member.length - 1] = '\0'; /* the quotes */
        fleet_builder_at(builder, i);
        done = add(builder, buf_text(&text), text.length, member.data + 1, &err);
    }
    ret->fleet = done ? fleet_builder_finish(builder, 0, &err) : NULL;
    fleet_builder_free(builder);
    buf_release(&text);
    buf_release(&member);
    return ret->fleet != NULL;
}

/* Clusters are sorted by name in both: the same one has the same index. */
static bool
same_targets(const struct planned *a, const struct target_list *x, const struct planned *b,
             const struct target_list *y)
{
    bool same = x->count == y->count;

    for (uint32_t i = 0; same && i < x->count; i++) {
        same = fleet_find_cluster(a->fleet, x->items[i].name) ==
                   fleet_find_cluster(b->fleet, y->items[i].name) &&
               x->items[i].replicas == y->items[i].replicas;
    }
    return same;
}

static bool
same_decisions(const struct planned *a, const struct planned *b)
{
    bool same = a->plan->n_decisions == b->plan->n_decisions;

    for (uint32_t i = 0; same && i < a->plan->n_decisions; i++) {
        const struct decision *x = plan_decision(a->arena, a->plan, a->fleet, i);
        const struct decision *y = plan_decision(b->arena, b->plan, b->fleet, i);

        same = x->binding == y->binding && x->action == y->action && x->changes == y->changes &&
               x->moved == y->moved && x->unplaced == y->unplaced && x->n_reasons == y->n_reasons &&
               same_targets(a, &x->before, b, &y->before) &&
               same_targets(a, &x->after, b, &y->after);
    }
    return same;
}

static bool
same_findings(const struct planned *a, const struct planned *b)
{
    bool same = a->diagnosis->n_findings == b->diagnosis->n_findings;

    for (uint32_t i = 0; same && i < a->diagnosis->n_findings; i++) {
        const struct finding *x = &a->diagnosis->findings[i], *y = &b->diagnosis->findings[i];

        same = x->type == y->type && x->binding == y->binding && x->replicas == y->replicas &&
               x->since == y->since && x->triggers == y->triggers &&
               fleet_find_cluster(a->fleet, x->cluster) == fleet_find_cluster(b->fleet, y->cluster);
    }
    return same;
}

static void
check(const struct buf *objects, bool redact, const struct policy *policy, struct buf *complaints)
{
    struct taken taken = {.pruner = pruner_new(redact), .lines = VEC_INIT};
    struct fleet_tap tap = {.context = &taken,
                            .begin = on_begin,
                            .object = on_object,
                            .saw = on_part,
                            .forget = on_part};
    struct planned first = {.fleet = NULL}, again = {.fleet = NULL};

    buf_init(&taken.text, TEXT_MAX);
    if (!read_objects(objects, &tap, &first)) {
        buf_printf(complaints, "a snapshot: the fleet cannot be read\n");
    } else {
        pruner_finish(taken.pruner);
        if (!read_lines(&taken, &again)) {
            buf_printf(complaints, "a snapshot cannot be read\n");
        }
    }
    if (again.fleet != NULL) {
        plan(&first, policy);
        plan(&again, policy);
        if (!redact && strcmp(first.json, again.json) != 0) {
            buf_printf(complaints, "the plan made of a snapshot is another one\n");
        }
        if (!same_decisions(&first, &again) || !same_findings(&first, &again)) {
            buf_printf(complaints, "the plan made of a %ssnapshot decides otherwise\n",
                       redact ? "redacted " : "");
        }
    }
    release(&first);
    release(&again);
    vec_free(&taken.lines);
    buf_release(&taken.text);
    pruner_free(taken.pruner);
}

void
snapshots_check(const struct buf *objects, const struct policy *policy, bool redacted,
                struct buf *complaints)
{
    check(objects, false, policy, complaints);
    if (redacted) {
        check(objects, true, policy, complaints);
    }
}

/* --- summaries --- */

static bool
is_of_none(const void *context, const char *member)
{
    (void)context;
    (void)member;
    return false;
}

/* What one shard writes of the objects. */
static bool
observe(const struct buf *objects, struct shard shard, struct slicing slicing, struct buf *ret)
{
    struct summary_writer *writer = summary_writer_new(shard, slicing, 0);
    struct fleet_builder *builder = fleet_builder_new();
    struct error err = ERROR_INIT;

    fleet_builder_expect(
        builder, (struct fleet_expectation){.choice = share_choice(summary_writer_share(writer))});
    fleet_builder_tap(builder, summary_writer_tap(writer));
    struct fleet *fleet =
        add_objects(builder, objects, &err) ? fleet_builder_finish(builder, 0, &err) : NULL;
    bool done = fleet != NULL && summary_writer_finish(writer, fleet, ret, &err);

    fleet_builder_free(builder);
    fleet_free(fleet);
    summary_writer_free(writer);
    return done;
}

/* Summaries of all shards, parsed. */
struct summaries {
    struct arena *arena;
    VEC_OF(struct buf) texts;
    VEC_OF(const struct summary_section *) sections; /* the last shard's first */
};

static bool
observe_all(const struct buf *objects, uint32_t count, struct slicing slicing,
            struct summaries *ret, struct error *err)
{
    bool done = true;

    for (uint32_t index = count; done && index > 0; index--) {
        struct buf *text = vec_push(&ret->texts);

        buf_init(text, TEXT_MAX);
        done = observe(objects, (struct shard){index, count}, slicing, text);
        const struct summary *summary =
            done ? summary_parse(ret->arena, buf_text(text), text->length, err) : NULL;

        done = summary != NULL;
        for (uint32_t i = 0; done && i < summary->n_sections; i++) {
            vec_add(&ret->sections, &summary->sections[i]);
        }
    }
    return done;
}

/* All that is said of the member of the first section that is left; those are taken out. */
static bool
add_member(struct summaries *summaries, struct fleet_builder *builder, struct error *err)
{
    const struct summary_section *items[SLICES_MAX], *bad;
    struct summary_sections of = {.items = items};
    const struct summary_section *first = summaries->sections.items[0];
    const char *member = first->member;
    slice_set seen = 0;
    size_t kept = 0;

    for (size_t i = 0; i < summaries->sections.count; i++) {
        const struct summary_section *section = summaries->sections.items[i];

        if (strcmp(section->member, member) == 0) {
            seen |= section->slices;
            items[of.count++] = section;
        } else {
            summaries->sections.items[kept++] = section;
        }
    }
    summaries->sections.count = kept;
    if (seen != slice_set_all(first->n_slices)) {
        return error_set(err, ERROR_INVALID, "slices of %s are missing", member);
    }
    summary_sections_remark(&of, builder);
    return summary_sections_add(&of, builder, 0, NULL, &bad, err);
}

/* The control plane's objects, and the members out of so many summaries, the last one first. */
static bool
read_summaries(const struct buf *objects, uint32_t count, struct slicing slicing,
               struct planned *ret)
{
    struct fleet_builder *builder = fleet_builder_new();
    struct summaries summaries = {.arena = arena_new()};
    struct error err = ERROR_INIT;

    fleet_builder_expect(builder, (struct fleet_expectation){.choice = {.has = is_of_none}});
    bool done = add_objects(builder, objects, &err) &&
                observe_all(objects, count, slicing, &summaries, &err);

    while (done && summaries.sections.count > 0) {
        done = add_member(&summaries, builder, &err);
    }
    ret->fleet = done ? fleet_builder_finish(builder, 0, &err) : NULL;
    fleet_builder_free(builder);
    for (size_t i = 0; i < summaries.texts.count; i++) {
        buf_release(&summaries.texts.items[i]);
    }
    vec_free(&summaries.texts);
    vec_free(&summaries.sections);
    arena_free(summaries.arena);
    return ret->fleet != NULL;
}

/* Every member in so many slices. */
static struct slicing
cut_all(const struct planned *whole, uint32_t slices)
{
    uint32_t count = whole->fleet->n_clusters;
    struct sliced_member *items = ARENA_ARRAY(whole->arena, struct sliced_member, count);

    for (uint32_t i = 0; i < count; i++) {
        items[i] = (struct sliced_member){whole->fleet->clusters[i].name, slices};
    }
    return (struct slicing){items, slices > 1 ? count : 0};
}

static void
compare_merged(const struct buf *objects, const struct policy *policy, const struct planned *whole,
               uint32_t count, uint32_t slices, struct buf *complaints)
{
    struct planned merged = {.fleet = NULL};

    if (!read_summaries(objects, count, cut_all(whole, slices), &merged)) {
        buf_printf(complaints, "%u summaries of %u slices cannot be read\n", (unsigned)count,
                   (unsigned)slices);
    } else {
        plan(&merged, policy);
        if (strcmp(whole->json, merged.json) != 0) {
            buf_printf(complaints,
                       "the plan made of %u summaries is another one (%u slices a member)\n",
                       (unsigned)count, (unsigned)slices);
        }
    }
    release(&merged);
}

static void
compare_summaries(const struct buf *objects, const struct policy *policy, struct buf *complaints)
{
    static const uint32_t counts[] = {1, 2, 7, 16}, slices[] = {1, 2, 3, 5};
    struct planned whole = {.fleet = NULL};

    if (!read_objects(objects, NULL, &whole)) {
        buf_printf(complaints, "summaries: the fleet cannot be read\n");
        release(&whole);
        return;
    }
    plan(&whole, policy);
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        for (size_t k = 0; k < sizeof(slices) / sizeof(slices[0]); k++) {
            compare_merged(objects, policy, &whole, counts[i], slices[k], complaints);
        }
    }
    release(&whole);
}

/* A node that is half full of pods, none of which is in order: what is free there is known to
 * whoever sees all of them. */
static void
append_crowd(const char *member, struct buf *out)
{
    static const char of[] = "\"annotations\":{\"resource.karmada.io/cached-from-cluster\":\"%s\"}";

    buf_append_str(out,
                   "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"crowd\",");
    buf_printf(out, of, member);
    buf_printf(out, "},\"status\":{\"allocatable\":{\"cpu\":\"%dm\",\"pods\":\"%d\"}}}", 20 * CROWD,
               2 * CROWD);
    buf_append(out, "", 1);
    for (int i = 0; i < CROWD; i++) {
        buf_printf(out,
                   "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"namespace\":\"crowd\","
                   "\"name\":\"pod-%d-of-a-long-name\",",
                   i);
        buf_printf(out, of, member);
        buf_printf(
            out,
            "},\"spec\":{\"nodeName\":\"crowd\",\"containers\":[{\"resources\":{\"requests\":{"
            "\"cpu\":\"%dm\"}}}]},\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":"
            "\"Ready\",\"status\":\"False\",\"lastTransitionTime\":\"2026-02-03T00:00:00Z\"}]}}",
            1 + i % 19);
        buf_append(out, "", 1);
    }
}

static void
compare_crowded(const struct buf *objects, const struct policy *policy, struct buf *complaints)
{
    struct planned sparse = {.fleet = NULL};
    struct buf crowded;

    buf_init(&crowded, TEXT_MAX);
    buf_append(&crowded, buf_text(objects), objects->length);
    if (read_objects(objects, NULL, &sparse)) {
        append_crowd(sparse.fleet->clusters[0].name, &crowded);
    }
    compare_summaries(&crowded, policy, complaints);
    fleet_free(sparse.fleet);
    buf_release(&crowded);
}

void
summaries_check(const struct buf *objects, const struct policy *policy, bool crowded,
                struct buf *complaints)
{
    compare_summaries(objects, policy, complaints);
    if (crowded) {
        compare_crowded(objects, policy, complaints);
    }
}
