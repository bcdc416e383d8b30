/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold of every plan, by name. Each counts how often it had something
 * to say: one that never does is a defect of the worlds.
 */
#ifndef BALLAST_WORLDS_JUDGE_H
#define BALLAST_WORLDS_JUDGE_H

#include "facts.h"

/* id, name, how often at least in 10,000 worlds, what it says. Those of some are met by chance, so
 * the least is well below what they are met. */
#define INVARIANTS(X)                                                                              \
    X(READ, "read", 10000, "every world can be read, without a problem")                           \
    X(SEEN, "seen", 5000, "who was not seen is told, and where that makes a run blind")            \
    X(SUM, "sum", 1200, "divided replicas add up, or a scale-up waits and is counted")             \
    X(COPIES, "copies", 80, "every copy of a duplicated workload has all of its replicas")         \
    X(LEFT_ALONE, "left-alone", 2000, "what is left alone is not changed")                         \
    X(READY_STAYS, "ready-stays", 600, "what is ready in a living cluster stays there")            \
    X(SCALE_DOWN, "scale-down", 100,                                                               \
      "a scale-down ends what is lost or stuck before what is ready")                              \
    X(COPY_STAYS, "copy-stays", 60, "a copy that runs in a living cluster stays")                  \
    X(EVIDENCE, "evidence", 500, "nothing leaves a living cluster without a sign of trouble")      \
    X(GATHERS, "gathers", 3,                                                                       \
      "what is gathered goes to where it is, and from where little of it is")                      \
    X(RETURNS, "returns", 2, "what returns goes where it was when that was lost, and once only")   \
    X(COPIED, "copied", 1, "a copy that is missed is added, and nothing is taken for it")          \
    X(KEEPS, "keeps", 900, "guarded, off, tolerated, Karmada's or just not ready: it is kept")     \
    X(TOLD, "told", 1000, "what is lost is found, and nothing else is told to be")                 \
    X(COUNTED, "counted", 40, "what is lost and for which there is no room is counted as such")    \
    X(STATES, "states", 1000, "each replica is in one state, and those without a place count")     \
    X(GROWTH, "growth", 1, "what waits for nodes was lost, and waits where they may come")         \
    X(NO_LOST_DESTINATION, "no-lost-destination", 1000, "nothing goes where it would be lost")     \
    X(SETTLING, "settling", 25, "a cluster that came back just now gets nothing")                  \
    X(FIT_DESTINATION, "fit-destination", 1000, "nothing goes where a filter refuses it")          \
    X(JOB_PARTS, "job-parts", 1, "the part of a Job that can take no more is given no more")       \
    X(ONE_TERM, "one-term", 100, "what is given is given in one affinity term")                    \
    X(STUCK_HERE, "stuck-here", 400, "a cluster where it is stuck gets no more of it")             \
    X(REPLACED, "replaced", 1,                                                                     \
      "nor does one where its pods end and are replaced, again and again")                         \
    X(CAPACITY, "capacity", 700, "a cluster is given no more than fits")                           \
    X(TOLD_ROOM, "told-room", 40, "a workload is given no more than an estimator says that fit")   \
    X(TIES, "ties", 5, "no more are given than nodes that take one each")                          \
    X(SKEW, "skew", 3, "no more are given than their topology spread leaves")                      \
    X(MEMBER_QUOTA, "member-quota", 2, "no ResourceQuota of a member is exceeded by its pods")     \
    X(VOLUMES, "volumes", 2, "nothing goes where no node has its volumes")                         \
    X(OWN_VOLUMES, "own-volumes", 2, "no node has more volumes made for pods than it can")         \
    X(CLAIMS_STAY, "claims-stay", 100, "what keeps data in claims leaves no living cluster")       \
    X(DISRUPTIONS, "disruptions", 15,                                                              \
      "balance takes what PodDisruptionBudgets leave, and no less")                                \
    X(DOUBTS, "doubts", 5, "nor any of what may be protected, where nobody knows whether it is")   \
    X(QUOTA, "quota", 60, "no quota is exceeded by what is given")                                 \
    X(QUOTA_REFUSES, "quota-refuses", 1, "nothing goes where a quota refuses its namespace")       \
    X(LIMITS, "limits", 2000, "no limit of a run is exceeded")                                     \
    X(TASKS, "tasks", 200, "what leaves a lost cluster leaves a task")                             \
    X(TASK_FIT, "task-fit", 400, "a task is for a target that was left, and there is one only")    \
    X(PATCH, "patch", 1500, "a patch writes what it may, and keeps what it does not know")         \
    X(SAID, "said", 1500, "the report and the patch say the same")                                 \
    X(EVICT, "evict", 20, "in mode Evict nothing is given")                                        \
    X(SPREAD, "spread", 70, "no more clusters than a spread constraint allows")                    \
    X(PREFERENCE, "preference", 40, "nothing is given beyond a preference's maximum")              \
    X(ANTI_MATES, "anti-mates", 8, "workloads that keep apart are not put together")               \
    X(MATES, "mates", 8, "workloads that keep together are not put apart")                         \
    X(COMPONENTS, "components", 60, "a workload of components moves as a whole")                   \
    X(MOVED_ONCE, "moved-once", 20,                                                                \
      "what a part of a reschedule moved does not move again for it")                              \
    X(PARTS, "parts", 20, "what goes of a reschedule in part is remembered on the binding")        \
    X(MEMORY, "memory", 700, "a move is remembered on the binding")                                \
    X(COOLDOWN, "cooldown", 180, "what was moved away a moment ago does not go back")              \
    X(SECOND_RUN, "second-run", 150, "a second run finds nothing to do")                           \
    X(CAUGHT_UP, "caught-up", 120, "nor does one after the members caught up")                     \
    X(BALANCED, "balanced", 80, "runs that balance come to an end")                                \
    X(ORDER, "order", 800, "the order of the input does not matter")                               \
    X(PRIORITIES, "priorities", 800, "priorities of pods change no more than what is said")        \
    X(PREEMPTING, "preempting", 12, "no more would fit by preempting than ever could")             \
    X(SNAPSHOT, "snapshot", 400, "the plan of a snapshot, and of summaries, is the same")          \
    X(EXPLAINED, "explained", 800, "what an explanation tells is what was planned")                \
    X(SIMULATED, "simulated", 250, "a simulated loss is planned as a real one, alone or of many")  \
    X(NUMBERS_AGREE, "numbers-agree", 400, "a number is the same in all formats of a report")      \
    X(UNDO, "undo", 200, "an undo puts back what nobody changed, as it was, and no more")          \
    X(FED_UNDO, "fed-undo", 200, "likewise the numbers of a federated object, and its overrides")  \
    X(COMPARED, "compared", 300,                                                                   \
      "what differs after a run is what its record says, and nothing else does")                   \
    X(DRILLED, "drilled", 800, "a fleet with one trouble ends as is right for that")               \
    X(FED_RUN, "fed-run", 2400, "a silent KubeFed is guarded, and one that schedules is left")     \
    X(FED_WRITE, "fed-write", 400, "of a federated object numbers and its clusters are written")   \
    X(FED_ALONE, "fed-alone", 400, "a federated object that is left alone is not written")         \
    X(FED_PLACED, "fed-placed", 50, "what is wanted and has no cluster is not passed over")        \
    X(FED_DESTINATION, "fed-destination", 300, "more go only where the host and preference allow") \
    X(FED_ROOM, "fed-room", 300, "a member is given no more than its nodes hold, over all")        \
    X(FED_READY, "fed-ready", 400, "what is ready ends by a scale-down alone, and never too much") \
    X(FED_LOST, "fed-lost", 400, "what is written of a lost cluster is as failover.kubefed says")  \
    X(FED_QUIET, "fed-quiet", 50, "a second run writes nothing, nor when members followed")

