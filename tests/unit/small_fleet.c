/* SPDX-License-Identifier: Apache-2.0
 *
 * Fleets for tests, out of short texts.
 */
#include "small_fleet.h"

#include <stdarg.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "check.h"

int64_t
small_fleet_now(void)
{
    int64_t now = 0;

    timestamp_parse("2026-11-20T12:00:00Z", &now);
    return now;
}

const char *
ago(int minutes)
{
    static char ring[16][TIMESTAMP_TEXT_MAX];
    static unsigned next;

    return timestamp_format(timestamp_add(small_fleet_now(), -minutes * NANOS_PER_MINUTE),
                            ring[next++ % 16]);
}

void
small_fleet_open(struct small_fleet *f)
{
    memset(f, 0, sizeof(*f));
    f->builder = fleet_builder_new();
    f->arena = arena_new();
    policy_init(&f->policy);
    f->policy.now = small_fleet_now();
}

void
small_fleet_close(struct small_fleet *f)
{
    fleet_builder_free(f->builder);
    fleet_free(f->fleet);
    arena_free(f->arena);
}

static void __attribute__((format(printf, 4, 0)))
add(struct small_fleet *f, const char *member, enum add_result want, const char *format,
    va_list args)
{
    struct object_origin origin = {.file = "test", .member = member};
    struct document *document = NULL;
    struct error err = ERROR_INIT;
    char text[16384];

    vsnprintf(text, sizeof(text), format, args);
    for (char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            *c = '"';
        }
    }
    document = document_parse_json(text, strlen(text), 1, &err);
    if (!CHECK_MSG(document != NULL, "%s in %s", err.message, text)) {
        return;
    }
    enum add_result result =
        fleet_builder_add(f->builder, document_root(document), "", "", &origin, &err);

    CHECK_MSG(result == want || (want == ADD_SKIPPED && result == ADD_UNREAD), "not taken (%d): %s",
              (int)result, text);
    document_free(document);
}

void
small_fleet_add(struct small_fleet *f, const char *member, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add(f, member, ADD_TAKEN, format, args);
    va_end(args);
}

void
small_fleet_add_bad(struct small_fleet *f, const char *member, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add(f, member, ADD_SKIPPED, format, args);
    va_end(args);
    f->n_bad++;
}

void
small_fleet_sick_cluster(struct small_fleet *f, const char *name, const char *ready, int age,
                         const char *more_spec)
{
    small_fleet_add(f, "",
                    "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster',"
                    "'metadata':{'name':'%s'},'spec':{'syncMode':'Push'%s},"
                    "'status':{'apiEnablements':[{'groupVersion':'apps/v1','resources':["
                    "{'kind':'Deployment','name':'deployments'},"
                    "{'kind':'StatefulSet','name':'statefulsets'}]}],"
                    "'conditions':[{'type':'Ready','status':'%s','reason':'%s',"
                    "'lastTransitionTime':'%s'}]}}",
                    name, more_spec, ready,
                    str_eq(ready, "True") ? "ClusterReady" : "ClusterNotReachable", ago(age));
}

void
small_fleet_cluster(struct small_fleet *f, const char *name)
{
    small_fleet_sick_cluster(f, name, "True", 60, "");
    for (int part = 0; part < N_MEMBER_PARTS; part++) {
        fleet_builder_saw(f->builder, name, (enum member_part)part);
    }
}

void
small_fleet_binding(struct small_fleet *f, const char *name, int replicas, const char *clusters,
                    const char *more_spec)
{
    static const char placement[] = "{'replicaScheduling':{'replicaSchedulingType':'Divided',"
                                    "'replicaDivisionPreference':'Weighted',"
                                    "'weightPreference':{'dynamicWeight':'AvailableReplicas'}}}";
    char applied[512];
    size_t length = 0;

    for (const char *c = placement; *c != '\0'; c++) {
        if (*c == '\'') {
            applied[length++] = '\\';
        }
        applied[length++] = *c;
    }
    applied[length] = '\0';
    small_fleet_add(
        f, "",
        "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
        "'metadata':{'namespace':'ns','name':'%s-deployment','resourceVersion':'1'," OWNED_LABEL
        ",'annotations':"
        "{'policy.karmada.io/applied-placement':'%s'}},"
        "'spec':{'resource':{'apiVersion':'apps/v1','kind':'Deployment','namespace':'ns',"
        "'name':'%s'},'replicas':%d,'placement':%s,'clusters':[%s]%s}}",
        name, applied, name, replicas, placement, clusters, more_spec);
}

void
small_fleet_deployment(struct small_fleet *f, const char *member, const char *name, int replicas,
                       const char *version)
{
    small_fleet_add(f, member,
                    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'namespace':'ns',"
                    "'name':'%s','uid':'%s/%s'},'spec':{'replicas':%d,'selector':{'matchLabels':"
                    "{'app':'%s'}},'template':{'metadata':{'labels':{'app':'%s'}},'spec':"
                    "{'containers':[{'name':'c','image':'%s'}]}}}}",
                    name, member, name, replicas, name, name, version);
}

