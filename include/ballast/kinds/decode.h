/* SPDX-License-Identifier: Apache-2.0
 *
 * From objects to a fleet: the one place that knows Kubernetes' field names. A
 * builder takes the objects in any order and gives a sorted, immutable fleet.
 */
#ifndef BALLAST_KINDS_DECODE_H
#define BALLAST_KINDS_DECODE_H

#include "ballast/format/stream.h"
#include "ballast/format/value.h"
#include "ballast/model/fleet.h"

struct fleet_builder;

/* Members of which something is to be known; the others are passed over as if they had not been
 * there. */
struct member_choice {
    bool (*has)(const void *context, const char *member); /* NULL: all of them */
    const void *context;
    /* Of such a member, the objects of which namespaces; "" stands for those that are in none.
     * NULL: all of them. */
    bool (*has_namespace)(const void *context, const char *member, const char *namespace_);
    /* Whether that leaves out any. NULL: of no member. */
    bool (*is_narrow)(const void *context, const char *member);
};
static inline bool
member_choice_has(const struct member_choice *choice, const char *member)
{
    return choice->has == NULL || choice->has(choice->context, member);
}
static inline bool
member_choice_has_namespace(const struct member_choice *choice, const char *member,
                            const char *namespace_)
{
    return choice->has_namespace == NULL ||
           choice->has_namespace(choice->context, member, namespace_);
}

/* What a fleet is to be of. */
struct fleet_expectation {
    enum platform platform;        /* AUTO: whichever has clusters; both is an error */
    const char *kubefed_namespace; /* of KubeFed's control plane; "" or NULL: as its objects tell */
    bool keeps_pods; /* settled pods, too, and workloads that cannot be read, as KubeFed's own
                        scheduler looks at both */
    struct member_choice choice; /* the members whose objects are taken, where one file has all of
                                    a fleet; and wherever they are, the objects of which of their
                                    namespaces: of the others is known that they are there */
};

struct fleet_builder *fleet_builder_new(void);
/* To be called before the fleet is finished; the text is the caller's and must live until then. */
void fleet_builder_expect(struct fleet_builder *builder, struct fleet_expectation expectation);
void fleet_builder_free(struct fleet_builder *builder); /* NULL is fine */

/* Where an object came from. */
struct object_origin {
    const char *file;   /* for messages; "" when not from a file */
    size_t line;        /* 0 when unknown */
    const char *member; /* the member cluster whose object it is; "" for the control plane, unless
                           the annotation resource.karmada.io/cached-from-cluster says otherwise */
    uint32_t source;    /* kept in struct binding.source */
    bool is_strict;     /* what would be ADD_SKIPPED is ADD_FAILED and no problem of the fleet's:
                           whoever answered so is not believed */
    bool is_told;       /* what is ADD_SKIPPED is no problem of the fleet's either: whoever read it
                           first told it; err says why it is skipped */
};

enum add_result {
    ADD_TAKEN,
    ADD_COUNTED, /* taken, and nothing is kept of it but sums: said to a tap alone */
    ADD_IGNORED, /* a kind that no decision needs */
    ADD_SKIPPED, /* bad, or a duplicate: recorded as a problem, the run goes on */
    ADD_UNREAD,  /* likewise bad, but it is known to be there, and whose it is */
    ADD_FAILED,  /* bad, and nothing can be decided without it (a Cluster): err says why */
};

/* Decodes one object of any kind. Values are not kept. After ADD_FAILED of a strict origin the
 * builder goes on as if the object had not been there. */
enum add_result fleet_builder_add(struct fleet_builder *builder, const struct value *object,
                                  const char *list_api_version, const char *list_kind,
                                  const struct object_origin *origin, struct error *err);
/* Takes the labels of a workload of that kind; `object` may have nothing but its metadata. false
 * with err: they cannot be read. Those of resource templates that a fleet in files has are taken
 * by fleet_builder_add. */
bool fleet_builder_add_labels(struct fleet_builder *builder, const struct value *object,
                              const char *api_version, const char *kind, struct error *err);
/* Where in all that is read the object stands that comes next: by it the problems of a member are
 * put in order, which several processes may have found. */
void fleet_builder_at(struct fleet_builder *builder, uint64_t place);
/* The namespace whose object it is; "" in none. */
const char *fleet_object_namespace(const struct value *object, const char *kind);
/* Whether a member's objects of a namespace are taken; "": those of none. */
bool fleet_builder_takes(const struct fleet_builder *builder, const char *member,
                         const char *namespace_);
