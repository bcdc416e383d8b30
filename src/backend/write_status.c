/* SPDX-License-Identifier: Apache-2.0
 *
 * What can become of a write, by name.
 */
#include "ballast/backend/backend.h"

const char *
write_status_name(enum write_status status)
{
    static const char *const names[] = {
        [WRITE_PENDING] = "Pending",   [WRITE_DONE] = "Done",       [WRITE_CONFLICT] = "Conflict",
        [WRITE_GONE] = "Gone",         [WRITE_REFUSED] = "Refused", [WRITE_FAILED] = "Failed",
        [WRITE_NEEDLESS] = "Needless", [WRITE_BLOCKED] = "Blocked", [WRITE_DEFERRED] = "Deferred",
    };

    return names[status];
}
