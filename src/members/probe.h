/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads members: which lists (members.c and fit.c), of which namespaces (namespaces.c), one list
 * page by page (member_list.c), and the way to a member (reach.c). All of it runs in completions of
 * one engine (probes.c). Private to this room.
 */
#ifndef BALLAST_MEMBERS_PROBE_H
#define BALLAST_MEMBERS_PROBE_H

#include "ballast/kube/kube_engine.h"
#include "ballast/kube/kube_list.h"
#include "ballast/members/members.h"

#define MEMBER_LISTS_MAX 16

/* Namespaces to list: one by one, or all at once if they are too many. */
#define FEW_NAMESPACES 4
struct few_namespaces {
    const char *names[FEW_NAMESPACES];
    unsigned count;
    bool are_too_many;
};
/* Adds a namespace once; beyond FEW_NAMESPACES it sets are_too_many instead. The name is not
 * copied. */
void few_namespaces_add(struct few_namespaces *few, const char *name);
/* True if the namespace is among those that are listed one by one. */
bool few_namespaces_have(const struct few_namespaces *few, const char *name);

/* A collection in a member. */
struct member_resource {
    const char *name;        /* its plural, in paths and in reports */
    const char *group;       /* "/api/v1", "/apis/apps/v1" */
    const char *older_group; /* asked if `group` is not served; NULL: none */
    const char *list_kind;
    int part;     /* enum member_part, or -1 */
    bool is_json; /* the decoder has no protobuf for it: ask for JSON */
};

/* PodDisruptionBudgets */
extern const struct member_resource member_budgets;

enum list_state { LIST_OPEN, LIST_DONE, LIST_FAILED };

/* One list of one member; it lives until all members are read. */
struct member_list {
    struct member_probe *member;
    const struct member_resource *resource;
    const char *namespace_; /* "": all */
    bool is_of_ours;        /* of this shard's namespaces in the member, one after the other */
    size_t at;              /* index of the present namespace */
    const char *query;      /* selectors, escaped, each with & before it; "" */
    enum list_state state;
    bool is_older;                /* the member serves only the older group */
    struct kube_listing *listing; /* of the page on its way, or being taken; NULL: none is */
    bool begins_again;            /* begin again once that page has come */
    bool is_stalling;             /* the page before was not full, and yet not the last */
    unsigned restarts;
    uint32_t n_taken;    /* objects taken of the present page */
    const char *message; /* why it failed */
};

/* This shard's namespaces in a member that shards share. */
struct member_namespaces {
    const char **names; /* of this shard */
    size_t count;
    bool are_known; /* false: lists are of all namespaces */
};

struct member_probe {
    struct member_probes *looking;
    const struct member_address *address;
    struct kube_client *client; /* NULL: no way there yet */
    struct kube_client *own;    /* the same client, if it is this member's alone */
    struct kube_config *config; /* of it */
    struct kube_request secret; /* while the Secret is on its way */
    const char *prefix;         /* of paths: the proxy's, or "" */
    const char *proxy_message;  /* why the proxy does not work; NULL: it does, or was not tried */
    bool has_answered;          /* to some request */
    bool is_lost;               /* given up, because of `loss` */
    const char *loss;
    bool has_clock;
    int64_t waited;             /* nanoseconds of waiting for its responses, and of decoding them */
    int64_t waited_till;        /* monotonic */
    uint32_t n_pages;           /* full pages that it gave */
    struct byte_budget replies; /* bytes of its responses under way */
    struct byte_budget sure;    /* reserved bytes for its objects */
    struct byte_budget shown;
    struct member_list lists[MEMBER_LISTS_MAX];
    unsigned n_lists;
    unsigned n_begun; /* lists that were begun, in order */
    bool has_turn;    /* see struct member_probes */
    struct member_namespaces namespaces;
    bool awaits_namespaces; /* the list of namespaces comes before lists in them */
    bool is_followed;       /* its second lists, which depend on its pods, were added */
    bool is_over;           /* nothing more is asked of it */
};