enum invariant {
#define X(id, name, least, text) INV_##id,
    INVARIANTS(X)
#undef X
        N_INVARIANTS
};

struct invariant_info {
    const char *name, *text;
    int least;
};
extern const struct invariant_info invariant_infos[N_INVARIANTS];

#define COMPLAINTS_MAX 8192

struct judge {
    struct facts facts;
    unsigned long met[N_INVARIANTS]; /* how often each had something to say */
    bool broken[N_INVARIANTS];
    bool any_broken;
    char complaints[COMPLAINTS_MAX];
    size_t length;
};

void judge_met(struct judge *judge, enum invariant invariant);
void judge_fail(struct judge *judge, enum invariant invariant, const struct binding_facts *binding,
                int cluster, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Of a drill's first run. */
void judge_drill(struct judge *judge, const struct world *world, const struct run *run);
/* Its world could be read; false: it has no plan. */
bool judge_read(struct judge *judge, const struct world *world, const struct run *run,
                int64_t later);
/* All that can be told of one run. */
void judge_run(struct judge *judge, const struct world *world, const struct run *run,
               int64_t later);

void judge_moves(struct judge *judge, const struct binding_facts *binding);
/* The cluster is ready, and keeps what the target has. */
bool is_living(const struct judge *judge, const struct target_facts *target, int index);
/* How many an estimator counts as stuck for the threshold, at most, where it is asked; -1: it does
 * not tell. */
int told_stuck(const struct judge *judge, const struct binding_facts *binding, int index);
bool is_told_stuck(const struct judge *judge, const struct binding_facts *binding, int index);
/* What may leave though no pod is stuck, where the configuration asks for it. */
int silent_trouble(const struct judge *judge, const struct binding_facts *binding, int index);
/* It is divided anew for a placement that changed. */
bool is_for_placement(const struct judge *judge, const struct binding_facts *binding);
void judge_counted(struct judge *judge, const struct binding_facts *binding);
void judge_all_states(struct judge *judge, const json_t *report);
/* What moves and what is added, by the splits of all items. */
void judge_totals(struct judge *judge, const json_t *report);
void judge_states(struct judge *judge, const struct binding_facts *binding);
void judge_parts(struct judge *judge, const struct binding_facts *binding);
/* It is changed, the finding Imbalance begins with `wants`, and nothing else is mended of it. */
bool only_balances(const struct judge *judge, const struct binding_facts *binding,
                   const char *wants);
void judge_returning(struct judge *judge, const struct binding_facts *binding);
void judge_copying(struct judge *judge, const struct binding_facts *binding);
/* Replicas of a report's item leave a cluster that its changed placement gives nothing any more. */
bool leaves_for_placement(const struct judge *judge, const json_t *item);
/* What returned with the first run does not go on with the next one. */
void judge_returns_once(struct judge *judge, const struct run *first, const struct run *next);
void judge_destinations(struct judge *judge, const struct binding_facts *binding);
void judge_ended(struct judge *judge, const struct binding_facts *binding);
void judge_writes(struct judge *judge, const struct binding_facts *binding);
void judge_sums(struct judge *judge);
void judge_member_quotas(struct judge *judge);
void judge_ties(struct judge *judge, const struct binding_facts *binding);
void judge_skew(struct judge *judge, const struct binding_facts *binding);
void judge_sight(struct judge *judge);
void judge_volumes(struct judge *judge, const struct binding_facts *binding);
void judge_claims(struct judge *judge, const struct binding_facts *binding);
void judge_preempting(struct judge *judge, const struct binding_facts *binding);
/* Of a claim or a volume; "": none. */
const char *storage_class_of(const json_t *object);
/* Whether a PodDisruptionBudget selects pods of a workload. */
enum protection { PROTECTS_NOT, PROTECTS, PROTECTS_PERHAPS };
enum protection budget_protects(const struct facts *facts, const struct object_facts *budget,
                                const struct binding_facts *binding);
/* What a problem is told of is a budget that is malformed. */
bool is_bad_budget(const struct facts *facts, const char *label);
void judge_doubts(struct judge *judge, const struct binding_facts *binding);
void judge_disruptions(struct judge *judge);
/* What a workload is given there that had its template known. */
int given_by_template(const struct facts *facts, const struct binding_facts *binding, int cluster);

/* In thousandths of a CPU, by the pods that are seen on it; -1: it is no node of that cluster. */
int64_t free_on(const struct facts *facts, int index, const struct object_facts *node);
/* Likewise of a replica, at least: what its template asks for, where the world has that. */
int64_t cpu_asked_for(const struct facts *facts, const struct binding_facts *binding);

/* same.c: the same world otherwise. */
void check_order(struct judge *judge, const struct world *world, const struct run *run,
                 uint64_t seed);
void check_snapshot(struct judge *judge, const struct world *world);
/* One of them, or whether priorities change it, whose turn it is. */
void check_otherwise(struct judge *judge, const struct world *world, const struct run *run,
                     uint64_t seed);

/* compared.c: what differs between the world and what a run made of it. */
void check_compared(const struct world *world, const struct world *after, const struct run *run,
                    struct judge *judge);
/* What explanations of the world tell. */
void check_explained(const struct world *world, struct judge *judge);
/* The numbers of its reports in all formats. */
void check_numbers(const struct world *world, struct judge *judge);

#endif
