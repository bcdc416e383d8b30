/* SPDX-License-Identifier: Apache-2.0
 *
 * A lost cluster whose two workloads are to go to another one by their pod templates,
 * for the suites of what keeps pods out of a member.
 */
#ifndef BALLAST_TEMPLATE_FLEET_H
#define BALLAST_TEMPLATE_FLEET_H

#include "ballast/capacity/ledger.h"
#include "small_fleet.h"

/* What is inside a template's spec: a container of one cpu; apart from pods of the app, with a
 * comma in front. */
#define CONTAINER "'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]"
#define APART(name, key)                                                                           \
    ",'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"          \
    "'labelSelector':{'matchLabels':{'app':'" name "'}},'topologyKey':'" key "'}]}}"

/* Of ns/web and ns/api, with these in their templates' spec, 4 replicas each were in the cluster;
 * m1 has nodes a and b, for eight of it each. */
void template_fleet_open(struct small_fleet *f, const char *web_spec, const char *api_spec);
/* Ends the fleet and diagnoses it; NULL (and a failed check) when that cannot be. */
struct ledger *template_fleet_ledger(struct small_fleet *f);
/* Bindings are sorted: api (0) before web (1). */
const struct requirements *template_fleet_requirements(const struct small_fleet *f,
                                                       uint32_t binding);

#endif
