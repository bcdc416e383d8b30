/* SPDX-License-Identifier: Apache-2.0
 *
 * What every looking into members has in common, whatever it looks for: one engine,
 * shares of memory and time, and what becomes of lists that failed.
 */
#include <string.h>

#include "ballast/base/timestamp.h"
#include "probe.h"

#define IN_FLIGHT_MAX 64
#define REPLIES_PART 4 /* of the memory for answers: one member's */
#define SHOWN_PART 2   /* likewise for what is kept of them */
#define SURE_PART 4    /* of that memory: divided among all in equal parts */

void
member_add_list(struct member_probe *member, const struct member_resource *resource,
                const char *namespace_, const char *query)
{
    if (member->n_lists == MEMBER_LISTS_MAX) {
        BUG("more lists of a member than there is room for");
    }
    member->lists[member->n_lists++] = (struct member_list){
        .member = member, .resource = resource, .namespace_ = namespace_, .query = query};
}

void
member_settle_failures(struct member_probe *member)
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

/* One member alone fills neither what is there for answers nor what is there for what is kept; all
 * the others together do not take the last of it from one that shows little. */
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
