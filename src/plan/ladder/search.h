/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for a decision from inside: one ordered table of assumptions, one loop over it, and
 * one test of what is enough. Each question has a file with what its rungs need.
 */
#ifndef BALLAST_PLAN_SEARCH_H
#define BALLAST_PLAN_SEARCH_H

#include "ladder.h"
#include "plan/decide/decide.h"
#include "plan/limits/limits.h"

/* What is asked. Under each rung of a question the next one is asked from its first rung on. */
enum question {
    QUESTION_LIMITS,
    QUESTION_CLAIMS,
    QUESTION_DIVISION,
    QUESTION_LEAVING,
    QUESTION_NEW,
    QUESTION_COUNT,
    QUESTION_DESTINATIONS,
    N_QUESTIONS
};

/* What may be wrong with an attempt. A rung names the flaws for which one is refused. */
enum flaw {
    FLAW_NEW_UNPLACED,
    FLAW_NO_SPLIT,
    FLAW_UNPLACED,
    FLAW_LOST_UNPLACED,
    FLAW_NO_CHANGE,
    FLAW_NO_GAIN,
    FLAW_NEW_HELD,
    FLAW_LEFT_IN_PART,
    FLAW_SPREAD_TOO_WIDE,
    FLAW_FEWER_PLACED,
    FLAW_NO_MORE_PLACED,
    FLAW_NOT_DIVIDED,
    FLAW_CLAIMS_END,
    FLAW_TOO_LARGE,
    N_FLAWS
};

struct search;

struct rung {
    enum question question;
    const char *name;                       /* what is assumed, in words */
    const char *when;                       /* in words; "": always */
    bool (*applies)(struct search *search); /* NULL: always */
    bool assumes_more;                      /* than is assumed already */
    struct assumptions assumes;
    /* Sets assumptions that depend on earlier attempts; NULL: none do. */
    void (*assume)(struct search *search, struct assumptions *assumed);
    uint32_t refuses;    /* flaws, by 1U << flaw */
    const char *refusal; /* what is said of a refused attempt; NULL: its flaw */
    /* Set on a rung that is tried once another is enough, to do better: why the other one is not
     * taken then. */
    const char *instead;
    /* Adds to the attempt that is taken; NULL: nothing. */
    void (*take)(struct search *search, struct proposal *attempt);
    uint32_t tries; /* as long as it applies; 0: once */
};

/* One question while it is asked. Pointers are to scratch. */
struct search {
    struct planner *planner;
    const struct search *outer; /* the question before it; NULL: none */
    enum question question;
    const struct move *move;        /* from which it starts */
    const struct rung *rung;        /* that is being tried */
    const struct proposal *first;   /* the first attempt that was refused; NULL: none was */
    const struct proposal *refused; /* the last one; earlier ones follow by `earlier` */
    struct proposal *chosen;        /* the attempt that is enough; NULL: none yet */
    const struct rung *chosen_rung; /* on which it was made */
    bool *stays;           /* by target: not to be left, or a part would stay; NULL: none is */
    bool stays_whole;      /* one of them leaves as a whole or not at all */
    struct decision *said; /* what holds of every attempt is said here */
    struct allowance *allowance; /* what the limits of the run leave of the last attempt */
};

/* --- ladder.c --- */

/* Searches for a decision about what `move` asks for, and returns the first proposal that is
 * enough. Its reasons begin with what `said` has; reasons that hold whatever is tried are added
 * there. `ret_allowance` gets what the limits of the run leave of it. */
struct proposal *ladder_climb(struct planner *planner, const struct move *move,
                              struct decision *said, struct allowance *ret_allowance);

/* --- ladder_table.c --- */

/* Returns all rungs, question by question, in the order in which they are tried. */
const struct rung *ladder_rungs(size_t *ret_count);
/* Returns what is made of a question on none of whose rungs an attempt was enough. */
struct proposal *ladder_give_up(struct search *search);

/* --- ladder_flaws.c --- */

/* Names flaws (1U << flaw), to complete "refused where ...". */
const char *flaws_text(struct arena *arena, uint32_t refused);
/* Returns, in words, the first flaw of an attempt for which the rung being tried refuses it;
 * NULL: it is enough. */
