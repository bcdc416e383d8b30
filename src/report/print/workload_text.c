/* SPDX-License-Identifier: Apache-2.0
 *
 * Names a workload in simulations.
 */
#include "printer.h"

const char *
workload_text(struct arena *arena, const struct binding *binding)
{
    return arena_printf(arena, "%s%s%s", binding->namespace_,
                        str_is_empty(binding->namespace_) ? "" : "/", binding->resource.name);
}
