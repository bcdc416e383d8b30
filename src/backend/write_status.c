/* SPDX-License-Identifier: Apache-2.0
 *
 * What can become of a write: by name, and by the error of its request.
 */
#include "ballast/backend/backend.h"

const char *
write_status_name(enum write_status status)
{
    static const char *const names[] = {
        [WRITE_PENDING] = "Pending",     [WRITE_DONE] = "Done",
        [WRITE_CONFLICT] = "Conflict",   [WRITE_GONE] = "Gone",
        [WRITE_REFUSED] = "Refused",     [WRITE_FAILED] = "Failed",
        [WRITE_OVERRULED] = "Overruled", [WRITE_NEEDLESS] = "Needless",
        [WRITE_BLOCKED] = "Blocked",     [WRITE_DEFERRED] = "Deferred",
    };

    return names[status];
}

enum write_status
write_status_of(enum error_code code, bool was_sent)
{
    switch (code) {
    case ERROR_NONE:
        return WRITE_DONE;
    case ERROR_CONFLICT:
        return WRITE_CONFLICT;
    case ERROR_NOT_FOUND:
        return WRITE_GONE;
    case ERROR_FORBIDDEN:
    case ERROR_INVALID:
        return WRITE_REFUSED;
    case ERROR_STOPPED: /* a request that was sent may have been carried out */
        return was_sent ? WRITE_FAILED : WRITE_PENDING;
    default:
        return WRITE_FAILED;
    }
}

void
write_request_done(struct write_request *request)
{
    if (request->done != NULL) {
        request->done(request->done_context, request);
    }
}
