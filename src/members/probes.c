/* SPDX-License-Identifier: Apache-2.0
 *
 * Manages members for any look: begins, awaits and loses them, handles failed lists, and shares one
 * engine, memory and time.
 */
#include <string.h>

#include "ballast/base/timestamp.h"
#include "probe.h"

#define TIMEOUT_DEFAULT (15 * NANOS_PER_SECOND)
#define TIMEOUT_NOT_READY (3 * NANOS_PER_SECOND)
#define TIME_FOR_PAGE NANOS_PER_SECOND
#define CLOCK_BLUR (3 * NANOS_PER_SECOND) /* of two Dates in whole seconds, and their way */
#define IN_FLIGHT_MAX 64
#define TURNS_MAX 8    /* members with a turn */
#define REPLIES_PART 4 /* divisor of the memory for responses: one member's part */
#define SHOWN_PART 2   /* divisor of the memory for objects: one member's part */
#define SURE_PART 4    /* divisor of that memory: reserved, in equal parts */

/* A member that has answered waits for its turn. A silent member does not hold up others. */
static bool
may_go_on(struct member_probe *member)
{
    struct member_probes *looking = member->looking;

    if (looking->answered == NULL || member->has_turn) {
        return true;
    }
    member->has_turn = looking->n_turns < TURNS_MAX;
    looking->n_turns += member->has_turn ? 1 : 0;
    return member->has_turn;
}

void
member_begin(struct member_probe *member)
{
    unsigned most = member->n_lists > 0 ? 1 : 0;

    if (member->has_answered && !member->is_lost && may_go_on(member)) {
        most = member->n_lists;
    }
    while (member->n_begun < most && member->client != NULL && !member->is_lost &&
           member->looking->stopped.code == ERROR_NONE) {
        member_list_begin(&member->lists[member->n_begun++]);
    }
}

void
member_lose(struct member_probe *member, const char *message)
{
    if (!member->is_lost) {
        member->loss = arena_strndup(member->looking->arena, message, strlen(message));
    }
    member->is_lost = true;
    for (unsigned i = 0; i < member->n_lists; i++) {
        if (member->lists[i].state == LIST_OPEN) {
            member_list_fail(&member->lists[i], message);
        }
        member_list_forget(&member->lists[i]);
    }
}

void
member_disown(struct member_probe *member, const char *message)
{
    for (unsigned i = 0; i < member->n_lists; i++) {
        if (member->lists[i].state != LIST_FAILED) {
            member->lists[i].state = LIST_OPEN;
        }
    }
    member_lose(member, message);
}

void
member_end(struct member_probe *member)
{
    struct member_probes *looking = member->looking;

    member->is_over = true;
    byte_budget_give(&member->sure, member->sure.used);
    byte_budget_give(&member->shown, member->shown.used);
    looking->n_turns -= member->has_turn ? 1 : 0;
    member->has_turn = false;
    if (looking->answered == NULL) { /* all members have a turn */
        return;
    }
    for (size_t i = 0; i < looking->n_members && looking->n_turns < TURNS_MAX; i++) {
        struct member_probe *next = &looking->members[i];

        if (next->has_answered && !next->has_turn && !next->is_over) {
            member_begin(next);
            if (next->is_lost) { /* no response reports it */
                looking->answered(next);
            }
        }
    }
}

bool
member_is_looked_into(const struct member_probe *member)
{
    bool is_over = member->is_lost || member->n_begun == member->n_lists;

    for (unsigned i = 0; i < member->n_begun && is_over && !member->is_lost; i++) {
        is_over = member->lists[i].state != LIST_OPEN;
    }
    return is_over;
}

void
member_report_progress(const struct member_probes *looking)
{
    const struct progress *progress = &looking->look->progress;
    uint64_t done = 0;

    if (progress->tell == NULL) {
        return;
    }
    for (size_t i = 0; i < looking->n_members; i++) {
        done += member_is_looked_into(&looking->members[i]) ? 1 : 0;
    }
    progress_report(progress, "members", done, looking->n_members);
}

/* Counts responses that are awaited at the same time as one wait. */
void
member_count_wait(struct member_probe *member, int64_t took)
{
    const struct clock *clock = &member->looking->look->clock;
    int64_t now = clock->monotonic(clock->context);
    int64_t since = now - member->waited_till;

    member->waited += took < since ? took : since;
    member->waited_till = now;
}

