/* SPDX-License-Identifier: Apache-2.0
 *
 * Settled pods are counted and not kept: whatever is asked of a fleet, the
 * answer is that of a fleet which keeps every pod.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../finders.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/schedule/estimate.h"
#include "model_fixture.h"

#define N_NODES 3
#define N_PODS 40
#define TEXT_SIZE 2048

#define READY "'phase':'Running','conditions':[{'type':'Ready','status':'True'}]"

static const char cluster[] = "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster',"
                              "'metadata':{'name':'m1'}}";

/* --- one by one --- */

static void
add_pod(struct model_fixture *f, const char *name, const char *metadata, const char *spec,
        const char *status)
{
    char text[TEXT_SIZE];

    snprintf(text, sizeof(text),
             "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'shop','name':'%s',"
             "'creationTimestamp':'2026-01-0%cT00:00:00Z','labels':{'pod-template-hash':'5d8f',"
             "'own':'%s'},'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':"
             "'web-5d8f','uid':'u','controller':true}]%s},'spec':{'nodeName':'n1',"
             "'containers':[{'resources':{'requests':{'cpu':'%s'}}}]},'status':{%s}}",
             name, name[strlen(name) - 1], name, metadata, spec, status);
    model_add(f, "pods.json", (size_t)(name[strlen(name) - 1] - '0'), "m1", text);
}

static void
add_node(struct model_fixture *f, const char *name, const char *labels)
{
    char text[TEXT_SIZE];

    snprintf(text, sizeof(text),
             "{'apiVersion':'v1','kind':'Node','metadata':{'name':'%s','labels':{%s}},"
             "'status':{'allocatable':{'cpu':'8','memory':'4Gi','pods':'20'}}}",
             name, labels);
    CHECK_INT(model_add(f, "nodes.json", 1, "m1", text), ADD_TAKEN);
}

static struct fleet *
finish(struct model_fixture *f)
{
    model_add(f, "clusters.json", 1, "", cluster);
    struct fleet *fleet = fleet_builder_finish(f->builder, 5, &f->err);

    CHECK_MSG(fleet != NULL, "%s", f->err.message);
    return fleet;
}

static void
test_what_is_kept(void)
{
    static const char deleted[] = ",'deletionTimestamp':'2026-01-01T00:00:00Z'";
    static const char stuck[] = "'phase':'Running','conditions':[{'type':'Ready','status':'True'},"
                                "{'type':'PodScheduled','status':'False'}]";
    struct model_fixture f;
    int64_t newest;

    model_begin(&f);
    add_pod(&f, "web-2", "", "2", READY);
    add_pod(&f, "web-3", "", "500m", READY);
    add_pod(&f, "web-1", "", "1", READY);
    add_pod(&f, "web-3", "", "1", READY); /* a second time */
    add_pod(&f, "web-4", deleted, "1", READY);
    add_pod(&f, "web-5", "", "1", "'phase':'Pending'");
    add_pod(&f, "web-6", "", "1", stuck);
    add_pod(&f, "web-7", "", "-1", READY);
    add_pod(&f, "web-8", "", "100000000000", READY);
    add_node(&f, "n1", "");
    add_node(&f, "n2", "");
    struct fleet *fleet = finish(&f);

    if (fleet != NULL && CHECK(fleet->members[0].n_settled == 1 && fleet->n_problems == 1)) {
        const struct member *m = &fleet->members[0];
        const struct pod_sum *sum = m->nodes[0].settled;

        CHECK_INT(m->n_pods, 5);
        CHECK_INT(member_count_pods(m), 8);
        CHECK_STR(m->pods[0].name, "web-4");
        CHECK_STR(pod_label(&m->pods[0], "own"), "web-4");
        CHECK_INT(m->settled[0].count, 3);
        CHECK_STR(m->settled[0].owner.name, "web-5d8f");
        CHECK_STR(m->settled[0].template_hash, "5d8f");
        CHECK_STR(m->settled[0].revision, "");
        CHECK(timestamp_parse("2026-01-03T00:00:00Z", &newest));
        CHECK_INT(m->settled[0].newest_creation, newest);
        if (CHECK(sum != NULL)) {
            CHECK_INT(sum->pods, 3);
            CHECK_INT(resource_amounts_find(&sum->requests, "cpu"), 3500);
        }
        CHECK(m->nodes[1].settled == NULL);
        CHECK_STR(fleet->problems[0].object, "pods.json:3: Pod shop/web-3");
        CHECK_STR(fleet->problems[0].message, "duplicate of the one in pods.json:3");
    }
    fleet_free(fleet);
    model_end(&f);
}

