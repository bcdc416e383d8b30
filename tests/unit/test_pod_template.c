/* SPDX-License-Identifier: Apache-2.0
 *
 * Which pod templates count as equal: pairs of templates, and what
 * equality.Semantic.DeepEqual says of their Go structs. And the labels of what comes of one.
 */
#include <stdio.h>

#include "model_fixture.h"

static struct digest
digest_of(struct model_fixture *f, const char *pod_template)
{
    char text[1024];

    snprintf(text, sizeof(text), "{'metadata':{'name':'x'},'spec':{'template':%s}}", pod_template);
    const struct replica_set *set = decode_replica_set(f->builder, model_value(f, text), &f->err);

    CHECK_MSG(set != NULL, "%s: %s", pod_template, f->err.message);
    return set != NULL ? set->version.pod_template : (struct digest){0, 0};
}

static const struct {
    const char *a, *b;
    bool equal;
} template_pairs[] = {
    /* order, null, unknown places */
    {"{'spec':{'a':1,'b':2}}", "{'spec':{'b':2,'a':1}}", true},
    {"{'spec':{'nodeName':null}}", "{}", true},
    {"null", "{}", true},
    {"{'spec':{'containers':[{'name':'a'},{'name':'b'}]}}",
     "{'spec':{'containers':[{'name':'b'},{'name':'a'}]}}", false},
    {"{'spec':{'a':'1'}}", "{'spec':{'a':1}}", false},
    {"{'spec':{'ab':'c'}}", "{'spec':{'a':'bc'}}", false},
    /* the hash label, there and nowhere else */
    {"{'metadata':{'labels':{'a':'b','pod-template-hash':'1'}}}",
     "{'metadata':{'labels':{'a':'b','pod-template-hash':'2'}}}", true},
    {"{'metadata':{'labels':{'pod-template-hash':'1'}}}", "{}", true},
    {"{'metadata':{'annotations':{'pod-template-hash':'1'}}}", "{}", false},
    {"{'spec':{'volumes':[{'ephemeral':{'volumeClaimTemplate':{'metadata':{'labels':"
     "{'pod-template-hash':'1'}}}}}]}}",
     "{'spec':{'volumes':[{'ephemeral':{'volumeClaimTemplate':{}}}]}}", false},
    /* empty lists and maps */
    {"{'spec':{'tolerations':[]}}", "{}", true},
    {"{'spec':{'nodeSelector':{}}}", "{}", true},
    {"{'metadata':{'labels':{},'annotations':{}}}", "{}", true},
    {"{'metadata':{'creationTimestamp':null}}", "{}", true},
    /* in a map an empty value is a value */
    {"{'metadata':{'labels':{'a':''}}}", "{}", false},
    {"{'spec':{'nodeSelector':{'a':''}}}", "{'spec':{'nodeSelector':{'b':''}}}", false},
    /* structs by value and by pointer */
    {"{'spec':{'containers':[{'resources':{}}]}}", "{'spec':{'containers':[{}]}}", true},
    {"{'spec':{'containers':[{'resources':{'limits':{}}}]}}", "{'spec':{'containers':[{}]}}", true},
    {"{'spec':{'containers':[{}]}}", "{'spec':{}}", false},
    {"{'spec':{'securityContext':{}}}", "{}", false},
    {"{'spec':{'volumes':[{'name':'v','emptyDir':{}}]}}", "{'spec':{'volumes':[{'name':'v'}]}}",
     false},
    {"{'spec':{'affinity':{'podAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':"
     "[{'weight':1,'podAffinityTerm':{}}]}}}}",
     "{'spec':{'affinity':{'podAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':"
     "[{'weight':1}]}}}}",
     true},
    {"{'spec':{'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
     "[{'labelSelector':{}}]}}}}",
     "{'spec':{'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
     "[{}]}}}}",
     false},
    /* plain fields and fields by pointer */
    {"{'spec':{'hostNetwork':false}}", "{}", true},
    {"{'spec':{'nodeName':''}}", "{}", true},
    {"{'spec':{'restartPolicy':''}}", "{}", true},
    {"{'spec':{'containers':[{'restartPolicy':''}]}}", "{'spec':{'containers':[{}]}}", false},
    {"{'spec':{'containers':[{'ports':[{'hostPort':0}]}]}}",
     "{'spec':{'containers':[{'ports':[{}]}]}}", true},
    {"{'spec':{'terminationGracePeriodSeconds':0}}", "{}", false},
    {"{'spec':{'hostUsers':false}}", "{}", false},
    {"{'spec':{'automountServiceAccountToken':false}}", "{}", false},
    {"{'spec':{'securityContext':{'runAsNonRoot':false}}}", "{'spec':{'securityContext':{}}}",
     false},
    {"{'spec':{'containers':[{'env':[{'name':'a','value':''}]}]}}",
     "{'spec':{'containers':[{'env':[{'name':'a'}]}]}}", true},
    {"{'spec':{'dnsConfig':{'options':[{'name':'a','value':''}]}}}",
     "{'spec':{'dnsConfig':{'options':[{'name':'a'}]}}}", false},
    {"{'spec':{'volumes':[{'hostPath':{'path':'/','type':''}}]}}",
     "{'spec':{'volumes':[{'hostPath':{'path':'/'}}]}}", false},
    {"{'spec':{'securityContext':{'seccompProfile':{'type':''}}}}",
     "{'spec':{'securityContext':{'seccompProfile':{}}}}", true},
    {"{'spec':{'volumes':[{'csi':{'readOnly':false}}]}}", "{'spec':{'volumes':[{'csi':{}}]}}",
     false},
    {"{'spec':{'volumes':[{'nfs':{'readOnly':false}}]}}", "{'spec':{'volumes':[{'nfs':{}}]}}",
     true},
    {"{'spec':{'dnsPolicy':'ClusterFirst'}}", "{}", false}, /* no defaults are filled in */
    /* quantities */
    {"{'spec':{'containers':[{'resources':{'requests':{'cpu':'500m'}}}]}}",
     "{'spec':{'containers':[{'resources':{'requests':{'cpu':'0.5'}}}]}}", true},
    {"{'spec':{'containers':[{'resources':{'limits':{'memory':'1Gi'}}}]}}",
     "{'spec':{'containers':[{'resources':{'limits':{'memory':1073741824}}}]}}", true},
    {"{'spec':{'containers':[{'resources':{'requests':{'cpu':'0'}}}]}}",
     "{'spec':{'containers':[{}]}}", false},
    {"{'spec':{'overhead':{'cpu':'1'}}}", "{'spec':{'overhead':{'cpu':'1000m'}}}", true},
    {"{'spec':{'volumes':[{'emptyDir':{'sizeLimit':'1Gi'}}]}}",
     "{'spec':{'volumes':[{'emptyDir':{'sizeLimit':'1024Mi'}}]}}", true},
    {"{'spec':{'volumes':[{'emptyDir':{'sizeLimit':'0'}}]}}",
     "{'spec':{'volumes':[{'emptyDir':{}}]}}", false},
    {"{'spec':{'containers':[{'env':[{'valueFrom':{'resourceFieldRef':{'divisor':'0'}}}]}]}}",
     "{'spec':{'containers':[{'env':[{'valueFrom':{'resourceFieldRef':{}}}]}]}}", true},
    {"{'metadata':{'annotations':{'cpu':'500m'}}}", "{'metadata':{'annotations':{'cpu':'0.5'}}}",
     false},
};

