/* SPDX-License-Identifier: Apache-2.0
 *
 * Records taken back, binding by binding. The split that a record says was
 * written has to stand there still, by value: that a status or an annotation
 * changed since matters to nobody. What is put back has to be a split that
 * somebody would leave alone: whole, and in clusters that may take it.
 */
#include "ballast/plan/undo.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "move_history.h"
#include "planner.h"

#define SPLIT_TOLD_MAX 8 /* clusters */

static const char *const codes[] = {
#define X(id, code, text) code,
    UNDO_VERDICTS(X)
#undef X
};

enum verdict {
#define X(id, code, text) VERDICT_##id,
    UNDO_VERDICTS(X)
#undef X
};

/* One item of one record. */
struct undo_entry {
    const struct record_item *item;
    uint32_t record; /* the latest is 0 */
};

struct undo {
    const struct record **records; /* the latest first */
    uint32_t n_records;
    struct undo_entry *entries; /* sorted by what they are about, the latest first */
    uint32_t n_entries;
    const char *text;
    struct str_list ids;
};

/* --- the records, by binding --- */

static int
record_cmp(const void *a, const void *b)
{
    const struct record *x = *(const struct record *const *)a;
    const struct record *y = *(const struct record *const *)b;

    return x->written != y->written ? (x->written < y->written ? 1 : -1) : strcmp(y->id, x->id);
}

static int
identity_cmp(const struct record_item *item, enum binding_kind kind, const char *namespace_,
             const char *name)
{
    int order = item->kind != kind ? (item->kind < kind ? -1 : 1) : 0;

    order = order != 0 ? order : strcmp(item->namespace_, namespace_);
    return order != 0 ? order : strcmp(item->name, name);
}

static int
entry_cmp(const void *a, const void *b)
{
    const struct undo_entry *x = a, *y = b;
    int order = identity_cmp(x->item, y->item->kind, y->item->namespace_, y->item->name);

    return order != 0 ? order : x->record < y->record ? -1 : x->record > y->record ? 1 : 0;
}

static void
name_records(struct arena *arena, struct undo *undo)
{
    const char **ids = ARENA_ARRAY(arena, const char *, undo->n_records);

    undo->text = "";
    for (uint32_t i = 0; i < undo->n_records; i++) {
        ids[i] = undo->records[i]->id;
        undo->text = arena_printf(arena, "%s%s%s", undo->text, i == 0 ? "" : ", ", ids[i]);
    }
    undo->ids = (struct str_list){.items = ids, .count = undo->n_records, .present = true};
}

const struct undo *
undo_new(struct arena *arena, const struct record *const *records, uint32_t count)
{
    struct undo *undo = ARENA_NEW(arena, struct undo);
    size_t n_items = 0;

    undo->records = arena_memdup(arena, records, count * sizeof(*records));
    undo->n_records = count;
    qsort(undo->records, count, sizeof(*undo->records), record_cmp);
    for (uint32_t i = 0; i < count; i++) {
        n_items += undo->records[i]->n_items;
    }
    undo->entries = ARENA_ARRAY(arena, struct undo_entry, n_items);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < undo->records[i]->n_items; k++) {
            undo->entries[undo->n_entries++] = (struct undo_entry){&undo->records[i]->items[k], i};
        }
    }
    qsort(undo->entries, undo->n_entries, sizeof(*undo->entries), entry_cmp);
    name_records(arena, undo);
    return undo;
}

const char *
undo_records_text(const struct undo *undo)
{
    return undo->text;
}

struct str_list
undo_record_ids(const struct undo *undo)
{
    return undo->ids;
}

