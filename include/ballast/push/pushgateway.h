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

/* Where to, and how. */
struct pushgateway {
    const char *url;       /* "https://pushgateway:9091/prefix" */
    const char *auth_file; /* "user:password"; "": none */
    const char *ca_file;   /* alone is trusted; "": the system's are */
    int64_t timeout;       /* nanoseconds, for all groups together */
    const char *user_agent;
    struct clock clock;
    const atomic_bool *stop; /* ends it where it becomes set meanwhile; NULL: nothing does */
};

struct push_label {
    const char *name, *value; /* a value may be any text */
};

/* A group is what one push replaces as a whole. Two are the same if all their labels are. */
struct push_group {
    const struct push_label *labels; /* "job" first */
    size_t n_labels;
    const char *body; /* Prometheus' text format */
    size_t length;
};
#define PUSH_GROUPS_MAX 4

/* Whether metrics can be pushed there: http or https, a host, and no user, query or fragment. */
bool pushgateway_check_url(const char *url, struct error *err);

/* Appends the path of a group: "/metrics/job/ballast/control_plane@base64/...". What a terminal
 * would obey in a value is shown as it is in the metrics themselves. */
void push_append_path(struct buf *out, const struct push_group *group);

/* Replaces the groups with what they have now, side by side. False with the first failure, which
 * says nothing of what the auth file holds; then others may have been replaced. */
bool pushgateway_put(const struct pushgateway *gateway, const struct push_group *groups,
                     size_t count, struct error *err);

#endif