static void
pairs(void)
{
    for (size_t i = 0; i < sizeof(template_pairs) / sizeof(template_pairs[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        struct digest a = digest_of(&f, template_pairs[i].a);
        struct digest b = digest_of(&f, template_pairs[i].b);
        bool equal = a.high == b.high && a.low == b.low;

        CHECK_MSG(equal == template_pairs[i].equal, "%s and %s: got %s", template_pairs[i].a,
                  template_pairs[i].b, equal ? "equal" : "different");
        model_end(&f);
    }
}

/* The digest is no matter of the builder that made it. */
static void
stable(void)
{
    struct model_fixture f, g;

    model_begin(&f);
    model_begin(&g);
    struct digest a = digest_of(&f, "{'spec':{'nodeName':'n'}}");

    digest_of(&g, "{'spec':{'nodeName':'m'}}");
    struct digest b = digest_of(&g, "{'spec':{'nodeName':'n'}}");

    CHECK(a.high == b.high && a.low == b.low);
    model_end(&g);
    model_end(&f);
}

/* Of a workload called web, whose template has a label app and one of each key. */
static const struct {
    const char *api_version, *kind, *key, *value; /* "of it": that of the template */
} added_labels[] = {
    {"apps/v1", "Deployment", "pod-template-hash", LABEL_VALUE_UNKNOWN},
    {"apps/v1", "Deployment", "controller-revision-hash", "of it"},
    {"apps/v1", "StatefulSet", "controller-revision-hash", LABEL_VALUE_UNKNOWN},
    {"apps/v1", "StatefulSet", "statefulset.kubernetes.io/pod-name", LABEL_VALUE_OF_EACH},
    {"apps/v1", "StatefulSet", "apps.kubernetes.io/pod-index", LABEL_VALUE_OF_EACH},
    {"apps/v1", "StatefulSet", "pod-template-hash", "of it"},
    {"batch/v1", "Job", "job-name", "web"},
    {"batch/v1", "Job", "controller-uid", LABEL_VALUE_UNKNOWN},
    {"batch/v1", "Job", "batch.kubernetes.io/job-name", "web"},
    {"batch/v1", "Job", "batch.kubernetes.io/controller-uid", LABEL_VALUE_UNKNOWN},
    {"example.io/v1", "Foo", "job-name", "of it"},
};

static void
labels_of_controllers(void)
{
    for (size_t i = 0; i < sizeof(added_labels) / sizeof(added_labels[0]); i++) {
        const struct binding binding = {.resource = {.api_version = added_labels[i].api_version,
                                                     .kind = added_labels[i].kind,
                                                     .namespace_ = "ns",
                                                     .name = "web"}};
        struct model_fixture f;
        char text[512];

        model_begin(&f);
        snprintf(text, sizeof(text),
                 "{'metadata':{'namespace':'ns','name':'web'},'spec':{'template':{'metadata':{"
                 "'labels':{'zz':'b','app':'web','%s':'of it'}},'spec':{'containers':[{'name':'c'}]"
                 "}}}}",
                 added_labels[i].key);
        CHECK(fleet_builder_add_template(f.builder, model_value(&f, text),
                                         added_labels[i].api_version, added_labels[i].kind,
                                         &f.err));
        const struct pod_template *made = fleet_builder_template(f.builder, &binding);

        CHECK_STR(label_list_find(&made->labels, added_labels[i].key), added_labels[i].value);
        CHECK_STR(label_list_find(&made->labels, "app"), "web");
        CHECK_STR(label_list_find(&made->labels, "zz"), "b");
        model_end(&f);
    }
}

void suite_pod_template(void);

void
suite_pod_template(void)
{
    check_suite("pod_template");
    check_test("pairs", pairs);
    check_test("stable", stable);
    check_test("labels of controllers", labels_of_controllers);
}