static void
test_forgotten(void)
{
    struct model_fixture f;

    model_begin(&f);
    add_pod(&f, "web-1", "", "1", READY);
    add_pod(&f, "web-2", "", "1", "'phase':'Pending'");
    fleet_builder_forget(f.builder, "m1", MEMBER_PODS);
    add_pod(&f, "web-1", "", "2", READY);
    add_node(&f, "n1", "");
    struct fleet *fleet = finish(&f);

    if (fleet != NULL && CHECK(fleet->members[0].n_settled == 1 && fleet->n_problems == 0)) {
        CHECK_INT(member_count_pods(&fleet->members[0]), 1);
        CHECK_INT(fleet->members[0].nodes[0].settled->requests.items[0].amount, 2000);
    }
    fleet_free(fleet);
    model_end(&f);
}

/* Nodes that differ in their hostname alone are of one kind, and still have it. */
static void
test_kinds_of_nodes(void)
{
    struct model_fixture f;

    model_begin(&f);
    add_node(&f, "n1", "'zone':'a','kubernetes.io/hostname':'n1'");
    add_node(&f, "n2", "'kubernetes.io/hostname':'host-2','zone':'a'");
    add_node(&f, "n3", "'zone':'a'");
    add_node(&f, "n4", "'zone':'b','kubernetes.io/hostname':'n4'");
    struct fleet *fleet = finish(&f);

    if (fleet != NULL) {
        const struct node *nodes = fleet->members[0].nodes;

        CHECK(nodes[0].kind == nodes[1].kind && nodes[1].kind == nodes[2].kind);
        CHECK(nodes[3].kind != nodes[0].kind);
        CHECK_STR(node_label(&nodes[0], NODE_HOSTNAME_LABEL), "n1");
        CHECK_STR(node_label(&nodes[1], NODE_HOSTNAME_LABEL), "host-2");
        CHECK_STR(node_label(&nodes[1], "zone"), "a");
        CHECK(node_label(&nodes[2], NODE_HOSTNAME_LABEL) == NULL);
        CHECK(node_label(&nodes[2], "rack") == NULL);
    }
    fleet_free(fleet);
    model_end(&f);
}

/* --- against a fleet that keeps all pods --- */

static uint32_t
below(uint64_t *state, uint32_t bound)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % bound;
}

static const char binding_format[] =
    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':{'namespace':"
    "'shop','name':'%s'},'spec':{'resource':{'apiVersion':'apps/v1','kind':'%s','namespace':"
    "'shop','name':'%s'},'replicas':9,'clusters':[{'name':'m1','replicas':9}]}}";

static void
add_workloads(struct model_fixture *f)
{
    static const char *const members[] = {
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'namespace':'shop','name':'web',"
        "'uid':'d'},'spec':{'selector':{'matchLabels':{'app':'web'}},'template':{'spec':{"
        "'hostname':'b'}}}}",
        "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'namespace':'shop','name':"
        "'web-a','uid':'ra','labels':{'app':'web'},'ownerReferences':[{'apiVersion':'apps/v1',"
        "'kind':'Deployment','name':'web','uid':'d','controller':true}]},'spec':{'template':{"
        "'spec':{'hostname':'a'}}}}",
        "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'namespace':'shop','name':"
        "'web-b','uid':'rb','labels':{'app':'web'},'ownerReferences':[{'apiVersion':'apps/v1',"
        "'kind':'Deployment','name':'web','uid':'d','controller':true}]},'spec':{'template':{"
        "'spec':{'hostname':'b'}}}}",
        ("{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'namespace':'shop','name':'db',"
         "'uid':'s'}}"),
    };
    char text[TEXT_SIZE];

    snprintf(text, sizeof(text), binding_format, "web", "Deployment", "web");
    CHECK_INT(model_add(f, "rb.json", 1, "", text), ADD_TAKEN);
    snprintf(text, sizeof(text), binding_format, "db", "StatefulSet", "db");
    CHECK_INT(model_add(f, "rb.json", 2, "", text), ADD_TAKEN);
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        CHECK_INT(model_add(f, "m1.json", i, "m1", members[i]), ADD_TAKEN);
    }
}