/* Whether there may be some of which they are not. */
bool fleet_builder_is_narrow(const struct fleet_builder *builder, const char *member);
/* Whether of a member's object ("": of the one that it says itself) nothing more need be read than
 * what it says of its kind and in `metadata`: it is not taken. */
bool fleet_builder_passes(const struct fleet_builder *builder, const char *member,
                          const struct wanted_of *object, const struct value *metadata);
/* Records a problem found outside (a file that cannot be parsed, ...); `member` is whose object it
 * is, "" in the control plane. */
void fleet_builder_problem(struct fleet_builder *builder, const char *member, const char *object,
                           const char *message);
/* Notes that the control plane gave no objects of a kind, and why. */
void fleet_builder_unread(struct fleet_builder *builder, const char *kind, const char *message);
/* Marks what was looked at in a member even where it holds nothing (an empty pods list). */
enum member_part {
    MEMBER_PODS,
    MEMBER_NODES,
    MEMBER_REPLICA_SETS,
    MEMBER_DEPLOYMENTS,
    MEMBER_STATEFUL_SETS,
    MEMBER_JOBS,
    /* no pod leads to these: */
    MEMBER_LIMIT_RANGES,
    MEMBER_RESOURCE_QUOTAS,
    MEMBER_CLAIMS,
    MEMBER_VOLUMES,
    MEMBER_STORAGE_CLASSES,
    MEMBER_CSI_NODES,
    MEMBER_DISRUPTION_BUDGETS,
    N_MEMBER_PARTS
};
void fleet_builder_saw(struct fleet_builder *builder, const char *member, enum member_part part);
/* Drops what was taken of it: it was not seen whole, so it counts as unknown. */
void fleet_builder_forget(struct fleet_builder *builder, const char *member, enum member_part part);

/* A pod of it cannot be read, and nobody knows whose it is: none of its pods are known. `which`
 * says where it stands. */
void fleet_builder_lose_pod(struct fleet_builder *builder, const char *member, const char *which);

/* Says that a list of a member is over: there may be more of it, but not at once. */
void fleet_builder_listed(struct fleet_builder *builder, const char *member);
/* Says that nothing more of a member's objects comes: where nobody but the tap wants them, all that
 * was taken of them is let go of. */
void fleet_builder_over(struct fleet_builder *builder, const char *member);

/* Between these two all that is added is of one member, and behind them nothing more of it is but
 * estimators' answers: so what names are found again by, and second objects of a name, goes with
 * the member, and is not there for all of them at once. */
void fleet_builder_open(struct fleet_builder *builder);
void fleet_builder_close(struct fleet_builder *builder, const char *member);

/* Says what of a member could not be seen, and why: once a member. The texts are copied. */
void fleet_builder_miss(struct fleet_builder *builder, const char *member, const char *parts,
                        const char *message);

/* Ballast reached the member's own server, and not the control plane's proxy. */
void fleet_builder_direct(struct fleet_builder *builder, const char *member);
/* The member's clock is ahead of the control plane's by so much: the times of its objects are set
 * back by it, so that all of the fleet is of one clock. */
void fleet_builder_clock(struct fleet_builder *builder, const char *member, int64_t offset);

/* An object that a fleet is built of, with what only its list says of it. */
struct fleet_object {
    const struct value *value;
    const char *api_version, *kind;
    const char *member; /* "" in the control plane */
    enum add_result result;
};

/* Is told all that a fleet is built of, in the order in which it is taken; what it is given lives
 * only during the call. */
struct fleet_tap {
    void *context;
    void (*begin)(void *context); /* a reading begins (anew): what was told before is void */
    void (*object)(void *context, const struct fleet_object *object); /* also a bad one */
    void (*saw)(void *context, const char *member, enum member_part part);
    void (*forget)(void *context, const char *member, enum member_part part);
    /* NULL: nobody wants to know */
    void (*listed)(void *context, const char *member);
    void (*problem)(void *context, const char *member, uint64_t place, const char *object,
                    const char *message);
    /* Nothing more comes of the member; `builder` has what was taken of it. NULL: likewise. */
    void (*over)(void *context, const char *member, const struct fleet_builder *builder);
    bool is_alone; /* nobody else wants what members show: the fleet has none of it */
};
/* To be called before anything is added; `tap` outlives the builder. NULL is fine. */
void fleet_builder_tap(struct fleet_builder *builder, const struct fleet_tap *tap);

