/* SPDX-License-Identifier: Apache-2.0
 *
 * Looking into members, private to this room: which lists (members.c and fit.c
 * decide), of which namespaces (namespaces.c), one list page by page (member_list.c), and the way
 * to a member (reach.c). All of it runs in completions of one engine (probes.c).
 */
#ifndef BALLAST_MEMBERS_PROBE_H
#define BALLAST_MEMBERS_PROBE_H

#include "ballast/kube/kube_engine.h"
#include "ballast/members/members.h"

#define MEMBER_LISTS_MAX 16

/* Namespaces of which lists are wanted: one by one, and of all at once where they are many. */
#define FEW_NAMESPACES 4
struct few_namespaces {
    const char *names[FEW_NAMESPACES];
    unsigned count;
    bool are_too_many;
};
/* Once each; the name is not copied. */
void few_namespaces_add(struct few_namespaces *few, const char *name);
/* Of those that are listed one by one. */
bool few_namespaces_have(const struct few_namespaces *few, const char *name);

/* A collection in a member. */
struct member_resource {
    const char *name;        /* its plural, in paths and in reports */
    const char *group;       /* "/api/v1", "/apis/apps/v1" */
    const char *older_group; /* asked where `group` is not served; NULL: none */
    const char *list_kind;
    int part;     /* enum member_part, or -1 */
    bool is_json; /* the decoder knows no protobuf of it */
};

/* PodDisruptionBudgets */
extern const struct member_resource member_budgets;

enum list_state { LIST_OPEN, LIST_DONE, LIST_FAILED };

/* One list of one member; it lives until all looking is over. */
struct member_list {
    struct member_probe *member;
    const struct member_resource *resource;
    const char *namespace_; /* "": of all */
    bool is_of_ours;        /* of the member's namespaces that are ours, one after the other: */
    size_t at;              /* of them */
    const char *query;      /* selectors, escaped, each with & before it; "" */
    enum list_state state;
    bool is_older;     /* the older group is the one that is served */
    bool is_asked;     /* a page is on its way */
    bool begins_again; /* once that page has come */
    bool is_stalling;  /* the last page was not full, and yet not the last */
    unsigned restarts;
    uint32_t n_taken;               /* objects of the page under way */
    char *token;                    /* of the page on its way, NULL for the first */
    char *version;                  /* of the first page, NULL before */
    char *asked_path, *asked_query; /* of the request */
    struct kube_request request;
    const char *message; /* why it failed */
};

/* Of a member of which some namespaces are somebody else's. */
struct member_namespaces {
    const char **names; /* that are ours */
    size_t count;
    bool are_known; /* else lists are of all */
};

struct member_probe {
    struct member_probes *looking;
    const struct member_address *address;
    struct kube_client *client; /* NULL: no way there yet */
    struct kube_client *own;    /* that client, where it is this member's alone */
    struct kube_config *config; /* of it */
    struct kube_request secret; /* while the Secret is on its way */
    const char *prefix;         /* of paths: the proxy's, or "" */
    const char *proxy_message;  /* why the proxy is not the way; NULL */
    bool has_answered;          /* to anything */
    bool is_lost;               /* it is not asked any more: */
    const char *loss;
    bool has_clock;
    int64_t waited;             /* for its answers, and at work on them, nanoseconds */
    int64_t waited_till;        /* monotonic */
    uint32_t n_pages;           /* full ones that it gave */
    struct byte_budget replies; /* of its answers under way */
    struct byte_budget sure; /* of what is kept of them, whatever others show; and beyond that: */
    struct byte_budget shown;
    struct member_list lists[MEMBER_LISTS_MAX];
    unsigned n_lists;
    unsigned n_begun; /* of them, in order */
    bool has_turn;    /* see struct member_probes */
    struct member_namespaces namespaces;
    bool awaits_namespaces; /* before it is asked for what is in them */
    bool is_followed;       /* it was asked for what its pods lead to */
    bool is_over;           /* nothing more is asked of it */
};

struct member_probes {
    const struct members_look *look;
    const void *context; /* whoever looks */
    struct arena *arena; /* of texts */
    struct fleet_builder *builder;
    struct kube_engine *engine;
    struct kube_client *relay; /* to the control plane, for members and their Secrets */
    struct kube_statistics *requests;
    const char *marked, *unmarked; /* Deployments with hints.marked, in queries; and the others */
    struct member_probe *members;
    size_t n_members;
    struct byte_budget shown; /* by all of them, beyond what each is sure of */
    /* Who looks at each member by itself is told when all that was asked of it is answered, and
     * then it is over with it, or more is asked. So few members have their turn at a time: those
     * that have answered at all. NULL: all have it. */
    void (*answered)(struct member_probe *member);
    unsigned n_turns;
    int64_t until; /* of what is asked now, monotonic; 0: without end */
    struct error stopped;
};

/* Looks with all that it takes: `looking` has what is looked for, its arena and the builder. false
 * with err when the run was stopped. */
bool member_probes_run(struct member_probes *looking, void (*look)(struct member_probes *looking),
                       struct error *err);

/* One more to be begun; there is room for MEMBER_LISTS_MAX. */
void member_add_list(struct member_probe *member, const struct member_resource *resource,
                     const char *namespace_, const char *query);
/* Likewise, of the namespaces that are ours. */
void member_add_list_of_ours(struct member_probe *member, const struct member_resource *wanted,
                             const char *query);
/* One more, that tells which these are; to be settled once all that was begun is answered. Where
 * they are not told, or are too many, lists are of all, and nothing is amiss. */
void member_ask_namespaces(struct member_probe *member);
void member_settle_namespaces(struct member_probe *member);
/* Whether that is what the list is for; then no object of it is the builder's. */
bool member_list_is_of_namespaces(const struct member_list *list);
bool member_take_namespace(struct member_probe *member, const struct value *object,
                           struct error *err);
void member_drop_namespaces(struct member_probe *member);
/* Lists that failed have their parts forgotten, and are told in one line. */
void member_settle_failures(struct member_probe *member);

/* Begins the lists of a member that were not begun; the very first one alone, until it is answered:
 * whether there is anybody. */
void member_begin(struct member_probe *member);
/* All that was asked of it is answered, or never will be. */
bool member_is_looked_into(const struct member_probe *member);
/* It is over with it: what it took of the memory that is shared is given back, and another one has
 * its turn. */
void member_end(struct member_probe *member);
/* Tells whoever watches how many are looked into. */
void member_tell_progress(const struct member_probes *looking);
/* No way there, or nobody: all its open lists fail. */
void member_lose(struct member_probe *member, const char *message);
/* It asks too much of us: nothing that it showed counts. */
void member_disown(struct member_probe *member, const char *message);
/* What a time on the member's clock, just now, says of how far it is off ours. */
void member_take_clock(struct member_probe *member, int64_t date);
/* It has kept us waiting for so long until now; what was counted already is not counted twice. */
void member_count_wait(struct member_probe *member, int64_t took);
/* How long it may still do so. */
int64_t member_time_left(const struct member_probe *member);

/* Asks for the list's first page. */
void member_list_begin(struct member_list *list);
void member_list_fail(struct member_list *list, const char *message);
/* What is asked for is not waited for. */
void member_list_forget(struct member_list *list);
void member_list_release(struct member_list *list);

/* Finds the way, then begins. */
void member_reach(struct member_probe *member);
/* The proxy refused: whether there may be another way. */
bool member_proxy_is_missing(const struct member_probe *member, const struct kube_request *request);
/* Goes there directly from now on. */
void member_reach_directly(struct member_probe *member, const char *why);
void member_leave(struct member_probe *member);

#endif
