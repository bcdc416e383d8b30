/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a fleet from an API server: all lists for a diagnosis, and later the lists that only a plan
 * needs. If a list begins again, the objects so far mix two states of the fleet, so Ballast reads
 * all of them again.
 */
#include "ballast/karmada/control_plane.h"

#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/timestamp.h"
#include "control_plane_parts.h"

#define DESCHEDULER_LEASE                                                                          \
    "/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases/karmada-descheduler"

/* Returns the renewal time of karmada-descheduler's Lease; TIME_NONE: no Lease, or Ballast may not
 * read it. */
static int64_t
read_descheduler_lease(const struct control_plane *plane)
{
    struct kube_request request = {.method = KUBE_GET, .path = DESCHEDULER_LEASE, .max_tries = 1};
    struct error err = ERROR_INIT;
    int64_t renewed = TIME_NONE;

    kube_perform(plane->client, &request, 1);
    struct document *lease =
        request.error.code == ERROR_NONE
            ? document_parse_json(buf_text(&request.reply), request.reply.length, 1, &err)
            : NULL;

    if (lease != NULL) {
        renewed = decode_lease_renewed(document_root(lease));
    }
    document_free(lease);
    kube_request_release(&request);
    return renewed;
}

static struct source_costs
costs_now(const struct control_plane *plane, const char *source)
{
    const struct clock *clock = &plane->options.clock;
    struct kube_statistics statistics = control_plane_statistics(plane);

    return (struct source_costs){source, statistics.requests, statistics.bytes_read,
                                 clock->monotonic(clock->context)};
}

static struct source_costs
costs_since(const struct control_plane *plane, const struct source_costs *begun)
{
    struct source_costs costs = costs_now(plane, begun->source);

    costs.requests -= begun->requests;
    costs.bytes -= begun->bytes;
    costs.nanos -= begun->nanos;
    return costs;
}

static void
add_costs_since(const struct control_plane *plane, const struct source_costs *begun,
                struct source_costs *sum)
{
    struct source_costs more = costs_since(plane, begun);

    sum->requests += more.requests;
    sum->bytes += more.bytes;
    sum->nanos += more.nanos;
}

/* The member decides about the replicas of objects with this label. */
static const struct label retained = {"resourcetemplate.karmada.io/retain-replicas", "true"};

static struct members_look
look_of(const struct control_plane *plane)
{
    bool observes = plane->options.observes != NULL;

    return (struct members_look){
        .client = plane->client,
        .proxy = &control_plane_proxy,
        .options = &plane->options.members,
        .clock = plane->options.clock,
        .page_size = plane->options.page_size,
        .progress = plane->options.progress,
        .addresses = plane->members.items,
        .n_addresses = plane->members.count,
        .direct = plane->direct,
        .hints = {plane->namespaces, observes || plane->has_finishing_kinds,
                  observes || plane->has_unknown_kinds, retained, observes},
    };
}

static bool
read_members(struct control_plane *plane, struct fleet_builder *builder, int64_t now,
             struct error *err)
{
    const struct member_port *port = plane->options.port;
    struct estimators *estimators = plane->options.estimators;
    struct source_costs begun = costs_now(plane, "members");

    plane->direct = ARENA_ARRAY(plane->arena, bool, plane->members.count);
    const struct members_look look = look_of(plane);
    bool done = port != NULL ? port->look(port->context, builder, now, err)
                             : members_look(&look, builder, &plane->member_requests, err);

    plane->of_members = costs_since(plane, &begun);
    return done && (estimators == NULL ||
                    estimators_find(estimators, plane->client, plane->options.page_size, err));
}

static struct fleet *
finish(struct control_plane *plane, struct fleet_builder *builder, int64_t captured_at,
       struct error *err)
{
    struct source_costs begun = costs_now(plane, plane->of_lists.source);
    bool done = control_plane_read_labels(plane, builder, err);

    add_costs_since(plane, &begun, &plane->of_lists);
    if (!done || !read_members(plane, builder, captured_at, err)) {
        return NULL;
    }
    return fleet_builder_finish(builder, captured_at, err);
}

/* Times in objects are the server's, and the local clock may be off. */
static int64_t
server_time_at(const struct control_plane *plane, int64_t monotonic)
{
    const struct clock *clock = &plane->options.clock;
    int64_t now = kube_client_server_time(plane->client);
    int64_t since = clock->monotonic(clock->context) - monotonic;

    return timestamp_add(now != TIME_NONE ? now : clock->wall(clock->context), -since);
}

static struct fleet *
read_fleet(void *context, struct error *err)
{
    struct control_plane *plane = context;
    enum list_reading reading = READING_AGAIN;
    struct fleet *fleet = NULL;
    struct error failure = ERROR_INIT;

    plane->begins_again = false;
    for (int i = 0; i < READINGS_MAX && reading == READING_AGAIN; i++) {
        struct fleet_builder *builder = fleet_builder_new();
        struct source_costs begun = costs_now(plane, "control plane");

        failure = (struct error)ERROR_INIT;
        fleet_builder_tap(builder, plane->options.tap);
        if (plane->options.observes != NULL) {
            fleet_builder_expect(builder,
                                 (struct fleet_expectation){.choice = *plane->options.observes});
        }
        reading = control_plane_read_lists(plane, builder, &failure);
        plane->of_lists = costs_since(plane, &begun);
        if (reading == READING_DONE) {
            fleet = finish(plane, builder, server_time_at(plane, begun.nanos), &failure);
        }
        fleet_builder_free(builder);
    }
    progress_end(&plane->options.progress);
    if (fleet == NULL) {
        *err = failure;
    }
    return fleet;
}

