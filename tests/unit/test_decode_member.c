/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding of what members show: pods, nodes, ReplicaSets and workloads.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "model_fixture.h"

static void
pod(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct pod *p = decode_pod(
        f.builder,
        model_value(
            &f,
            "{'metadata':{'namespace':'shop','name':'web-1','uid':'u','labels':{'app':'web'},"
            "'creationTimestamp':'1970-01-01T00:00:01Z','deletionTimestamp':null,"
            "'ownerReferences':[{'kind':'Other','name':'o','uid':'x'},{'apiVersion':'apps/v1',"
            "'kind':'ReplicaSet','name':'web','uid':'rs','controller':true}]},"
            "'spec':{'nodeName':'n1','containers':[{'resources':{'requests':{'cpu':'10m'}}}]},"
            "'status':{'phase':'Pending','reason':'Evicted','conditions':["
            "{'type':'PodScheduled','status':'False','reason':'Unschedulable','message':'no room',"
            "'lastTransitionTime':'1970-01-01T00:00:02Z'},{'type':'PodScheduled','status':'True'}],"
            "'containerStatuses':[{'name':'c','ready':true,'restartCount':3,'state':{'waiting':"
            "{'reason':'CrashLoopBackOff','message':'back-off'}},'lastState':{'terminated':"
            "{'reason':'Error','exitCode':137}}},{'name':'d','state':{'terminated':"
            "{'reason':'Completed','exitCode':0}},'lastState':{'terminated':{'exitCode':9}}}],"
            "'initContainerStatuses':[{'name':'i','state':{'running':{}}}]}}"),
        &f.err);

    if (CHECK_MSG(p != NULL, "%s", f.err.message)) {
        CHECK_STR(p->namespace_, "shop");
        CHECK_STR(p->name, "web-1");
        CHECK_STR(p->owner.kind, "ReplicaSet");
        CHECK_STR(p->owner.uid, "rs");
        CHECK_STR(p->node_name, "n1");
        CHECK_STR(p->phase, "Pending");
        CHECK_STR(p->reason, "Evicted");
        CHECK_INT(p->creation, NANOS_PER_SECOND);
        CHECK_INT(p->deletion_timestamp, TIME_NONE);
        CHECK_INT(resource_amounts_find(&p->requests, "cpu"), 10);
        if (CHECK(p->conditions.count == 2)) {
            CHECK_STR(p->conditions.items[0].message, "no room");
            CHECK_INT(p->conditions.items[1].last_transition, TIME_NONE);
        }
        if (CHECK(p->n_containers == 3)) {
            const struct container_status *i = &p->containers[0];
            const struct container_status *c = &p->containers[1];
            const struct container_status *d = &p->containers[2];

            CHECK(i->init && !c->init && !d->init);
            CHECK_STR(i->waiting_reason, "");
            CHECK_STR(c->waiting_reason, "CrashLoopBackOff");
            CHECK_STR(c->waiting_message, "back-off");
            CHECK_STR(c->last_terminated_reason, "Error");
            CHECK_INT(c->exit_code, 137);
            CHECK_INT(c->restart_count, 3);
            CHECK(c->ready && !d->ready);
            CHECK_STR(d->terminated_reason, "Completed");
            CHECK_INT(d->exit_code, 0);
        }
    }
    model_end(&f);
}

static void
bare_pod(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct pod *p =
        decode_pod(f.builder, model_value(&f, "{'metadata':{'name':'x'}}"), &f.err);

    if (CHECK_MSG(p != NULL, "%s", f.err.message)) {
        CHECK_STR(p->namespace_, "");
        CHECK_STR(p->owner.kind, "");
        CHECK_STR(p->owner.uid, "");
        CHECK_STR(p->node_name, "");
        CHECK_STR(p->phase, "");
        CHECK_INT(p->creation, TIME_NONE);
        CHECK_INT(p->requests.count, 0);
        CHECK_INT(p->n_containers, 0);
    }
    model_end(&f);
}

