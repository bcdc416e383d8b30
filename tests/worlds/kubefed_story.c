/* SPDX-License-Identifier: Apache-2.0
 *
 * A run over a world of KubeFed's, and the one after it.
 */
#include <stdlib.h>
#include <string.h>

#include "kubefed.h"

#define ORDER_EVERY 5
#define SNAPSHOT_EVERY 12
#define COMPARED_EVERY 4

/* --- room, over all that is given --- */

/* How many more of it the member is to run than it was told, or runs. */
static int64_t
gain_of(const struct fed_facts *facts, const struct fed_object *object, const char *cluster)
{
    int64_t had = fed_number(facts, object->before, cluster);
    int64_t has = fed_number(facts, object->after, cluster);
    int64_t runs = fed_pods(facts, object, cluster, false);
    int64_t told = integer_at(find_by(at(object->before, "status.clusters"), "name", cluster),
                              "remoteStatus.replicas", 0);

    runs = runs >= 0 ? runs : told;
    had = had > 0 ? had : 0;

    return has - (had > runs ? had : runs);
}

static void
judge_room_of(struct judge *judge, const struct fed_facts *facts, const char *cluster)
{
    int64_t cpu = 0, pods = 0, free_cpu, free_pods;
    bool seen = fed_free(facts, cluster, &free_cpu, &free_pods);
    bool grows = fed_may_grow(facts, cluster);
    size_t index;
    json_t *object;

    json_array_foreach(facts->world->objects, index, object)
    {
        if (!fed_is_federated(object)) {
            continue;
        }
        const struct fed_object fed = fed_object_of(facts, object);
        int64_t gain = gain_of(facts, &fed, cluster);

        if (gain <= 0) {
            continue;
        }
        cpu += gain * fed_cpu(object);
        pods += gain;
        if (!seen) {
            fed_fail(judge, INV_FED_ROOM, facts, &fed, cluster, "nobody saw its nodes");
        } else if (gain > fed_room(facts, object, cluster) && !grows) {
            fed_fail(judge, INV_FED_ROOM, facts, &fed, cluster, "its nodes do not hold it");
        }
    }
    if (pods > 0) {
        judge_met(judge, INV_FED_ROOM);
    }
    if (seen && !grows && (cpu > free_cpu || pods > free_pods)) {
        judge_fail(judge, INV_FED_ROOM, NULL, -1, "%s: %d pods with %dm are given, %d with %dm fit",
                   cluster, (int)pods, (int)cpu, (int)free_pods, (int)free_cpu);
    }
}

void
kubefed_judge_room(struct judge *judge, const struct fed_facts *facts)
{
    size_t index;
    json_t *object;

    json_array_foreach(facts->world->objects, index, object)
    {
        if (is(text_at(object, "kind"), "KubeFedCluster")) {
            judge_room_of(judge, facts, text_at(object, "metadata.name"));
        }
    }
}

/* --- one run --- */

/* Of objects that are wrong on purpose. */
static bool
is_expected(const struct fed_facts *facts, const json_t *problem)
{
    const char *message = text_at(problem, "message");
    const json_t *config =
        fed_find(facts->world->objects, "KubeFedConfig", CONTROL_NAMESPACE, "kubefed");

    return strncmp(text_at(problem, "object"), "member ", strlen("member ")) == 0 ||
           (strstr(message, "spec.targetKind") != NULL &&
            strstr(message, "FederatedFoo") != NULL) ||
           (strstr(message, "scope Namespaced") != NULL &&
            is(text_at(config, "spec.scope"), "Namespaced"));
}

static void
judge_refusal(struct judge *judge, const struct fed_facts *facts, bool is_refused)
{
    const struct run *run = facts->run;
    int on = fed_scheduler_is_on(facts);

    judge_met(judge, INV_FED_RUN);
    if (on >= 0 && is_refused != (on == 1 && !facts->world->takeover)) {
        judge_fail(judge, INV_FED_RUN, NULL, -1, "KubeFed's scheduler is %s, and the run is %s",
                   on == 1 ? "on" : "off", is_refused ? "refused" : "not refused");
    }
    if (is_refused && (!run->is_usage || json_object_size(run->patches) > 0)) {
        judge_fail(judge, INV_FED_RUN, NULL, -1, "a run that is refused ends otherwise");
    }
}