/* The first entry about a binding; n_entries: there is none. */
static uint32_t
find_first(const struct undo *undo, const struct binding *binding)
{
    uint32_t low = 0, high = undo->n_entries;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (identity_cmp(undo->entries[middle].item, binding->kind, binding->namespace_,
                         binding->name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < undo->n_entries && identity_cmp(undo->entries[low].item, binding->kind,
                                                       binding->namespace_, binding->name) == 0;

    return found ? low : undo->n_entries;
}

/* The entries from there on are about the same binding. */
static bool
is_about_same(const struct undo *undo, uint32_t first, uint32_t entry)
{
    const struct record_item *item = undo->entries[first].item;

    return entry < undo->n_entries &&
           identity_cmp(undo->entries[entry].item, item->kind, item->namespace_, item->name) == 0;
}

struct notice_list
undo_missing(struct arena *arena, const struct undo *undo, const struct fleet *fleet)
{
    bool *there = ARENA_ARRAY(arena, bool, undo->n_entries);
    struct notice *notices = ARENA_ARRAY(arena, struct notice, undo->n_entries);
    struct notice_list list = {.items = notices};

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        uint32_t first = find_first(undo, &fleet->bindings[i]);

        if (first < undo->n_entries) {
            there[first] = true;
        }
    }
    for (uint32_t i = 0, next; i < undo->n_entries; i = next) {
        const struct record_item *item = undo->entries[i].item;

        for (next = i + 1; is_about_same(undo, i, next); next++) {
        }
        if (!there[i]) {
            notices[list.count++] = (struct notice){
                .about = arena_printf(arena, "%s %s%s%s", binding_kind_name(item->kind),
                                      item->namespace_, str_is_empty(item->namespace_) ? "" : "/",
                                      item->name),
                .message = "not put back: it does not exist any more",
            };
        }
    }
    return list;
}

/* --- one binding --- */

struct undoing {
    struct planner *planner;
    const struct undo *undo;
    const struct move *move;
    struct decision *decision;
    struct target_list back; /* as it was before, in that order */
    const char *oldest_id;
    const struct record_item *oldest; /* that is taken back */
    bool *taken_back;                 /* by eviction task of the binding */
    bool takes_task;
};

/* "berlin:2, oslo:1" */
static const char *
split_text(struct planner *planner, const struct target_list *list)
{
    const char *text = list->count == 0 ? "nowhere" : "";

    for (uint32_t i = 0; i < list->count && i < SPLIT_TOLD_MAX; i++) {
        text = arena_printf(planner->scratch, "%s%s%s:%d", text, i == 0 ? "" : ", ",
                            list->items[i].name, list->items[i].replicas);
    }
    return list->count > SPLIT_TOLD_MAX ? arena_printf(planner->scratch, "%s, ...", text) : text;
}

#define tell(undoing, verdict, cluster, ...)                                                       \
    reason_add((undoing)->planner, (undoing)->decision, codes[verdict], (cluster), __VA_ARGS__)

static bool
same_split(struct planner *planner, const struct target_list *a, const struct target_list *b)
{
    const struct target_list x = targets_sorted(planner->scratch, *a);
    const struct target_list y = targets_sorted(planner->scratch, *b);

    return targets_equal(&x, &y);
}

/* Tasks that the run wrote for clusters which get their replicas back. */
static void
mark_tasks(struct undoing *undoing, const struct record_item *item)
{
    const struct binding *binding = undoing->move->binding;

    for (uint32_t i = 0; i < binding->n_eviction_tasks; i++) {
        const struct graceful_eviction_task *task = &binding->eviction_tasks[i];

        for (uint32_t k = 0; k < item->n_tasks && str_eq(task->producer, EVICTION_PRODUCER); k++) {
            if (str_eq(task->from_cluster, item->tasks[k].from_cluster)) {
                undoing->taken_back[i] = undoing->takes_task = true;
            }
        }
    }
}

static bool
is_same_object(const struct binding *binding, const struct record_item *item)
{
    return str_is_empty(item->uid) || str_is_empty(binding->uid) || str_eq(item->uid, binding->uid);
}

/* From the latest record to the first: each has to have left what the one after it found. false:
 * somebody changed it. */
static bool
follow_records(struct undoing *undoing, uint32_t first)
{
    const struct undo *undo = undoing->undo;
    struct planner *planner = undoing->planner;

    undoing->back = undoing->move->binding->clusters;
    for (uint32_t i = first; is_about_same(undo, first, i); i++) {
        const struct record_item *item = undo->entries[i].item;
        const char *id = undo->records[undo->entries[i].record]->id;

        if (!is_same_object(undoing->move->binding, item)) {
            tell(undoing, VERDICT_RECREATED, "", "it is another object than that of record %s", id);
            return false;
        }
        if (same_split(planner, &undoing->back, &item->after)) {
            undoing->back = item->before;
            undoing->oldest = item;
            undoing->oldest_id = id;
            mark_tasks(undoing, item);
        } else if (!same_split(planner, &undoing->back, &item->before)) {
            tell(undoing, VERDICT_CHANGED, "", "%s was written (record %s), and %s is there now",
                 split_text(planner, &item->after), id, split_text(planner, &undoing->back));
            return false;
        }
    }
    return true;
}

/* Replicas of what is put back. */
static bool
is_whole(const struct binding *binding, const struct target_list *back)
{
    bool divided = !binding_is_set(binding) && placement_is_divided(binding->placement);

    if (!binding_is_workload(binding)) {
        return back->count > 0;
    }
    if (binding->federated != NULL) { /* what a lost cluster keeps may come on top */
        return targets_sum(back) >= binding->replicas;
    }
    if (divided) {
        return targets_sum(back) == binding->replicas;
    }
    for (uint32_t i = 0; i < back->count; i++) {
        if (back->items[i].replicas != binding_copy_size(binding)) {
            return false;
        }
    }
    return back->count > 0;
}

static bool
check_whole(struct undoing *undoing)
{
    const struct binding *binding = undoing->move->binding;

    if (undoing->oldest->replicas != binding_copy_size(binding)) {
        tell(undoing, VERDICT_SCALED, "", "it wanted %d replicas then, and wants %d now",
             undoing->oldest->replicas, binding_copy_size(binding));
        return false;
    }
    if (!is_whole(binding, &undoing->back)) {
        tell(undoing, VERDICT_WAS_SHORT, "",
             "it was %s, and wants %d replicas: the scheduler or the next run would place them "
             "at once",
             split_text(undoing->planner, &undoing->back), binding_copy_size(binding));
        return false;
    }
    return true;
}

/* Any of the binding's terms lets it in; *ret is why the last one does not. */
static bool
passes_some_term(struct undoing *undoing, uint32_t cluster, enum filter_verdict *ret)
{
    const struct binding *binding = undoing->move->binding;
    const struct placement *placement = binding->placement;
    uint32_t n_terms = placement != NULL ? placement->cluster_affinities.count : 0;
    uint32_t i = 0;

    do {
        const char *term = n_terms > 0 ? placement->cluster_affinities.items[i].name : "";

        *ret = scheduler_filter(undoing->planner->scheduler, binding, term, cluster);
    } while (*ret != FILTER_PASSED && ++i < n_terms);
    return *ret == FILTER_PASSED;
}

/* A task of ours that goes with the same write keeps nobody out. */
static bool
is_task_taken_back(const struct undoing *undoing, const char *cluster)
{
    const struct binding *binding = undoing->move->binding;
    bool taken_back = false;

    for (uint32_t i = 0; i < binding->n_eviction_tasks; i++) {
        if (str_eq(binding->eviction_tasks[i].from_cluster, cluster)) {
            if (!undoing->taken_back[i]) {
                return false;
            }
            taken_back = true;
        }
    }
    return taken_back;
}

/* It may take what it would get back. */
static bool
check_destination(struct undoing *undoing, const char *name)
{
    const struct planner *planner = undoing->planner;
    uint32_t cluster = fleet_find_cluster(planner->fleet, name);
    enum filter_verdict verdict;

    if (cluster == CLUSTER_NONE) {
        tell(undoing, VERDICT_CLUSTER_GONE, name, "the cluster does not exist any more");
        return false;
    }
    const struct cluster_health *health = &planner->diagnosis->clusters[cluster];

    if (planner->fleet->clusters[cluster].deletion_timestamp != TIME_NONE) {
        tell(undoing, VERDICT_CLUSTER_UNFIT, name, "the cluster is being deleted");
        return false;
    }
    if (!cluster_may_receive(health)) {
        tell(undoing, VERDICT_CLUSTER_UNFIT, name, "the cluster may take no replicas: %s",
             str_is_empty(health->reason) ? "it has not been ready for long enough"
                                          : health->reason);
        return false;
    }
    if (binding_is_suspended_in(undoing->move->binding, name)) {
        tell(undoing, VERDICT_REFUSED, name, "dispatching to the cluster is suspended");
        return false;
    }
    if (!passes_some_term(undoing, cluster, &verdict) &&
        !(verdict == FILTER_CLUSTER_EVICTION && is_task_taken_back(undoing, name))) {
        tell(undoing, VERDICT_REFUSED, name, "%s",
             scheduler_filter_reason(planner->scheduler, undoing->move->binding, verdict, cluster,
                                     undoing->planner->scratch));
        return false;
    }
    return true;
}

static bool
check_destinations(struct undoing *undoing)
{
    const struct target_list *now = &undoing->move->binding->clusters;
    bool fine = true;

    for (uint32_t i = 0; i < undoing->back.count; i++) {
        const struct target *target = &undoing->back.items[i];
        const struct target *is = target_list_find(now, target->name);

        if (is == NULL || is->replicas < target->replicas) {
            fine = check_destination(undoing, target->name) && fine;
        }
    }
    return fine;
}

/* It is said, and done: whoever puts back what was moved a while ago has to. */
static void
tell_ready(struct undoing *undoing)
{
    const struct target_list *now = &undoing->move->binding->clusters;

    for (uint32_t i = 0; i < now->count; i++) {
        int32_t left = targets_find(&undoing->back, now->items[i].name);
        int32_t ready = undoing->move->targets[i].ready;

        if (ready > left && !undoing->move->targets[i].lost) {
            tell(undoing, VERDICT_ENDS_READY, now->items[i].name,
                 "%d of %d ready replicas end there, maybe before others are ready elsewhere",
                 ready - left, ready);
        }
    }
}

/* Sorted, with the clusters of the fleet. */
static struct target_list
resolve(struct planner *planner, const struct target_list *list)
{
    struct target *items =
        arena_memdup(planner->arena, list->items, list->count * sizeof(*list->items));

    for (uint32_t i = 0; i < list->count; i++) {
        items[i].cluster = fleet_find_cluster(planner->fleet, items[i].name);
    }
    return (struct target_list){.items = items, .count = list->count};
}

static void
count_replicas(struct decision *decision)
{
    int64_t gains = targets_more(&decision->before, &decision->after);
    int64_t losses = targets_more(&decision->after, &decision->before);

    decision->moved = pin_count(gains < losses ? gains : losses);
    decision->added = pin_count(gains > losses ? gains - losses : 0);
}

static void
enter_in_ledger(struct planner *planner, const struct binding *binding, struct decision *decision)
{
    struct ledger_receipt **receipts =
        ARENA_ARRAY(planner->arena, struct ledger_receipt *, decision->after.count);

    for (uint32_t i = 0; i < decision->after.count && !binding_is_set(binding); i++) {
        const struct target *target = &decision->after.items[i];
        int32_t more = target->replicas - targets_find(&decision->before, target->name);
        struct ledger_receipt *receipt =
            more > 0 && target->cluster != CLUSTER_NONE
                ? ledger_take(planner->ledger, target->cluster, binding->requirements, more)
                : NULL;

        if (receipt != NULL) {
            receipts[decision->n_receipts++] = receipt;
        }
    }
    decision->receipts = receipts;
}

/* What is to be written, within the limits of the run. */
static void
put_back(struct undoing *undoing)
{
    struct planner *planner = undoing->planner;
    struct decision *decision = undoing->decision;
    const struct target_list written = resolve(planner, &undoing->back);

    decision->after = targets_sorted(planner->arena, written);
    decision->action = ACTION_MOVE;
    decision->changes = true;
    if (!limit_whole(planner, undoing->move, decision)) {
        return;
    }
    decision->as_written = written;
    decision->tasks_taken_back = undoing->takes_task ? undoing->taken_back : NULL;
    tell(undoing, VERDICT_PUT_BACK, "", "it goes back to what it was before record %s",
         undoing->oldest_id);
    tell_ready(undoing);
    count_replicas(decision);
    move_history_write_undo(planner, undoing->move, decision);
    enter_in_ledger(planner, undoing->move->binding, decision);
}

static void
decide(struct undoing *undoing, uint32_t first)
{
    struct decision *decision = undoing->decision;
    const struct target_list *now = &undoing->move->binding->clusters;

    decision->action = ACTION_BLOCKED;
    if (undoing->move->state->left_alone != LEFT_ALONE_NOT) {
        tell_left_alone(undoing->planner, undoing->move, decision);
    } else if (!follow_records(undoing, first)) {
        return;
    } else if (undoing->oldest == NULL ||
               (same_split(undoing->planner, &undoing->back, now) && !undoing->takes_task)) {
        decision->action = ACTION_NONE;
        tell(undoing, VERDICT_IN_PLACE, "", "it has the split already that it had before");
    } else if (check_whole(undoing) && check_destinations(undoing)) {
        put_back(undoing);
    }
}

static const struct decision *
decide_binding(struct planner *planner, const struct undo *undo, uint32_t index, uint32_t first)
{
    struct decision *decision = ARENA_NEW(planner->arena, struct decision);
    const struct move *move = move_new(planner, index, (struct assumptions){.back = 0});
    struct undoing undoing = {
        .planner = planner,
        .undo = undo,
        .move = move,
        .decision = decision,
        .taken_back = ARENA_ARRAY(planner->arena, bool, move->binding->n_eviction_tasks),
    };

    *decision = decision_unchanged(planner->arena, planner->fleet, index);
    decide(&undoing, first);
    decision->reasons = arena_memdup(planner->arena, decision->reasons,
                                     decision->n_reasons * sizeof(*decision->reasons));
    return decision;
}

const struct plan *
plan_undo(struct arena *arena, const struct plan_inputs *inputs, const struct undo *undo)
{
    const struct fleet *fleet = inputs->fleet;
    const struct diagnosis *diagnosis = inputs->diagnosis;
    struct plan *plan = ARENA_NEW(arena, struct plan);
    const struct decision **decisions =
        ARENA_ARRAY(arena, const struct decision *, fleet->n_bindings);
    bool *asked = ARENA_ARRAY(arena, bool, fleet->n_bindings);
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, fleet->n_bindings);
    struct planner planner = {.arena = arena,
                              .scratch = arena_new(),
                              .fleet = fleet,
                              .diagnosis = diagnosis,
                              .policy = inputs->policy,
                              .ledger = inputs->ledger,
                              .budget = inputs->budget};

    planner_init(&planner);
    for (uint32_t i = 0; i < fleet->n_bindings && !policy_is_stopped(inputs->policy); i++) {
        uint32_t first = find_first(undo, &fleet->bindings[i]);

        order[i] = i;
        if (first < undo->n_entries &&
            diagnosis->bindings[i].left_alone != LEFT_ALONE_OUT_OF_SCOPE) {
            asked[i] = true;
            decisions[i] = decide_binding(&planner, undo, i, first);
            arena_reset(planner.scratch);
        }
    }
    arena_free(planner.scratch);
    plan->n_decisions = fleet->n_bindings;
    plan->order = order;
    plan->asked = asked;
    plan->totals.bindings = fleet->n_bindings;
    return plan_with(arena, plan, diagnosis, decisions);
}
