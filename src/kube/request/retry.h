/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a request may be sent again and when: pure functions. A write goes
 * again only when the server cannot have carried it out, or when doing it twice
 * does no harm.
 */
#ifndef BALLAST_KUBE_RETRY_H
#define BALLAST_KUBE_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#define RETRY_FIRST_DELAY (INT64_C(200) * 1000000)
#define RETRY_LAST_DELAY (INT64_C(10) * 1000000000)
/* What a server may ask for; longer ones are cut, the deadline says the rest. */
#define RETRY_AFTER_MAX (INT64_C(300) * 1000000000)
#define RETRY_NONE INT64_C(-1)

enum failure {
    FAILURE_NONE,
    FAILURE_STATUS,  /* an answer, but not 2xx */
    FAILURE_UNSENT,  /* nothing of the request left */
    FAILURE_LOST,    /* it may have been carried out, the answer did not come */
    FAILURE_BODY,    /* 2xx with a broken body */
    FAILURE_CROWDED, /* a read's answer was broken off: there was no room for it */
    FAILURE_FATAL,   /* trying again cannot help; with a 2xx, it was carried out */
};

struct try_result {
    enum failure failure;
    int status; /* HTTP */
    bool is_read;
    bool repeatable;
    int64_t retry_after; /* what the server asks for, RETRY_NONE if it does not */
    int64_t passes_by;   /* a 403 about what the server has allowed before: when it is its last
                            word; monotonic, 0: at once */
};

/* Before anything was done: the server has too much to do. */
bool retry_is_turned_away(const struct try_result *attempt);

bool retry_may(const struct try_result *attempt);

/* Whether after this a write may have been carried out all the same. */
bool retry_leaves_doubt(const struct try_result *attempt);

/* How long to wait after the `tries`th try (from 1): doubled each time, the second half of it by
 * chance, so that clients that failed together do not come back together. Never less than what the
 * server asked for. */
int64_t retry_delay(uint32_t tries, int64_t retry_after, uint32_t random);

/* Retry-After: seconds or an HTTP date; RETRY_NONE for anything else. */
int64_t retry_after_parse(const char *text, int64_t wall_now);

#endif