/* false: there is no plan to be judged. */
static bool
judge_whole(struct judge *judge, const struct fed_facts *facts)
{
    const struct run *run = facts->run;
    bool is_refused = run->problem != NULL && strstr(run->problem, "KubeFed's own scheduler");
    size_t index;
    json_t *problem;

    judge_met(judge, INV_READ);
    judge_refusal(judge, facts, is_refused);
    if (run->plan == NULL) {
        if (!is_refused) {
            judge_fail(judge, INV_READ, NULL, -1, "%s", run->problem);
        }
        return false;
    }
    if (facts->stale &&
        (!truth_at(run->plan, "summary.failoverRefused") || json_object_size(run->patches) > 0)) {
        judge_fail(judge, INV_FED_RUN, NULL, -1, "KubeFed is silent, and that is not guarded");
    }
    json_array_foreach(at(run->plan, "problems"), index, problem)
    {
        if (!is_expected(facts, problem)) {
            judge_fail(judge, INV_READ, NULL, -1, "%s: %s", text_at(problem, "object"),
                       text_at(problem, "message"));
        }
    }
    return true;
}

static char *
name_of(const json_t *object)
{
    char *name = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&name, &size);

    fprintf(stream, "%s/%s/%s", text_at(object, "kind"), text_at(object, "metadata.namespace"),
            text_at(object, "metadata.name"));
    fclose(stream);
    return name;
}

/* Every patch is of an object of the world, of a kind that may be written. */
void
kubefed_write(struct judge *judge, struct world *world, const struct run *run)
{
    size_t index, count = 0;
    json_t *object;

    json_array_foreach(world->objects, index, object)
    {
        char *name = name_of(object);
        const json_t *patch = json_object_get(run->patches, name);

        if (patch != NULL && *fed_member_of(object) == '\0' &&
            (fed_is_federated(object) || is(text_at(object, "kind"), PREFERENCE_KIND))) {
            merge(object, patch);
            count++;
        }
        free(name);
    }
    if (count != json_object_size(run->patches)) {
        judge_fail(judge, INV_FED_WRITE, NULL, -1, "%d of %d patches are of nothing to be written",
                   (int)(json_object_size(run->patches) - count),
                   (int)json_object_size(run->patches));
    }
}

static struct fed_facts
read_facts(const struct world *world, const struct run *run, const struct world *after)
{
    const char *failover = text_at(world->config, "failover.kubefed");
    struct fed_facts facts = {
        .world = world,
        .run = run,
        .after = after->objects,
        .now = WORLD_NOW,
        .stabilization =
            duration_of(text_at(world->config, "thresholds.clusterStabilization"), 300),
        .unhealthy = duration_of(text_at(world->config, "thresholds.unhealthyCluster"), 300),
        .failover = *failover != '\0' ? failover : "Keep",
    };

    facts.stale = fed_is_stale(&facts);
    return facts;
}

static void
judge_objects(struct judge *judge, const struct fed_facts *facts)
{
    size_t index;
    json_t *object;

    json_array_foreach(facts->world->objects, index, object)
    {
        if (fed_is_federated(object)) {
            const struct fed_object fed = fed_object_of(facts, object);

            kubefed_judge_writes(judge, facts, &fed);
            kubefed_judge_moves(judge, facts, &fed);
            kubefed_judge_unplaced(judge, facts, &fed);
        }
    }
    judge_all_states(judge, facts->run->plan);
    if (!json_is_false(at(facts->world->config, "overcommitProtection"))) {
        kubefed_judge_room(judge, facts);
    }
}

/* --- and those after it --- */

static void
check_quiet(struct judge *judge, const struct world *world, const char *when)
{
    struct run again;
    const char *name;
    json_t *patch;

    run_world(world, 0, NULL, &again);
    judge_met(judge, INV_FED_QUIET);
    json_object_foreach(again.patches, name, patch)
    {
        char *text = json_dumps(patch, JSON_COMPACT);

        judge_fail(judge, INV_FED_QUIET, NULL, -1, "%s%s is written again: %.400s", name, when,
                   text);
        free(text);
    }
    run_release(&again);
}

static void
catch_up_object(const struct fed_facts *facts, const struct fed_object *fed, struct world *after)
{
    json_t *names = fed_cluster_names(facts, fed);
    json_t *like =
        pack("{s:{s:{s:s,s:s,s:s}}}", "spec", "resource", "kind", fed->kind + strlen("Federated"),
             "namespace", fed->namespace_, "name", fed->name);
    size_t index;
    json_t *name;

    json_array_foreach(names, index, name)
    {
        const char *cluster = json_string_value(name);
        int64_t before = fed_number(facts, fed->before, cluster);
        int64_t now = fed_number(facts, fed->after, cluster);

        if (now != before && fed_health(facts, cluster) < FED_DOWN) {
            story_catch_up(after, like, cluster, now > 0 ? (int)now : 0, true);
        }
    }
    json_decref(names);
    json_decref(like);
}

static void
catch_up_all(const struct fed_facts *facts, struct world *after)
{
    size_t index;
    json_t *object;

    json_array_foreach(facts->world->objects, index, object)
    {
        if (fed_is_federated(object)) {
            const struct fed_object fed = fed_object_of(facts, object);

            catch_up_object(facts, &fed, after);
        }
    }
}

