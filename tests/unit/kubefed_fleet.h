/* SPDX-License-Identifier: Apache-2.0
 *
 * A KubeFed host behind a fake API server: clusters m1 and m2, of which m1 shows
 * itself; shop/web has 3 of 4 replicas, in m1.
 */
#ifndef BALLAST_KUBEFED_FLEET_H
#define BALLAST_KUBEFED_FLEET_H

#include "fake_api.h"

#define KFNS "kube-federation-system"
#define CORE_API_PATH "/apis/core.kubefed.io/v1beta1"
#define CORE "/apis/core.kubefed.io/v1beta1/namespaces/" KFNS
#define CONFIG CORE "/kubefedconfigs/kubefed"
#define TYPES CORE "/federatedtypeconfigs"
#define CLUSTERS CORE "/kubefedclusters"
#define FEDERATED "/apis/types.kubefed.io/v1beta1"
#define OBJECTS FEDERATED "/federateddeployments"
#define NAMESPACES FEDERATED "/federatednamespaces"
#define RECORDS "/apis/scheduling.kubefed.io/v1alpha1/replicaschedulingpreferences"
#define OBJECT FEDERATED "/namespaces/shop/federateddeployments/web"
#define RECORD                                                                                     \
    "/apis/scheduling.kubefed.io/v1alpha1/namespaces/shop/replicaschedulingpreferences/web"
#define SECRET "/api/v1/namespaces/" KFNS "/secrets/m1"

struct fake_api *host_fleet(const char *scope);

#endif
