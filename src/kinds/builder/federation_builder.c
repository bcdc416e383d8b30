/* SPDX-License-Identifier: Apache-2.0
 *
 * Frees the lists of KubeFed's objects.
 */
#include "federation_builder.h"

void
federation_builder_release(struct federation_builder *federation)
{
    vec_free(&federation->configs);
    vec_free(&federation->types);
    vec_free(&federation->clusters);
    vec_free(&federation->namespaces);
    vec_free(&federation->objects);
    vec_free(&federation->preferences);
    vec_free(&federation->unread);
    object_location_set_release(&federation->cluster_places);
    object_location_set_release(&federation->namespace_places);
    object_location_set_release(&federation->object_places);
}