struct control_plane *
control_plane_new(struct kube_client *client, const struct control_plane_options *options)
{
    struct control_plane *plane = heap_new(1, sizeof(*plane));

    plane->client = client;
    plane->options = *options;
    plane->arena = arena_new();
    return plane;
}

void
control_plane_free(struct control_plane *plane)
{
    if (plane == NULL) {
        return;
    }
    vec_free(&plane->members);
    vec_free(&plane->bound_kinds);
    map_free(plane->namespaces);
    arena_free(plane->arena);
    free(plane);
}

struct kube_statistics
control_plane_statistics(const struct control_plane *plane)
{
    struct kube_statistics sum = kube_client_statistics(plane->client);

    kube_statistics_add(&sum, &plane->member_requests);
    return sum;
}

static void
note_silence(struct arena *arena, const struct estimator_failure *failure, struct member *member)
{
    struct member_gap *gap = &member->gap;
    const char *before = gap->parts != NULL ? gap->parts : "";

    gap->message = gap->parts != NULL
                       ? gap->message
                       : arena_strndup(arena, failure->message, strlen(failure->message));
    gap->parts = arena_printf(arena, "%s%sestimator", before, str_is_empty(before) ? "" : ", ");
}

/* Returns a view of the fleet that marks members whose estimator answered no question; the fleet
 * itself without failures. */
static struct fleet *
note_silent_estimators(const struct control_plane *plane, struct fleet *fleet)
{
    const struct member_sources *sources = &plane->options.members.sources;
    uint32_t count;
    const struct estimator_failure *const *failures =
        estimators_failures(plane->options.estimators, &count);
    struct fleet *view = arena_memdup(fleet->arena, fleet, sizeof(*fleet));
    struct member *members =
        arena_memdup(fleet->arena, fleet->members, fleet->n_clusters * sizeof(*members));

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const bool was_asked = sources_ask_stuck(sources, &members[i]) ||
                               sources_ask_room(sources, &fleet->clusters[i], &members[i]);

        for (uint32_t f = 0; f < count && was_asked; f++) {
            bool is_of_it =
                str_eq(failures[f]->member, members[i].name) || str_eq(failures[f]->member, "*");

            if (is_of_it && failures[f]->failed == failures[f]->asked) {
                note_silence(fleet->arena, failures[f], &members[i]);
                break;
            }
        }
    }
    view->members = members;
    return count > 0 ? view : fleet;
}

struct kube_statistics
control_plane_member_statistics(const struct control_plane *plane)
{
    return plane->member_requests;
}

/* Reads pod templates, and the members' limits on these pods. Members that a port reads are left
 * out. */
static bool
read_fit(struct control_plane *plane, struct fleet *fleet, const struct survey *asked,
         struct error *err)
{
    if (asked->n_fit == 0) {
        return true;
    }
    struct fleet_builder *builder = fleet_builder_again(fleet);

    fleet_builder_tap_again(builder, plane->options.tap);
    const struct members_look look = look_of(plane);
    struct source_costs begun = costs_now(plane, plane->of_lists.source);
    bool done = control_plane_read_templates(plane, fleet, asked, builder, err);

    add_costs_since(plane, &begun, &plane->of_lists);
    begun = costs_now(plane, plane->of_members.source);
    done = done && (plane->options.port != NULL ||
                    members_look_fit(&look, fleet, asked, builder, &plane->member_requests, err));
    add_costs_since(plane, &begun, &plane->of_members);
    fleet_builder_end_templates(builder);
    return done;
}

/* Reads the parts of the control plane that only a plan with changes needs. */
static bool
read_later(struct control_plane *plane, struct fleet *fleet, const struct survey *asked,
           struct error *err)
{
    struct source_costs begun = costs_now(plane, plane->of_lists.source);
    bool done = !asked->may_change || control_plane_read_later(plane, fleet, err);

    if (done && asked->may_change) {
        fleet->descheduler_renewed = read_descheduler_lease(plane);
    }
    if (done && asked->wants_purge_modes) {
        control_plane_ask_purge_modes(plane, fleet);
    }
    add_costs_since(plane, &begun, &plane->of_lists);
    return done;
}

static struct fleet *
survey(void *context, struct fleet *fleet, const struct survey *asked, struct error *err)
{
    struct control_plane *plane = context;
    struct estimators *estimators = plane->options.estimators;
    struct fleet *surveyed = fleet;

    if (!read_later(plane, fleet, asked, err) || !read_fit(plane, fleet, asked, err)) {
        progress_end(&plane->options.progress);
        return NULL;
    }
    if (estimators != NULL) {
        surveyed = estimators_ask(estimators, fleet, asked);
        surveyed = asked->is_last ? note_silent_estimators(plane, surveyed) : surveyed;
    }
    progress_end(&plane->options.progress);
    return surveyed;
}

struct backend
control_plane_backend(struct control_plane *plane)
{
    return (struct backend){
        .context = plane,
        .read = read_fleet,
        .survey = survey,
        .write = control_plane_write,
        .read_again = control_plane_read_again,
        .rebalance = control_plane_rebalance,
    };
}

uint32_t
control_plane_costs(const struct control_plane *plane, struct source_costs ret[SOURCE_COSTS_MAX])
{
    uint32_t count = 0;

    ret[count++] = plane->of_lists;
    ret[count++] = plane->of_members;
    if (plane->options.estimators != NULL) {
        struct estimator_costs stuck = estimators_stuck_costs(plane->options.estimators);
        struct estimator_costs room = estimators_room_costs(plane->options.estimators);

        ret[count++] = (struct source_costs){"estimators, unschedulable replicas", stuck.calls,
                                             stuck.bytes, stuck.nanos};
        ret[count++] =
            (struct source_costs){"estimators, room", room.calls, room.bytes, room.nanos};
    }
    return count;
}