/* A wanted_chooser (format/wanted.h), its context the builder: what the builder and its tap read of
 * an object. For streams whose objects are added, and that end before the builder does. */
const struct wanted *fleet_builder_wanted(void *for_builder, const struct wanted_of *object);

/* The clusters that were taken so far, of whichever control plane is expected, in no order; NULL
 * behind the last. */
const char *fleet_builder_cluster(const struct fleet_builder *builder, size_t index);

/* What was taken so far of a member's pods, in no order; valid until more is: those that are not
 * settled, and those that are. */
const struct pod *fleet_builder_pods(struct fleet_builder *builder, const char *member,
                                     uint32_t *ret_count);
const struct settled_pods *fleet_builder_settled(struct fleet_builder *builder, const char *member,
                                                 uint32_t *ret_count);

/* Bytes that all that was taken takes, about, as far as what a member shows may add to it: to tell
 * what one more object of that member costs. */
size_t fleet_builder_footprint(struct fleet_builder *builder, const char *member);

/* The fleet; the builder is used up (free it all the same). NULL with err when there is no
 * Cluster, or a Cluster was bad. */
struct fleet *fleet_builder_finish(struct fleet_builder *builder, int64_t captured_at,
                                   struct error *err);

/* For what is read once the fleet is finished: FederatedResourceQuotas, or pod templates and what
 * members have beside workloads; nothing else. What they are decoded to is the fleet's memory. */
struct fleet_builder *fleet_builder_again(struct fleet *fleet);
/* Whoever listened to the reading is told this, too. NULL is fine. */
void fleet_builder_tap_again(struct fleet_builder *builder, const struct fleet_tap *tap);
/* Frees it. `joins`: the fleet has these quotas then, and the problems that came with them. */
void fleet_builder_end_again(struct fleet_builder *builder, bool joins);

/* Takes the pod template of a workload, which its binding says nothing of. false with err: it has
 * none, or none that can be read. */
bool fleet_builder_add_template(struct fleet_builder *builder, const struct value *object,
                                const char *api_version, const char *kind, struct error *err);
/* Some of a kind are not seen, and why; once a kind. */
void fleet_builder_miss_templates(struct fleet_builder *builder, const struct unseen_templates *of);
/* What was taken of a binding's workload, now or with the fleet; NULL: nothing. */
const struct pod_template *fleet_builder_template(struct fleet_builder *builder,
                                                  const struct binding *binding);
/* Frees it. The fleet itself has the templates then, what was taken of members, and what of them
 * was not seen. */
void fleet_builder_end_templates(struct fleet_builder *builder);

#define FEDERATED_API "types.kubefed.io/v1beta1" /* where a FederatedTypeConfig says no other */
/* What a federated kind is called in paths: `plural`, and where that is "" by KubeFed's rule. */
const char *federated_plural(struct arena *arena, const char *kind, const char *plural);

/* One more reading of a binding of KubeFed's, likewise: the federated object, and its preference
 * (NULL: it has none any more). */
const struct binding *fleet_decode_federated(struct fleet *fleet, const struct value *object,
                                             const struct value *preference,
                                             const struct binding *before, uint32_t source,
                                             struct error *err);

/* One more reading of a binding, into the memory of a finished fleet, which keeps its own array as
 * it is. Its placement and requirements get ids of their own: n_placements and n_requirements grow.
 * `kind` is what the object does not say itself (an item of an API server's list); NULL with err on
 * a bad object. */
const struct binding *fleet_decode_binding(struct fleet *fleet, const struct value *v,
                                           enum binding_kind kind, uint32_t source,
                                           struct error *err);

/* When whoever holds a Lease (coordination.k8s.io/v1) renewed it; TIME_NONE when nobody does. */
int64_t decode_lease_renewed(const struct value *lease);

/* The purge modes that eviction tasks may have, by PURGE_MODE_BIT, by an OpenAPI v3 document of
 * work.karmada.io/v1alpha2; 0: it does not say. */
uint32_t decode_purge_modes(const struct value *openapi);
/* Appends the CustomResourceDefinition of a ResourceBinding, as far as it says which they are. */
void purge_modes_encode(uint32_t modes, struct buf *out);

#endif
