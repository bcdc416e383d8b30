/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether karmada-descheduler runs as well, as a fleet's objects tell it.
 */
#include <stdio.h>

#include "ballast/base/timestamp.h"
#include "model_fixture.h"

#define CLUSTER                                                                                    \
    "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster','metadata':{'name':'m1'}}"

static void
deployment(void)
{
    static const struct {
        const char *member, *name, *spec;
        bool seen;
    } cases[] = {
        {"", "karmada-descheduler", "{}", true},
        {"", "karmada-descheduler", "{'replicas':2}", true},
        {"", "karmada-descheduler", "{'replicas':0}", false},
        {"", "karmada-scheduler", "{'replicas':1}", false},
        {"m1", "karmada-descheduler", "{'replicas':1}", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;
        char text[256];

        model_begin(&f);
        model_add(&f, "c", 1, "", CLUSTER);
        snprintf(text, sizeof(text),
                 "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'%s'},'spec':%s}",
                 cases[i].name, cases[i].spec);
        model_add(&f, "d", 1, cases[i].member, text);
        struct fleet *fleet = fleet_builder_finish(f.builder, TIME_NONE, &f.err);

        CHECK_MSG(fleet != NULL && fleet_has_descheduler(fleet, TIME_NONE) == cases[i].seen,
                  "%s %s", cases[i].name, cases[i].spec);
        fleet_free(fleet);
        model_end(&f);
    }
}

static void
lease(void)
{
    static const struct {
        const char *name, *spec;
        bool seen;
    } cases[] = {
        {"karmada-descheduler", "{'holderIdentity':'x','renewTime':'2026-03-01T11:59:58Z'}", true},
        {"karmada-descheduler", "{'holderIdentity':'x','renewTime':'2026-03-01T11:57:00Z'}", false},
        {"karmada-descheduler", "{'holderIdentity':'','renewTime':'2026-03-01T11:59:58Z'}", false},
        {"karmada-descheduler", "{'holderIdentity':'x'}", false},
        {"karmada-scheduler", "{'holderIdentity':'x','renewTime':'2026-03-01T11:59:58Z'}", false},
    };
    int64_t now = TIME_NONE;

    CHECK(timestamp_parse("2026-03-01T12:00:00Z", &now));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;
        char text[256];

        model_begin(&f);
        model_add(&f, "c", 1, "", CLUSTER);
        snprintf(text, sizeof(text),
                 "{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'%s'},"
                 "'spec':%s}",
                 cases[i].name, cases[i].spec);
        model_add(&f, "d", 1, "", text);
        struct fleet *fleet = fleet_builder_finish(f.builder, TIME_NONE, &f.err);

        CHECK_MSG(fleet != NULL && fleet_has_descheduler(fleet, now) == cases[i].seen, "case %zu",
                  i);
        fleet_free(fleet);
        model_end(&f);
    }
}

void suite_descheduler(void);

void
suite_descheduler(void)
{
    check_suite("karmada-descheduler");
    check_test("its Deployment", deployment);
    check_test("its Lease", lease);
}