static void
format_pod(uint64_t *state, uint32_t number, char text[TEXT_SIZE])
{
    static const char *const owners[] = {
        "'apiVersion':'apps/v1','kind':'ReplicaSet','name':'web-a','uid':'ra'",
        "'apiVersion':'apps/v1','kind':'ReplicaSet','name':'web-b','uid':'rb'",
        "'apiVersion':'apps/v1','kind':'ReplicaSet','name':'web-c','uid':'rc'", /* not seen */
        "'apiVersion':'apps/v1','kind':'StatefulSet','name':'db','uid':'s'",
        "'apiVersion':'apps/v1','kind':'DaemonSet','name':'log','uid':'l'",
    };
    static const char *const hashes[] = {"a", "b", "c", "", ""};
    static const char *const statuses[] = {
        READY,
        READY,
        READY,
        READY ",'containerStatuses':[{'name':'c','allocatedResources':{'cpu':'900m'}}]",
        READY ",'resize':'Infeasible','containerStatuses':[{'name':'c','resources':{'requests':{"
              "'cpu':'50m','memory':'300Mi'}}}]",
        "'phase':'Running','conditions':[{'type':'Ready','status':'False'}]",
        "'phase':'Running','conditions':[{'type':'Ready','status':'False'}],'containerStatuses':[{"
        "'name':'c','state':{'waiting':{'reason':'CrashLoopBackOff'}}}]",
        "'phase':'Pending','conditions':[{'type':'PodScheduled','status':'False','reason':"
        "'Unschedulable'}]",
        "'phase':'Succeeded'",
        "'phase':'Failed','reason':'Evicted'",
    };
    static const char *const more[] = {
        "",
        "",
        ",'priority':1000,'priorityClassName':'high'",
        ",'priority':-5,'preemptionPolicy':'Never'",
        ",'initContainers':[{'restartPolicy':'Always','resources':{'requests':{'cpu':'90m'}}}]",
        ",'priority':7,'resources':{'requests':{'memory':'2000Mi'}}",
    };
    /* one after the other: of a call's arguments a compiler may draw any first */
    uint32_t owner = below(state, 5), status = below(state, 10), rest = below(state, 6);
    uint32_t gpus = below(state, 2), memory = below(state, 900), cpu = below(state, 900);
    uint32_t node = below(state, N_NODES + 1), deleted = below(state, 10);
    uint32_t revision = below(state, 3), day = 1 + below(state, 3);

    snprintf(
        text, TEXT_SIZE,
        "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'shop','name':'pod-%u',"
        "'creationTimestamp':'2026-01-0%uT00:00:00Z','labels':{'app':'web','pod-template-hash':"
        "'%s','controller-revision-hash':'r%u','index':'%u'},'ownerReferences':[{%s,"
        "'controller':true}]%s},'spec':{'nodeName':'n%u','containers':[{'name':'c','resources':{"
        "'requests':{'cpu':'%um','memory':'%dMi','example.com/gpu':'%u'}}}]%s},'status':{%s}}",
        number, day, hashes[owner], revision, number, owners[owner],
        deleted == 0 ? ",'deletionTimestamp':'2026-01-01T00:00:00Z'" : "", node, cpu,
        (int)memory - 20, gpus, more[rest], statuses[status]);
}

static void
check_equal(const struct node_room *x, const struct node_room *y, uint32_t n_nodes)
{
    for (uint32_t i = 0; i < n_nodes; i++) {
        CHECK_INT(x[i].pods, y[i].pods);
        for (uint32_t j = 0; j < x[i].n_free; j++) {
            CHECK_INT(x[i].free[j].amount, y[i].free[j].amount);
        }
    }
}

