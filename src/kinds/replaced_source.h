/* SPDX-License-Identifier: Apache-2.0
 *
 * What a CSI driver knows a disk by that a volume names as the plugin of Kubernetes
 * did that it has replaced.
 */
#ifndef BALLAST_KINDS_REPLACED_SOURCE_H
#define BALLAST_KINDS_REPLACED_SOURCE_H

#include "ballast/base/str.h"
#include "ballast/model/selector.h"

/* Interned. Of a PersistentVolume its labels, else NULL. "": no driver has replaced it. */
const char *replaced_source_handle(struct interner *strings, const char *source, const char *id,
                                   const struct label_list *labels);

#endif