/* Some of it are given to a cluster where some are left that nobody placed there: the next run
 * looks at those. */
static bool
joins_leftovers(const struct fed_facts *facts, const json_t *object)
{
    const struct fed_object fed = fed_object_of(facts, object);
    json_t *names = fed_cluster_names(facts, &fed);
    bool any = false;
    size_t index;
    json_t *name;

    json_array_foreach(names, index, name)
    {
        const char *cluster = json_string_value(name);

        any = any || (fed_number(facts, fed.before, cluster) <= 0 &&
                      fed_number(facts, fed.after, cluster) > 0 &&
                      fed_pods(facts, &fed, cluster, false) > 0);
    }
    json_decref(names);
    return any;
}

/* A decision says so, in words of which `words` are some. */
static bool
says(const struct fed_facts *facts, const char *code, const char *words)
{
    size_t i, j;
    json_t *item, *reason;

    json_array_foreach(at(facts->run->plan, "items"), i, item)
    {
        json_array_foreach(at(item, "reasons"), j, reason)
        {
            if (is(text_at(reason, "code"), code) &&
                strstr(text_at(reason, "message"), words) != NULL) {
                return true;
            }
        }
    }
    return false;
}

/* A pod of a federated workload that stays does not come up, or is in a crash loop and ready for a
 * moment: where it runs in another cluster next, that turns out to be the cluster's fault. */
static bool
any_fails(const struct world *world, int64_t now)
{
    static const char *const lists[] = {"status.containerStatuses", "status.initContainerStatuses"};
    size_t i, j;
    json_t *pod, *report;

    json_array_foreach(world->objects, i, pod)
    {
        for (int list = 0; is(text_at(pod, "kind"), "Pod") && list < 2; list++) {
            json_array_foreach(at(pod, lists[list]), j, report)
            {
                if (at(report, "state.waiting") != NULL) {
                    return true;
                }
            }
        }
        if (is(text_at(pod, "kind"), "Pod") &&
            (is(text_at(pod, "status.phase"), "Failed") || may_go_down_again(pod, now))) {
            return true;
        }
    }
    return false;
}

/* What the first run left undone may go on in the next one: also what goes as a whole and is more
 * than a percentage allowed of what there was, of which there is more now. */
static bool
may_go_on(const struct fed_facts *facts)
{
    const json_t *summary = at(facts->run->plan, "summary");
    size_t index;
    json_t *object;

    json_array_foreach(facts->world->objects, index, object)
    {
        if (truth_at(object, "spec.rebalance") ||
            (fed_is_federated(object) && joins_leftovers(facts, object))) {
            return true;
        }
    }
    return truth_at(facts->world->config, "balance.staticWeights") ||
           truth_at(facts->world->config, "balance.moveRunning") ||
           story_may_end_guard(facts->world, facts->run) ||
           integer_at(summary, "findings.FailedReplicas", 0) > 0 ||
           integer_at(summary, "replicasUnplaced", 0) > 0 ||
           integer_at(summary, "blocked", 0) > 0 || integer_at(summary, "deferred", 0) > 0 ||
           integer_at(summary, "replicasDeferred", 0) > 0 || says(facts, "LimitTooSmall", "% of ");
}

void
kubefed_check_world(const struct world *world, uint64_t seed, struct judge *judge)
{
    struct world after = world_copy(world);
    struct run run;

    run_world(world, 0, NULL, &run);
    kubefed_write(judge, &after, &run);
    const struct fed_facts facts = read_facts(world, &run, &after);

    judge_drill(judge, world, &run);
    if (judge_whole(judge, &facts)) {
        judge_objects(judge, &facts);
        if (seed / KUBEFED_EVERY % ORDER_EVERY == 0) {
            check_order(judge, world, &run, seed);
        }
        if (seed / KUBEFED_EVERY % SNAPSHOT_EVERY == 1) {
            check_snapshot(judge, world);
        }
        if (run.record != NULL) {
            check_undone(judge, world, &run, seed);
        }
        if (seed / KUBEFED_EVERY % COMPARED_EVERY == 2) {
            check_compared(world, &after, &run, judge);
        }
        if (json_object_size(run.patches) > 0 && !may_go_on(&facts)) {
            struct world followed = world_copy(&after);

            check_quiet(judge, &after, "");
            catch_up_all(&facts, &followed);
            /* for room, and some may be free only now */
            if (!says(&facts, "ScaleUpWaits", "") && !any_fails(world, facts.now)) {
                check_quiet(judge, &followed, ", with members that followed,");
            }
            world_free(&followed);
        }
    }
    run_release(&run);
    world_free(&after);
}