static void
check_same_rooms(struct arena *arena, const struct member *folded, const struct member *whole)
{
    static const int32_t priorities[] = {INT32_MIN, -5, -4, 0, 1, 7, 1000, 1001, INT32_MAX};
    const uint32_t n_nodes = folded->n_nodes;

    struct pods_counted counted = {.by_scheduler = false};

    check_equal(estimate_node_rooms(arena, folded, counted),
                estimate_node_rooms(arena, whole, counted), n_nodes);
    counted.by_scheduler = true;
    const struct node_room *all = estimate_node_rooms(arena, folded, counted);

    check_equal(all, estimate_node_rooms(arena, whole, counted), n_nodes);
    counted.preempts = true;
    for (size_t i = 0; i < sizeof(priorities) / sizeof(priorities[0]); i++) {
        counted.priority = priorities[i];
        check_equal(estimate_node_rooms(arena, folded, counted),
                    estimate_node_rooms(arena, whole, counted), n_nodes);
    }
    counted.priority = INT32_MIN;
    check_equal(all, estimate_node_rooms(arena, folded, counted), n_nodes);
}

static void
check_same_diagnosis(struct arena *arena, const struct fleet *folded, const struct fleet *whole)
{
    struct policy policy;

    policy_init(&policy);
    CHECK(timestamp_parse("2026-02-01T00:00:00Z", &policy.now));
    const struct diagnosis *x = diagnose(arena, folded, &policy);
    const struct diagnosis *y = diagnose(arena, whole, &policy);

    for (uint32_t i = 0; i < 2; i++) {
        const struct target_state *of_x = &x->targets[x->bindings[i].first_target];
        const struct target_state *of_y = &y->targets[y->bindings[i].first_target];

        CHECK_INT(of_x->seen, of_y->seen);
        CHECK_INT(of_x->ready, of_y->ready);
        CHECK_INT(of_x->unschedulable, of_y->unschedulable);
        CHECK_INT(of_x->failed, of_y->failed);
    }
    if (CHECK_INT(x->n_findings, y->n_findings)) {
        for (uint32_t i = 0; i < x->n_findings; i++) {
            CHECK_STR(x->findings[i].message, y->findings[i].message);
            CHECK_INT(x->findings[i].blame, y->findings[i].blame);
        }
    }
}

/* The same fleet with every pod kept, the sums on nodes dropped. */
static void
compare_with_whole(const struct fleet *folded, const struct pod *pods)
{
    struct arena *arena = arena_new();
    struct fleet whole = *folded;
    struct member member = folded->members[0];
    struct node nodes[N_NODES];

    for (uint32_t i = 0; i < N_NODES; i++) {
        nodes[i] = member.nodes[i];
        nodes[i].settled = NULL;
    }
    member.nodes = nodes;
    member.pods = pods;
    member.n_pods = N_PODS;
    member.n_settled = 0;
    whole.members = &member;
    check_same_rooms(arena, &folded->members[0], &member);
    check_same_diagnosis(arena, folded, &whole);
    arena_free(arena);
}

static void
test_same_answers(void)
{
    uint64_t state = 7;
    uint64_t counted = 0;

    for (int round = 0; round < 50; round++) {
        static char texts[N_PODS][TEXT_SIZE];
        struct pod pods[N_PODS];
        struct model_fixture f, other;

        model_begin(&f);
        model_begin(&other);
        add_workloads(&f);
        for (uint32_t i = 0; i < N_PODS; i++) {
            format_pod(&state, i, texts[i]);
            const struct pod *pod =
                decode_pod(other.builder, model_value(&other, texts[i]), &other.err);

            CHECK_OK(pod != NULL, other.err);
            pods[i] = pod != NULL ? *pod : (struct pod){.name = ""};
        }
        for (uint32_t i = 0; i < N_PODS; i++) { /* in another order */
            CHECK_INT(model_add(&f, "pods.json", i, "m1", texts[i * 7 % N_PODS]), ADD_TAKEN);
        }
        add_node(&f, "n0", "'kubernetes.io/hostname':'n0'");
        add_node(&f, "n1", "'kubernetes.io/hostname':'n1'");
        add_node(&f, "n2", "'zone':'a'");
        struct fleet *fleet = finish(&f);

        if (fleet != NULL) {
            CHECK_INT(member_count_pods(&fleet->members[0]), N_PODS);
            counted += N_PODS - fleet->members[0].n_pods;
            compare_with_whole(fleet, pods);
        }
        fleet_free(fleet);
        model_end(&f);
        model_end(&other);
    }
    CHECK_MSG(counted > 300, "%" PRIu64 " of 2000 pods were counted", counted);
}