static void
equal_pod_parts_are_shared(void)
{
    static const char text[] =
        "{'metadata':{'name':'x','labels':{'a':'1','b':'2'}},"
        "'spec':{'containers':[{'resources':{'requests':{'cpu':'1','memory':'1'}}}]}}";
    struct model_fixture f;

    model_begin(&f);
    const struct pod *a = decode_pod(f.builder, model_value(&f, text), &f.err);
    const struct pod *b = decode_pod(f.builder, model_value(&f, text), &f.err);

    if (CHECK(a != NULL && b != NULL)) {
        CHECK_INT(a->labels.count, 2);
        CHECK(a->labels.items == b->labels.items);
        CHECK_INT(a->requests.count, 2);
        CHECK(a->requests.items == b->requests.items);
    }
    model_end(&f);
}

static void
node(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct node *n = decode_node(
        f.builder,
        model_value(&f, "{'metadata':{'name':'n1','labels':{'a':'b'}},'spec':{'unschedulable':true,"
                        "'taints':[{'key':'k','effect':'NoSchedule'}]},'status':{'allocatable':{"
                        "'cpu':'1900m','memory':'1Gi','pods':'110','storage':'5',"
                        "'hugepages-2Mi':'0','example.com/gpu':'2','requests.x.com/y':'3'}}}"),
        &f.err);

    if (CHECK_MSG(n != NULL, "%s", f.err.message)) {
        CHECK_STR(n->name, "n1");
        CHECK(n->kind->unschedulable);
        CHECK_STR(n->kind->taints.items[0].key, "k");
        CHECK_STR(label_list_find(&n->kind->labels, "a"), "b");
        CHECK_INT(resource_amounts_find(&n->kind->allocatable, "cpu"), 1900);
        CHECK_INT(resource_amounts_find(&n->kind->allocatable, "memory"), INT64_C(1) << 30);
        CHECK_INT(resource_amounts_find(&n->kind->allocatable, "pods"), 110);
        CHECK_INT(resource_amounts_find(&n->kind->allocatable, "example.com/gpu"), 2);
        CHECK_INT(n->kind->allocatable.count, 5); /* neither storage nor a quota's name */
    }
    model_end(&f);
}

static void
replica_set(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct replica_set *r = decode_replica_set(
        f.builder,
        model_value(&f,
                    "{'metadata':{'namespace':'n','name':'web-1','uid':'r','labels':{'a':'b'},"
                    "'creationTimestamp':'1970-01-01T00:00:09Z','ownerReferences':[{'kind':"
                    "'Deployment','name':'web','uid':'d','controller':true}]},'spec':{'replicas':3,"
                    "'template':{'metadata':{'labels':{'a':'b','pod-template-hash':'1'}}}}}"),
        &f.err);
    const struct workload *w = decode_workload(
        f.builder,
        model_value(&f, "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web'},"
                        "'spec':{'template':{'metadata':{'labels':{'a':'b'}}}}}"),
        &f.err);

    if (CHECK(r != NULL && w != NULL)) {
        CHECK_STR(r->uid, "r");
        CHECK_STR(r->owner.uid, "d");
        CHECK_INT(r->version.creation, 9 * NANOS_PER_SECOND);
        CHECK_STR(label_list_find(&r->labels, "a"), "b");
        CHECK(r->version.pod_template.high == w->pod_template.high &&
              r->version.pod_template.low == w->pod_template.low);
    }
    model_end(&f);
}

