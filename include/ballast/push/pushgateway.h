/* SPDX-License-Identifier: Apache-2.0
 *
 * Metrics brought to a Prometheus Pushgateway, where they stay until they are
 * replaced: https://github.com/prometheus/pushgateway#api. Best effort, within a
 * time limit, and without a second try.
 */
#ifndef BALLAST_PUSH_PUSHGATEWAY_H
#define BALLAST_PUSH_PUSHGATEWAY_H

#include <stdatomic.h>

#include "ballast/base/buf.h"
#include "ballast/base/clock.h"
#include "ballast/base/error.h"

#define PUSH_AUTH_MAX ((size_t)4 << 10) /* bytes of the file with user and password */

struct pushgateway {
    const char *url;       /* "https://pushgateway:9091/prefix" */
    const char *auth_file; /* file with "user:password"; "": none */
    const char *ca_file;   /* the only trusted CAs; "": the system's */
    int64_t timeout;       /* nanoseconds, for all groups together */
    const char *user_agent;
    struct clock clock;
    const atomic_bool *stop; /* ends the push once it becomes set; NULL: never */
};

struct push_label {
    const char *name, *value; /* a value may be any text */
};

/* One push replaces a group as a whole. Groups with equal labels are one group. */
struct push_group {
    const struct push_label *labels; /* "job" first */
    size_t n_labels;
    const char *body; /* Prometheus text format */
    size_t length;
};
#define PUSH_GROUPS_MAX 4

/* True if metrics can be pushed to `url`: http or https, with a host, without user, query or
 * fragment. False with err. */
bool pushgateway_check_url(const char *url, struct error *err);

/* Appends the path of a group: "/metrics/job/ballast/control_plane@base64/...". Shows control
 * characters in a value as the metrics show them. */
void push_append_path(struct buf *out, const struct push_group *group);

/* Replaces all groups at once with their present metrics. False with the first failure, without
 * text from the auth file; other groups may have been replaced. */
bool pushgateway_put(const struct pushgateway *gateway, const struct push_group *groups,
                     size_t count, struct error *err);

#endif