static void
add_settled(struct model_fixture *f, int index, const char *namespace_)
{
    char text[TEXT_SIZE];

    snprintf(text, sizeof(text),
             "{'apiVersion':'ballast.io/v1alpha1','kind':'SettledPods','pod':{'metadata':"
             "{'namespace':'%s','labels':{'app':'a-%d'},'ownerReferences':[{'controller':true,"
             "'apiVersion':'apps/v1','kind':'ReplicaSet','name':'a-%d','uid':'u-%d'}]}},"
             "'newest':'2026-01-02T00:00:00Z','nodes':[{'name':'n1','pods':2},{'name':'n2',"
             "'pods':1}]}",
             namespace_, index, index, index);
    CHECK_INT(model_add(f, "settled.json", (size_t)index, "m1", text), ADD_TAKEN);
}

/* A fleet has as many ties as there are sorts of pods, and not as pods. */
static void
test_ties(void)
{
    struct model_fixture f;

    model_begin(&f);
    add_settled(&f, 1, "shop");
    add_settled(&f, 2, "shop");
    struct fleet *fleet = finish(&f);

    if (fleet != NULL && CHECK(fleet->members[0].n_placed == 6)) {
        const struct placed_pod *placed = fleet->members[0].placed;
        int with_first = 0;

        for (int i = 0; i < 6; i++) {
            with_first += placed[i].ties == placed[0].ties ? 1 : 0;
            CHECK_STR(placed[i].node_name, i < 4 ? "n1" : "n2");
            CHECK_STR(placed[i].ties->namespace_, "shop");
            CHECK_INT(placed[i].ties->labels.count, 1);
        }
        CHECK_INT(with_first, 3);
    }
    fleet_free(fleet);
    model_end(&f);
}

/* A member that is closed is the one that it was, and takes less memory. */
static void
test_closed(void)
{
    enum { MANY = 2000 };
    struct model_fixture f;
    int64_t newest;

    model_begin(&f);
    fleet_builder_clock(f.builder, "m1", NANOS_PER_SECOND);
    fleet_builder_open(f.builder);
    for (int i = 0; i < MANY; i++) {
        add_settled(&f, i, "shop");
    }
    add_node(&f, "n1", "");
    add_pod(&f, "web-1", "", "1", "'phase':'Pending'");
    size_t open = fleet_builder_footprint(f.builder, "m1");

    fleet_builder_close(f.builder, "m1");
    /* half of it goes, of what a sanitizer adds less */
    CHECK(fleet_builder_footprint(f.builder, "m1") < open / 5 * 3);
    fleet_builder_saw(f.builder, "m1", MEMBER_JOBS);
    struct fleet *fleet = finish(&f);

    if (fleet != NULL && CHECK(fleet->members[0].n_settled == MANY)) {
        const struct member *m = &fleet->members[0];

        CHECK_STR(m->name, "m1");
        CHECK(m->has_jobs && m->has_pods && m->has_nodes);
        CHECK_INT(m->n_placed, 3 * MANY);
        CHECK_INT(m->n_pods, 1);
        CHECK(timestamp_parse("2026-01-01T23:59:59Z", &newest));
        CHECK_INT(m->settled[MANY - 1].newest_creation, newest);
        CHECK(m->n_nodes == 1 && m->nodes[0].settled != NULL &&
              m->nodes[0].settled->pods == 2L * MANY);
    }
    fleet_free(fleet);
    model_end(&f);
}

void suite_settled(void);

void
suite_settled(void)
{
    check_suite("settled pods");
    check_test("what is kept", test_what_is_kept);
    check_test("what is forgotten", test_forgotten);
    check_test("kinds of nodes", test_kinds_of_nodes);
    check_test("the same answers", test_same_answers);
    check_test("ties", test_ties);
    check_test("closed", test_closed);
}
