/* SPDX-License-Identifier: Apache-2.0
 *
 * A small fleet that looks for room for a template with volumes, and what its member
 * has of them.
 */
#ifndef BALLAST_TESTS_VOLUME_FLEET_H
#define BALLAST_TESTS_VOLUME_FLEET_H

#include "small_fleet.h"

#define CONTAINERS "'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]"

/* A lost cluster of ns/web, and m1 with nodes a, b and c, for eight of it each. */
void volume_fleet_open(struct small_fleet *f, const char *volumes);
void volume_fleet_pod(struct small_fleet *f, const char *name, const char *node,
                      const char *volumes);
/* For web in m1; closes the fleet. */
int32_t volume_fleet_room(struct small_fleet *f);

#define DATA "{'persistentVolumeClaim':{'claimName':'data'}}"
#define OWN(class_)                                                                                \
    "{'ephemeral':{'volumeClaimTemplate':{'spec':{'storageClassName':'" class_ "'}}}}"
#define CLAIM(metadata, spec, phase)                                                               \
    "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':'ns','name':"       \
    "'data'" metadata "},'spec':{" spec "},'status':{'phase':'" phase "'}}"
#define DONE ",'annotations':{'pv.kubernetes.io/bind-completed':'yes'}"
#define BOUND CLAIM(DONE, "'volumeName':'v1'", "Bound")
#define WAITING CLAIM("", WANTS, "Pending")
#define WANTS                                                                                      \
    "'storageClassName':'local','accessModes':['ReadWriteMany'],'resources':{'requests':{"         \
    "'storage':'5Gi'}}"
#define VOLUME(name, metadata, spec)                                                               \
    "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'" name "'" metadata          \
    "},'spec':{" spec "},'status':{'phase':'Available'}}"
#define ON(key, values)                                                                            \
    "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'" key           \
    "','operator':'In','values':[" values "]}]}]}}"
#define ON_HOST(values) ON("kubernetes.io/hostname", values)
#define FREE(size, more)                                                                           \
    "'storageClassName':'local','accessModes':['ReadWriteOnce','ReadWriteMany'],'capacity':{"      \
    "'storage':'" size "'}," more
#define CLASS(mode, more)                                                                          \
    "{'apiVersion':'storage.k8s.io/v1','kind':'StorageClass','metadata':{'name':'local'},"         \
    "'volumeBindingMode':'" mode "','provisioner':" more "}"
#define NONE "'kubernetes.io/no-provisioner'"
#define WAITS CLASS("WaitForFirstConsumer", NONE)
#define BETA "failure-domain.beta.kubernetes.io/"
#define LABELS(key, value) ",'labels':{'" key "':'" value "'}"
#define ZONE "topology.kubernetes.io/zone"
#define ANNOTATED(class_) ",'annotations':{'volume.beta.kubernetes.io/storage-class':'" class_ "'}"
#define WANTS_NO_CLASS "'accessModes':['ReadWriteMany'],'resources':{'requests':{'storage':'5Gi'}}"
#define FREE_OF_NO_CLASS "'accessModes':['ReadWriteMany'],'capacity':{'storage':'9Gi'},"
#define ITS_OWN "'claimRef':{'namespace':'ns','name':'data'},"

#endif