void
small_fleet_replica_set(struct small_fleet *f, const char *member, const char *name,
                        const char *version, int age)
{
    small_fleet_add(
        f, member,
        "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'namespace':'ns',"
        "'name':'%s-%s','uid':'%s/%s-%s','creationTimestamp':'%s','labels':{'app':'%s',"
        "'pod-template-hash':'%s'},'ownerReferences':[{'apiVersion':'apps/v1','kind':"
        "'Deployment','name':'%s','uid':'%s/%s','controller':true}]},'spec':{'template':"
        "{'metadata':{'labels':{'app':'%s','pod-template-hash':'%s'}},'spec':{'containers':"
        "[{'name':'c','image':'%s'}]}}}}",
        name, version, member, name, version, ago(age), name, version, name, member, name, name,
        version, version);
}

/* The status of a pod in a state, with the time for the @. */
static const char *
pod_status(enum pod_state state, const char *since, char *buffer, size_t size)
{
    static const char *const texts[] = {
        [POD_READY] = "'phase':'Running','conditions':[{'type':'Ready','status':'True',"
                      "'lastTransitionTime':'@'}]",
        [POD_STARTING] = "'phase':'Pending','conditions':[{'type':'Ready','status':'False',"
                         "'lastTransitionTime':'@'}]",
        [POD_UNSCHEDULABLE] =
            "'phase':'Pending','conditions':[{'type':'PodScheduled','status':'False',"
            "'reason':'Unschedulable','message':'0/4 nodes are available: 4 Insufficient cpu.',"
            "'lastTransitionTime':'@'}]",
        [POD_CRASHING] =
            "'phase':'Running','conditions':[{'type':'Ready','status':'False',"
            "'lastTransitionTime':'@'}],'containerStatuses':[{'name':'c','ready':false,"
            "'restartCount':3,'state':{'waiting':{'reason':'CrashLoopBackOff',"
            "'message':'back-off 40s restarting failed container'}}}]",
        [POD_NO_IMAGE] = "'phase':'Pending','conditions':[{'type':'Ready','status':'False',"
                         "'lastTransitionTime':'@'}],'containerStatuses':[{'name':'c','ready':"
                         "false,'restartCount':0,'state':{'waiting':{'reason':'ImagePullBackOff',"
                         "'message':'Back-off pulling image x'}}}]",
        [POD_EVICTED] = "'phase':'Failed','reason':'Evicted','conditions':[{'type':'Ready',"
                        "'status':'False','lastTransitionTime':'@'}]",
        [POD_DONE] = "'phase':'Succeeded','conditions':[{'type':'Ready','status':'False',"
                     "'lastTransitionTime':'@'}]",
        [POD_TERMINATING] = "'phase':'Running','conditions':[{'type':'Ready','status':'True',"
                            "'lastTransitionTime':'@'}]",
    };

    const char *at = strchr(texts[state], '@');

    snprintf(buffer, size, "%.*s%s%s", (int)(at - texts[state]), texts[state], since, at + 1);
    return buffer;
}

void
small_fleet_pods(struct small_fleet *f, const char *member, const char *kind, const char *owner,
                 struct small_pods pods)
{
    const enum pod_state state = pods.state;
    const int age = pods.age;
    char status[1024];

    for (int i = 0; i < pods.count; i++) {
        small_fleet_add(
            f, member,
            "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'%s-%03u',"
            "'uid':'%s/%s-%03u','labels':{'pod-template-hash':'%s'},'creationTimestamp':'%s'%s%s%s,"
            "'ownerReferences':[{'apiVersion':"
            "'apps/v1','kind':'%s','name':'%s','uid':'%s/%s','controller':true}]},"
            "'spec':{'containers':[]},'status':{%s}}",
            owner, f->n_pods, member, owner, f->n_pods,
            strrchr(owner, '-') != NULL ? strrchr(owner, '-') + 1 : "", ago(age),
            state == POD_TERMINATING ? ",'deletionTimestamp':'" : "",
            state == POD_TERMINATING ? ago(age) : "", state == POD_TERMINATING ? "'" : "", kind,
            owner, member, owner, pod_status(state, ago(age), status, sizeof(status)));
        f->n_pods++;
    }
}

void
small_fleet_web(struct small_fleet *f, const char *member, int replicas, int ready)
{
    small_fleet_deployment(f, member, "web", replicas, "v1");
    small_fleet_replica_set(f, member, "web", "v1", 60);
    small_fleet_pods(f, member, "ReplicaSet", "web-v1", (struct small_pods){ready, POD_READY, 50});
}

bool
small_fleet_diagnose(struct small_fleet *f)
{
    struct error err = ERROR_INIT;

    f->fleet = fleet_builder_finish(f->builder, small_fleet_now(), &err);
    if (!CHECK_OK(f->fleet != NULL, err) || f->fleet == NULL) {
        return false;
    }
    for (uint32_t i = f->n_bad; i < f->fleet->n_problems; i++) {
        CHECK_STR(f->fleet->problems[i].message, "no problem");
    }
    small_fleet_again(f);
    return true;
}

void
small_fleet_again(struct small_fleet *f)
{
    f->diagnosis = diagnose(f->arena, f->fleet, &f->policy);
}

const struct finding *
small_fleet_find(const struct small_fleet *f, enum finding_type type, const char *cluster)
{
    for (uint32_t i = 0; i < f->diagnosis->n_findings; i++) {
        const struct finding *finding = &f->diagnosis->findings[i];

        if (finding->binding == 0 && finding->type == type && str_eq(finding->cluster, cluster)) {
            return finding;
        }
    }
    return NULL;
}

const struct target_state *
small_fleet_target(const struct small_fleet *f, uint32_t entry)
{
    return &f->diagnosis->targets[f->diagnosis->bindings[0].first_target + entry];
}
