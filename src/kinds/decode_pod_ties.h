/* SPDX-License-Identifier: Apache-2.0
 *
 * What of a PodSpec ties the pod to others: of pods and of templates alike.
 */
#ifndef BALLAST_KINDS_DECODE_POD_TIES_H
#define BALLAST_KINDS_DECODE_POD_TIES_H

#include "ballast/model/pod_template.h"
#include "field.h"

/* Of spec.affinity. Templates alone have label keys: into the selectors of a pod's terms
 * kube-apiserver has merged them. */
extern const struct field pod_affinity_table[], template_affinity_table[];
extern const struct field template_affinity_terms_table[]; /* podAffinity, podAntiAffinity in it */
extern const struct field container_port_table[];          /* of containers[].ports */

/* Target: const struct pod_affinity *, NULL where no term is required. Equal ones of one table are
 * one. */
field_converter convert_pod_affinity;
/* Whether a term of a spec's affinity, required or preferred, says whose namespaces it is about. */
bool pod_affinity_crosses_namespaces(const struct value *spec);
/* The ports of the node that the containers of a spec want; init containers want none. */
bool pod_ports_decode(struct decoder *decoder, const struct value *spec,
                      struct host_port_list *ret);

#endif