const char *attempt_refusal(struct search *search, const struct proposal *attempt);

/* --- ladder_limits.c --- */

/* Holds an attempt against cooldowns, quotas and the limits of the run, names its action, and puts
 * what `said` has before its reasons. Returns what the limits leave. */
struct allowance attempt_hold_to_limits(struct planner *planner, const struct decision *said,
                                        struct proposal *attempt);
/* attempt_hold_to_limits() for an attempt of QUESTION_LIMITS. */
void limits_complete(struct search *search, struct proposal *attempt);

/* --- ladder_division.c --- */

/* True if the attempt that was refused last takes stuck replicas away. */
bool division_takes_stuck(struct search *search);
/* Says that the attempt does not divide anew what was to be. */
void division_waits(struct search *search, struct proposal *attempt);
/* Returns the attempt to divide all anew: nothing of it can go ahead. */
struct proposal *division_fails(struct search *search);

/* --- ladder_leaving.c --- */

/* Marks the targets of which the attempt would leave a part, in `search->stays`; false: none. */
bool leaving_mark(struct search *search, const struct proposal *attempt);
/* True if targets were marked, and all of them only for the spread of what is new. */
bool leaving_bars_new(struct search *search);
/* Assumes that the marked targets are not left. */
void leaving_keep(struct search *search, struct assumptions *assumed);
/* Says of each marked target why it is not left. */
void leaving_explain(struct search *search, struct proposal *attempt);
/* Says that what is new waits for the marked targets to be left. */
void leaving_new_waits(struct search *search, struct proposal *attempt);

/* --- ladder_scale_up.c --- */

/* Says why replicas beyond those that are assigned are not to be had, or not all of them; NULL:
 * they are. */
const char *scale_up_refusal(struct planner *planner, const struct proposal *attempt);
/* True if an attempt changes nothing since what is lost may go nowhere yet, which what is new
 * need not wait for. */
bool scale_up_is_held(struct search *search, const struct proposal *attempt);
/* True if a smaller number may have a place than the attempt asked for that was refused last. */
bool scale_up_may_shrink(struct search *search);
/* Assumes that smaller number. */
void scale_up_shrink(struct search *search, struct assumptions *assumed);
/* Says how much of what is new waits. */
void scale_up_in_part(struct search *search, struct proposal *attempt);
/* True if something is lost or stuck. */
bool scale_up_has_taken(struct search *search);
/* True if some targets are to be left, and others have something that is stuck. */
bool scale_up_has_leaving(struct search *search);
/* Says that all that is new waits. */
void scale_up_waits(struct search *search, struct proposal *attempt);
/* Returns the attempt at all that is wanted, or that at what is lost, changing nothing. */
struct proposal *scale_up_fails(struct search *search);
/* Says of an attempt at what is new how much is lost. */
void new_only(struct search *search, struct proposal *attempt);
/* Returns the refused attempt, as one that waits for cooldowns. */
struct proposal *new_fails(struct search *search);

/* --- ladder_destinations.c --- */

/* Counts what is stuck in living clusters, to which goes back first what finds no place. */
int64_t count_stuck(const struct move *move);
/* True if the limits on destinations bound the move. */
bool destinations_are_limited(struct search *search);
/* True if clusters cool down that the move need not heed. */
bool destinations_cool(struct search *search);
/* True if so, and what is stuck heeds them while other replicas do not. */
bool destinations_cool_for_stuck(struct search *search);
/* True if so, and something else than what is stuck may go back. */
bool destinations_take_back(struct search *search);
/* Assumes that what found no place goes where it cools down. */
void destinations_go_back(struct search *search, struct assumptions *assumed);
/* True if lost replicas found no place, and may wait for nodes that an autoscaler adds. */
bool destinations_may_grow(struct search *search);
/* Assumes what the attempt that is enough does, and that nodes are added. */
void destinations_grow(struct search *search, struct assumptions *assumed);
/* Counts what waits as what has no place. */
void destinations_waiting(struct search *search, struct proposal *attempt);

#endif
