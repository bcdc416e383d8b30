/* SPDX-License-Identifier: Apache-2.0
 *
 * How the replicas of a fleet are: each assigned one in its state, and those that
 * are wanted, run nowhere and get no place.
 */
#ifndef BALLAST_REPORT_REPLICAS_H
#define BALLAST_REPORT_REPLICAS_H

#include "view.h"

struct homeless_reason {
    const char *code;
    int64_t replicas;
};

struct replica_sums {
    int64_t assigned; /* of what the members' own objects want */
    int64_t of_state[N_REPLICA_STATES];
    int64_t unseen; /* of those that are ready: nobody sees whether they are */
    int64_t lost_of_owner[N_FAILOVER_OWNERS];
    int64_t homeless;
    uint32_t homeless_bindings;
    int64_t missing_copies; /* replicas of copies that do not run, while others of them do */
    uint32_t missing_copies_bindings;
    const struct homeless_reason *reasons; /* of what is homeless, the largest first */
    uint32_t n_reasons;
};

/* Of all bindings in scope that are not being deleted. In the view's memory. */
const struct replica_sums *sum_replicas(const struct report_view *view);
/* It is in scope and not being deleted. */
bool row_is_counted(const struct row *row);
/* Adds the states of one binding. */
void row_add_states(const struct report_view *view, const struct row *row,
                    struct replica_sums *sums);
/* Of one binding; what runs in other copies: `ret_copies`. */
int64_t row_homeless(const struct report_view *view, const struct row *row, int64_t *ret_copies);
/* The lines of a report's head. */
struct printer;
void print_replica_states(const struct printer *printer, const struct report_view *view);
void print_homeless(const struct printer *printer, const struct report_view *view);

#endif
