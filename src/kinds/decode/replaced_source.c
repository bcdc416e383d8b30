/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a CSI driver's handle for a disk of an in-tree volume, as csi-translation-lib does. Unlike
 * there, a prefix of an id (`aws://ZONE/`) stays: all volumes of one disk have it.
 */
#include "decoders.h"

#include "ballast/base/buf.h"
#include "ballast/model/volumes.h"

#define HANDLE_MAX 4096

/* A Google disk's handle has its name and zone. */
static const char *
place_of(const struct label_list *labels)
{
    static const char *const keys[] = {"failure-domain.beta.kubernetes.io/zone",
                                       "topology.kubernetes.io/zone"};

    for (size_t i = 0; labels != NULL && i < sizeof(keys) / sizeof(keys[0]); i++) {
        const char *place = label_list_find(labels, keys[i]);

        if (place != NULL && !str_is_empty(place)) {
            return place;
        }
    }
    return "UNSPECIFIED";
}

const char *
replaced_source_handle(struct interner *strings, const char *source, const char *id,
                       const struct label_list *labels)
{
    struct buf text;

    if (str_is_empty(id) || replaced_plugin_of(source) == NULL) {
        return intern_cstr(strings, "");
    }
    if (!str_eq(source, "gcePersistentDisk")) {
        return intern_cstr(strings, id);
    }
    buf_init(&text, HANDLE_MAX);
    buf_printf(&text, "projects/UNSPECIFIED/zones/%s/disks/%s", place_of(labels), id);
    const char *handle = intern_cstr(strings, buf_text(&text));

    buf_release(&text);
    return handle;
}
