/* SPDX-License-Identifier: Apache-2.0
 *
 * The most that a plan could have placed with nobody getting less than it
 * gives, as an integer programme, and a solver that is a program of its own.
 */
#ifndef BALLAST_OPTIMUM_PROGRAMME_H
#define BALLAST_OPTIMUM_PROGRAMME_H

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "planner.h"

/* Replicas, in all. */
struct programme_counts {
    int64_t lost, placed, moved;
    uint32_t n_unplaced; /* bindings of which some found no place */
};

/* In CPLEX's LP format: maximise the replicas given anew, each cluster within what is free of each
 * resource, each binding no more than it lost and no less than the plan gives it, in clusters that
 * the filters pass. `whole`: in whole replicas; else it is the relaxation, solved in milliseconds,
 * whose most is a bound. */
void programme_write(struct arena *arena, const struct planned *planned, bool whole,
                     struct buf *out, struct programme_counts *ret);

enum solution_state { SOLVED, NOT_SOLVED, INFEASIBLE, NO_SOLVER };

/* Has cbc solve the file, within so many seconds; `ret_most`, in whole replicas, once it is proved.
 */
enum solution_state programme_solve(const char *directory, const char *file, int seconds,
                                    int64_t *ret_most);

#endif
