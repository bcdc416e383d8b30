/* SPDX-License-Identifier: Apache-2.0
 *
 * The inside of the search: one ordered table of assumptions, one loop over it, and one test of
 * what is enough. Each question has a file with what its rungs need.
 */
#ifndef BALLAST_PLAN_SEARCH_H
#define BALLAST_PLAN_SEARCH_H

#include "ladder.h"
#include "plan/decide/decide.h"
#include "plan/limits/limits.h"

/* The questions. Under each rung of a question, the next one is asked from its first rung on. */
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

/* The flaws of an attempt. A rung names those for which it refuses one. */
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
    const char *name;                       /* the assumption, in words */
    const char *when;                       /* when it applies, in words; "": always */
    bool (*applies)(struct search *search); /* NULL: always */
    bool assumes_more;                      /* adds to the assumptions so far */
    struct assumptions assumes;
    /* Sets assumptions that depend on earlier attempts; NULL: none do. */
    void (*assume)(struct search *search, struct assumptions *assumed);
    uint32_t refuses;    /* flaws, by 1U << flaw */
    const char *refusal; /* text for a refused attempt; NULL: the flaw's */
    /* On a rung that tries to do better once another is enough: why the other is then not taken. */
    const char *instead;
    /* Adds to the attempt that is taken; NULL: nothing. */
    void (*take)(struct search *search, struct proposal *attempt);
    uint32_t tries; /* most tries, while it applies; 0: one */
};

/* One question while it is asked. Pointers are to scratch. */
struct search {
    struct planner *planner;
    const struct search *outer; /* the question before it; NULL: none */
    enum question question;
    const struct move *move;        /* the move to start from */
    const struct rung *rung;        /* the rung that is being tried */
    const struct proposal *first;   /* first refused attempt; NULL: none */
    const struct proposal *refused; /* last refused attempt; earlier ones follow by `earlier` */
    struct proposal *chosen;        /* the attempt that is enough; NULL: none yet */
    const struct rung *chosen_rung; /* the rung that made it */
    bool *stays;                    /* by target: marked to stay by leaving_mark(); NULL: none */
    bool stays_whole;               /* a marked target leaves as a whole or not at all */
    struct decision *said;          /* gets the reasons that hold for every attempt */
    struct allowance *allowance;    /* the part of the last attempt that limits of the run allow */
};

/* --- ladder.c --- */

/* Searches for a decision that does what `move` asks for, and returns the first proposal that is
 * enough, in scratch. The reasons begin with those of `said`, which gets the reasons for every
 * attempt. *ret_allowance gets the part that the limits of the run allow. */
struct proposal *ladder_climb(struct planner *planner, const struct move *move,
                              struct decision *said, struct allowance *ret_allowance);

/* --- ladder_table.c --- */

/* Returns all rungs, question by question, in the order in which they are tried. */
const struct rung *ladder_rungs(size_t *ret_count);
/* Returns the proposal for a question whose rungs were all refused. */
struct proposal *ladder_give_up(struct search *search);

/* --- ladder_flaws.c --- */

/* Returns the names of flaws (1U << flaw), in `arena`, to complete "refused where ...". */
const char *flaws_text(struct arena *arena, uint32_t refused);
/* Returns the first flaw for which the present rung refuses an attempt; NULL: it is enough. */
const char *attempt_refusal(struct search *search, const struct proposal *attempt);

/* --- ladder_limits.c --- */

/* Holds an attempt to cooldowns, quotas and the limits of the run, names its action, and puts the
 * reasons of `said` first. Returns the part that the limits allow. */
struct allowance attempt_hold_to_limits(struct planner *planner, const struct decision *said,
                                        struct proposal *attempt);
/* Completes an attempt of QUESTION_LIMITS: adds its first reasons, and holds it to the limits. */
void limits_complete(struct search *search, struct proposal *attempt);

/* --- ladder_division.c --- */

/* True if the last refused attempt takes stuck replicas away. */
bool division_takes_stuck(struct search *search);
/* Adds the reason why the attempt does not divide anew. */
void division_waits(struct search *search, struct proposal *attempt);
/* Returns the failed attempt to divide anew, since nothing of it can go ahead. */
struct proposal *division_fails(struct search *search);

/* --- ladder_leaving.c --- */

/* Marks the targets that the attempt would leave in part, in `search->stays`. False: none. */
bool leaving_mark(struct search *search, const struct proposal *attempt);
/* True if targets were marked, all of them only because new replicas would spread too wide. */
bool leaving_bars_new(struct search *search);
/* Assumes that the marked targets are not left. */
void leaving_keep(struct search *search, struct assumptions *assumed);
/* Adds the reason why each marked target is not left. */
void leaving_explain(struct search *search, struct proposal *attempt);
/* Adds the reason that new replicas wait for the marked targets to be left. */
void leaving_new_waits(struct search *search, struct proposal *attempt);

/* --- ladder_scale_up.c --- */

/* Returns why not all replicas beyond the assigned ones can be added; NULL: they can. */
const char *scale_up_refusal(struct planner *planner, const struct proposal *attempt);
/* True if an attempt changes nothing since lost replicas may go nowhere yet, but new ones may. */
bool scale_up_is_held(struct search *search, const struct proposal *attempt);
/* True if fewer new replicas than the last refused attempt asked for may have a place. */
bool scale_up_may_shrink(struct search *search);
/* Assumes the number of replicas for which scale_up_may_shrink() found a place. */
void scale_up_shrink(struct search *search, struct assumptions *assumed);
/* Adds how many of the new replicas wait. */
void scale_up_in_part(struct search *search, struct proposal *attempt);
/* True if replicas are lost or stuck. */
bool scale_up_has_taken(struct search *search);
/* True if replicas are lost or stuck, and some targets are to be left. */
bool scale_up_has_leaving(struct search *search);
/* Adds that all new replicas wait. */
void scale_up_waits(struct search *search, struct proposal *attempt);
/* Returns the attempt at all wanted replicas, or at the lost ones, changing nothing. */
struct proposal *scale_up_fails(struct search *search);
/* Counts lost replicas as unplaced in an attempt at new ones. */
void new_only(struct search *search, struct proposal *attempt);
/* Returns the refused attempt, as one that waits for cooldowns. */
struct proposal *new_fails(struct search *search);

/* --- ladder_destinations.c --- */

/* Counts stuck replicas that leave living clusters. Unplaced replicas go back there first. */
int64_t count_stuck(const struct move *move);
/* True if the limits on destinations bound the move. */
bool destinations_are_limited(struct search *search);
/* True if clusters cool down that the move need not heed. */
bool destinations_cool(struct search *search);
/* True if clusters cool down for stuck replicas, but not for other replicas of the move. */
bool destinations_cool_for_stuck(struct search *search);
/* True if clusters cool down, and replicas other than stuck ones may go back there. */
bool destinations_take_back(struct search *search);
/* Assumes that replicas without a place go to clusters that cool down. */
void destinations_go_back(struct search *search, struct assumptions *assumed);
/* True if lost replicas found no place, and may wait for nodes that an autoscaler adds. */
bool destinations_may_grow(struct search *search);
/* Assumes what the chosen attempt does, and new nodes. */
void destinations_grow(struct search *search, struct assumptions *assumed);
/* Counts waiting replicas as replicas without a place. */
void destinations_waiting(struct search *search, struct proposal *attempt);

#endif