static void
workloads(void)
{
    static const struct {
        const char *text;
        int64_t replicas, ready;
        bool selector;
    } cases[] = {
        {"{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'w'},'spec':{'replicas':3,"
         "'selector':{'matchLabels':{'a':'b'}}},'status':{'readyReplicas':2}}",
         3, 2, true},
        {"{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'w'}}", -1, 0, false},
        {"{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'w'},'spec':{'parallelism':4},"
         "'status':{'ready':1}}",
         4, 1, false},
        {"{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'w'},'spec':{}}", 1, 0, false},
        {"{'apiVersion':'example.com/v1','kind':'Web','metadata':{'name':'w'},"
         "'spec':{'replicas':5,'selector':'a=b'},'status':{'readyReplicas':4}}",
         5, 4, false},
        {"{'apiVersion':'example.com/v1','kind':'Web','metadata':{'name':'w'},"
         "'spec':{'replicas':5},'status':'fine'}",
         5, 0, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        const struct workload *w =
            decode_workload(f.builder, model_value(&f, cases[i].text), &f.err);

        if (CHECK_MSG(w != NULL, "%s", f.err.message)) {
            CHECK_INT(w->replicas, cases[i].replicas);
            CHECK_INT(w->ready_replicas, cases[i].ready);
            CHECK_INT(w->selector != NULL, cases[i].selector);
        }
        model_end(&f);
    }
}

enum what { POD, NODE, REPLICA_SET, WORKLOAD };

static const void *
decode_any(struct model_fixture *f, enum what what, const char *text)
{
    const struct value *value = model_value(f, text);

    switch (what) {
    case POD:
        return decode_pod(f->builder, value, &f->err);
    case NODE:
        return decode_node(f->builder, value, &f->err);
    case REPLICA_SET:
        return decode_replica_set(f->builder, value, &f->err);
    case WORKLOAD:
        break;
    }
    return decode_workload(f->builder, value, &f->err);
}

static void
refusals(void)
{
    static const struct {
        enum what what;
        const char *text, *message;
    } cases[] = {
        {POD, "{'metadata':{'name':'x'},'status':{'conditions':[{'status':true}]}}",
         "status.conditions[0].status: want string, got boolean"},
        {POD, "{'metadata':{'name':'x'},'spec':[]}", "spec: want object, got list"},
        {POD,
         "{'metadata':{'name':'x'},'spec':{'containers':[{},{'resources':{'requests':"
         "{'cpu':[]}}}]}}",
         "spec.containers[1].resources.requests.cpu: want quantity, got list"},
        {POD, "{'metadata':{'name':'x'},'spec':{'initContainers':[3]}}",
         "spec.initContainers[0]: want object, got integer"},
        {POD, "{'metadata':{'name':'x'},'status':{'containerStatuses':[{'restartCount':1.5}]}}",
         "status.containerStatuses[0].restartCount: want integer, got "},
        {POD, "{'metadata':{'name':'x','ownerReferences':[{'uid':1}]}}",
         "metadata.ownerReferences[0].uid: want string, got integer"},
        {NODE, "{'metadata':{'name':'x'},'status':{'allocatable':{'pods':'many'}}}",
         "status.allocatable.pods: "},
        {NODE, "{'metadata':{}}", "metadata.name: required"},
        {REPLICA_SET, "{'metadata':{'name':'x'},'spec':{'template':'t'}}",
         "spec.template: want object, got string"},
        {WORKLOAD, "{'metadata':{'name':'x'},'spec':{'replicas':'3'}}",
         "spec.replicas: want integer, got string"},
        {WORKLOAD, "{'metadata':{'name':'x'},'status':{'readyReplicas':2.5}}",
         "status.readyReplicas: want integer, got "},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        CHECK_MSG(decode_any(&f, cases[i].what, cases[i].text) == NULL, "%s was taken",
                  cases[i].text);
        CHECK_MSG(strncmp(f.err.message, cases[i].message, strlen(cases[i].message)) == 0,
                  "got \"%s\", want \"%s\"", f.err.message, cases[i].message);
        model_end(&f);
    }
}

void suite_decode_member(void);

void
suite_decode_member(void)
{
    check_suite("decode_member");
    check_test("a pod", pod);
    check_test("a pod of which little is known", bare_pod);
    check_test("equal labels and requests of pods are shared", equal_pod_parts_are_shared);
    check_test("a node", node);
    check_test("a ReplicaSet and its Deployment", replica_set);
    check_test("workloads", workloads);
    check_test("refusals name the path", refusals);
}