int64_t
member_time_left(const struct member_probe *member)
{
    int64_t limit = member->looking->look->options->timeout;

    limit = limit > 0 ? limit : TIMEOUT_DEFAULT;
    if (!member->address->is_ready && limit > TIMEOUT_NOT_READY) {
        limit = TIMEOUT_NOT_READY;
    }
    return timestamp_add(limit, (int64_t)member->n_pages * TIME_FOR_PAGE) - member->waited;
}

void
member_take_clock(struct member_probe *member, int64_t date)
{
    int64_t ours = kube_client_server_time(member->looking->look->client);

    if (member->has_clock || date == TIME_NONE || ours == TIME_NONE) {
        return;
    }
    int64_t offset = timestamp_add(date, -ours);

    member->has_clock = true;
    if (offset > CLOCK_BLUR || offset < -CLOCK_BLUR) {
        fleet_builder_clock(member->looking->builder, member->address->name, offset);
    }
}

bool
few_namespaces_have(const struct few_namespaces *few, const char *name)
{
    for (unsigned i = 0; i < few->count; i++) {
        if (str_eq(few->names[i], name)) {
            return true;
        }
    }
    return false;
}

void
few_namespaces_add(struct few_namespaces *few, const char *name)
{
    if (few->are_too_many || few_namespaces_have(few, name)) {
        return;
    }
    if (few->count == FEW_NAMESPACES) {
        few->are_too_many = true;
    } else {
        few->names[few->count++] = name;
    }
}

void
member_choose_failure(struct member_probe *member)
{
    const char *parts = "", *message = NULL, *last = "";

    for (unsigned i = 0; i < member->n_lists; i++) {
        const struct member_list *list = &member->lists[i];

        if (list->state != LIST_FAILED) {
            continue;
        }
        if (strstr(parts, list->resource->name) == NULL) {
            parts = arena_printf(member->looking->arena, "%s%s%s", parts,
                                 str_is_empty(last) ? "" : ", ", list->resource->name);
            last = list->resource->name;
        }
        message = message == NULL ? list->message : message;
        if (list->resource->part >= 0) {
            fleet_builder_forget(member->looking->builder, member->address->name,
                                 (enum member_part)list->resource->part);
        }
    }
    if (message != NULL) {
        fleet_builder_miss(member->looking->builder, member->address->name, parts, message);
    }
}

static struct kube_client *
open_relay(const struct member_probes *looking, struct error *err)
{
    const struct kube_client *ours = looking->look->client;
    struct kube_client_options options = *kube_client_settings(ours);

    options.engine = looking->engine;
    options.concurrency = IN_FLIGHT_MAX;
    options.watch = looking->look->options->watch;
    return kube_client_new(kube_client_config(ours), &options, err);
}

/* One member cannot fill the memory for responses or for objects. All others together leave a
 * reserved part to a member that shows little. */
static void
prepare(struct member_probes *looking, size_t index)
{
    struct byte_budget *replies = kube_client_settings(looking->look->client)->budget;
    size_t memory = looking->look->options->memory;

    looking->members[index] = (struct member_probe){
        .looking = looking,
        .address = &looking->look->addresses[index],
        .replies = {.limit = replies != NULL ? replies->limit / REPLIES_PART : SIZE_MAX,
                    .whole = replies},
        .sure = {.limit = memory / SURE_PART / looking->n_members},
        .shown = {.limit = memory / SHOWN_PART, .whole = &looking->shown},
    };
}

bool
member_probes_run(struct member_probes *looking, void (*look)(struct member_probes *looking),
                  struct error *err)
{
    const struct members_options *options = looking->look->options;
    const struct clock *clock = &looking->look->clock;
    int64_t now = clock->monotonic(clock->context);

    looking->n_members = looking->look->n_addresses;
    looking->members = ARENA_ARRAY(looking->arena, struct member_probe, looking->n_members);
    looking->shown = (struct byte_budget){.limit = options->memory - options->memory / SURE_PART};
    looking->until = options->time > 0 ? timestamp_add(now, options->time) : 0;
    looking->stopped = (struct error)ERROR_INIT;
    looking->engine = kube_engine_new(IN_FLIGHT_MAX);
    looking->relay = open_relay(looking, err);
    bool done = looking->relay != NULL;

    for (size_t i = 0; i < looking->n_members && done; i++) {
        prepare(looking, i);
    }
    if (done) {
        look(looking);
        done = looking->stopped.code == ERROR_NONE;
        *err = looking->stopped;
        for (size_t i = 0; i < looking->n_members; i++) {
            member_leave(&looking->members[i]);
        }
        struct kube_statistics relayed = kube_client_statistics(looking->relay);

        kube_statistics_add(looking->requests, &relayed);
        kube_client_free(looking->relay);
    }
    kube_engine_free(looking->engine);
    return done;
}