struct member_probes {
    const struct members_look *look;
    const void *context; /* of the caller of member_probes_run */
    struct arena *arena; /* of texts */
    struct fleet_builder *builder;
    struct kube_engine *engine;
    struct kube_client *relay; /* to the control plane: the proxy, and members' Secrets */
    struct kube_statistics *requests;
    const char *marked, *unmarked; /* queries for Deployments with hints.marked, and without it */
    struct member_probe *members;
    size_t n_members;
    struct byte_budget shown; /* bytes for all members' objects beyond the reserved ones */
    /* Called when all that a member was asked is answered; it calls member_end or asks for more.
     * Then only a few members have a turn at a time, out of those that have answered something.
     * NULL: all have a turn. */
    void (*answered)(struct member_probe *member);
    unsigned n_turns;
    int64_t until; /* deadline of present requests, monotonic; 0: none */
    struct error stopped;
};

/* Prepares a probe for each member, runs `look`, which reads them, and frees the probes. `looking`
 * has the look, the arena, the builder and the statistics. False with err when the run was stopped,
 * or the control plane cannot be asked. */
bool member_probes_run(struct member_probes *looking, void (*look)(struct member_probes *looking),
                       struct error *err);

/* Adds one list to a member, to be begun by member_begin; there may be MEMBER_LISTS_MAX. */
void member_add_list(struct member_probe *member, const struct member_resource *resource,
                     const char *namespace_, const char *query);
/* Adds one list of this shard's namespaces in a member, or of all namespaces if these are not
 * known; to be begun by member_begin. */
void member_add_list_of_ours(struct member_probe *member, const struct member_resource *wanted,
                             const char *query);
/* Adds the list that shows which namespaces of a member are this shard's. Call
 * member_choose_namespaces once it is answered. If they cannot be listed, or are too many, lists
 * are of all namespaces, and that is no failure. */
void member_ask_namespaces(struct member_probe *member);
/* Decides whether lists are of this shard's namespaces or of all, once the list of namespaces is
 * answered. */
void member_choose_namespaces(struct member_probe *member);
/* True if the list is that of member_ask_namespaces; its objects do not go to the builder. */
bool member_list_is_of_namespaces(const struct member_list *list);
/* Takes one object of the list of namespaces, if it is this shard's. False with err: the object is
 * malformed, or this shard has too many. */
bool member_take_namespace(struct member_probe *member, const struct value *object,
                           struct error *err);
/* Drops all namespaces that were taken: their list begins again. */
void member_drop_namespaces(struct member_probe *member);
/* Makes the builder forget the parts of failed lists, and notes them there with the message of the
 * first failure. */
void member_choose_failure(struct member_probe *member);

/* Begins the lists of a member that were not begun. The first list goes alone until it is answered,
 * since the member may be dead. */
void member_begin(struct member_probe *member);
/* True if all that a member was asked is answered, or never will be. */
bool member_is_looked_into(const struct member_probe *member);
/* Ends the reading of a member: gives back the memory that members share, and gives its turn to
 * another member. */
void member_end(struct member_probe *member);
/* Reports how many members are done to the look's progress. */
void member_report_progress(const struct member_probes *looking);
/* Gives a member up, because it cannot be reached or takes too long: all its open lists fail with
 * `message`. */
void member_lose(struct member_probe *member, const char *message);
/* Gives a member up, because it takes more memory than it may: all its lists fail with `message`,
 * also those that are done. */
void member_disown(struct member_probe *member, const char *message);
/* Notes in the builder how far a member's clock is off the control plane's, by `date`, the member's
 * time at this moment. Only the first date counts. */
void member_take_clock(struct member_probe *member, int64_t date);
/* Adds to the time of waiting for a member: the last `took` nanoseconds, without any that were
 * counted before. */
void member_count_wait(struct member_probe *member, int64_t took);
/* Returns the nanoseconds that a member may still take. */
int64_t member_time_left(const struct member_probe *member);

/* Asks for the first page of a list, and drops the walk that is under way. */
void member_list_begin(struct member_list *list);
/* Ends a list as failed. The message is copied. */
void member_list_fail(struct member_list *list, const char *message);
/* Drops the walk that is under way, if there is one. */
void member_list_forget(struct member_list *list);

/* Finds the way to a member, by the proxy or directly, then begins its lists. */
void member_reach(struct member_probe *member);
/* True if the proxy answered a request with a refusal that allows another way to the member. */
bool member_proxy_is_missing(const struct member_probe *member, const struct kube_request *request);
/* Reaches a member directly, with the Secret of its Cluster, and begins its lists again. `why` is
 * the proxy's failure; NULL: the proxy was not tried. */
void member_reach_directly(struct member_probe *member, const char *why);
/* Notes whether the member was reached directly, adds up its requests, and frees its lists, client
 * and configuration. */
void member_leave(struct member_probe *member);

#endif
