/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides whether a request may be sent again and when: pure functions. A write is sent again only
 * if the server cannot have carried it out, or if doing it twice does no harm.
 */
#ifndef BALLAST_KUBE_RETRY_H
#define BALLAST_KUBE_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#define RETRY_FIRST_DELAY (INT64_C(200) * 1000000)
#define RETRY_LAST_DELAY (INT64_C(10) * 1000000000)
/* The longest pause that a server may ask for; longer ones are cut. */
#define RETRY_AFTER_MAX (INT64_C(300) * 1000000000)
#define RETRY_NONE INT64_C(-1)

enum failure {
    FAILURE_NONE,
    FAILURE_STATUS,  /* a response, but not 2xx */
    FAILURE_UNSENT,  /* nothing of the request left */
    FAILURE_LOST,    /* sent, maybe carried out, but no response came */
    FAILURE_BODY,    /* 2xx with a broken body */
    FAILURE_CROWDED, /* the client broke a read off: no budget left */
    FAILURE_FATAL,   /* trying again cannot help; with a 2xx, the server carried it out */
};

struct try_result {
    enum failure failure;
    int status; /* HTTP */
    bool is_read;
    bool repeatable;
    int64_t retry_after; /* the pause that the server asks for, nanoseconds; RETRY_NONE: none */
    int64_t passes_by;   /* for a 403: when it becomes final, monotonic; 0: at once */
};

/* True if the server refused the request before doing anything, because it is overloaded. */
bool retry_is_turned_away(const struct try_result *attempt);

/* True if the request may be sent again: it was not sent, was turned away, may be forbidden only
 * for a while, or failed in a way that passes and is harmless to repeat. */
bool retry_may(const struct try_result *attempt);

/* True if the server may have carried out a write although the try failed. */
bool retry_leaves_doubt(const struct try_result *attempt);

/* Returns the nanoseconds to wait after the `tries`th try (from 1). The delay doubles each time;
 * its second half depends on `random`, so that clients that failed together do not come back
 * together. Never less than `retry_after`, unless that is RETRY_NONE. */
int64_t retry_delay(uint32_t tries, int64_t retry_after, uint32_t random);

/* Reads a Retry-After header, seconds or an HTTP date, as nanoseconds from `wall_now`,
 * RETRY_AFTER_MAX at most. RETRY_NONE for anything else. */
int64_t retry_after_parse(const char *text, int64_t wall_now);

#endif
