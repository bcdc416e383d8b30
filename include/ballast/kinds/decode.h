/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes objects to a fleet. A builder takes the objects in any order and returns a sorted,
 * immutable fleet.
 */
#ifndef BALLAST_KINDS_DECODE_H
#define BALLAST_KINDS_DECODE_H

#include "ballast/format/stream.h"
#include "ballast/format/value.h"
#include "ballast/model/fleet.h"

struct fleet_builder;

/* The members whose objects the builder takes. The builder ignores objects of other members. */
struct member_choice {
    bool (*has)(const void *context, const char *member); /* NULL: all members */
    const void *context;
    /* The namespaces whose objects are taken; "": objects in none. NULL: all namespaces. */
    bool (*has_namespace)(const void *context, const char *member, const char *namespace_);
    /* True if the choice leaves out some namespace of the member. NULL: never. */
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

/* The caller's choice of a control plane and of members. */
struct fleet_expectation {
    enum platform platform;        /* AUTO: the platform that has clusters; an error if both have */
    const char *kubefed_namespace; /* of KubeFed's control plane; "" or NULL: that of its objects */
    bool keeps_pods; /* keep settled pods and unreadable workloads: KubeFed's own scheduler reads
                        both */
    struct member_choice choice; /* in other namespaces of a chosen member, the builder notes only
                                    that it saw an object of the kind */
};

/* Returns a builder of a new fleet, to be freed with fleet_builder_free. */
struct fleet_builder *fleet_builder_new(void);
/* Sets the expectation. Call before the fleet is finished; kubefed_namespace stays the caller's and
 * lives until then. */
void fleet_builder_expect(struct fleet_builder *builder, struct fleet_expectation expectation);
/* Frees a builder, and its fleet unless finished. NULL is fine. */
void fleet_builder_free(struct fleet_builder *builder);

/* The source of an object. */
struct object_origin {
    const char *file;   /* for messages; "": no file */
    size_t line;        /* 0: unknown */
    const char *member; /* the member that has the object; "": the control plane, unless the
                           annotation resource.karmada.io/cached-from-cluster names a member */
    uint32_t source;    /* kept in struct binding.source */
    bool is_strict; /* a bad object gives ADD_FAILED instead of ADD_SKIPPED, and no problem of the
                       fleet: the caller distrusts the whole source */
    bool is_told; /* a bad object gives ADD_SKIPPED with err, and no problem of the fleet: its first
                     reader reported it */
};

enum add_result {
    ADD_TAKEN,
    ADD_COUNTED, /* taken, but only sums of it are kept; only a tap gets this */
    ADD_IGNORED, /* a kind that no decision needs */
    ADD_SKIPPED, /* bad, or a duplicate: noted as a problem, the run goes on */
    ADD_UNREAD,  /* bad, and noted as a problem, but its owner is known */
    ADD_FAILED,  /* bad, and no decision is possible without it (a Cluster); with err */
};

/* Decodes one object of any kind. list_api_version and list_kind count where the object lacks its
 * own. Keeps no values. After ADD_FAILED of a strict origin the builder is as if the object had not
 * come. */
enum add_result fleet_builder_add(struct fleet_builder *builder, const struct value *object,
                                  const char *list_api_version, const char *list_kind,
                                  const struct object_origin *origin, struct error *err);
/* Takes the labels of a workload of that kind; `object` may have nothing but its metadata. False
 * with err: the labels cannot be read. fleet_builder_add itself takes the labels of resource
 * templates in a fleet of files. */
bool fleet_builder_add_labels(struct fleet_builder *builder, const struct value *object,
                              const char *api_version, const char *kind, struct error *err);
/* Sets the place of the next object among all that is read. Problems of members are sorted by
 * place, since several processes may find them. */
void fleet_builder_at(struct fleet_builder *builder, uint64_t place);
/* Returns the namespace of an object; "": none. */
const char *fleet_object_namespace(const struct value *object, const char *kind);
/* True if a member's objects of that namespace are taken ("": objects in none). */
bool fleet_builder_takes(const struct fleet_builder *builder, const char *member,
                         const char *namespace_);
/* True if some namespace of a member is left out. */
bool fleet_builder_is_narrow(const struct fleet_builder *builder, const char *member);
/* True if a member's object need not be read beyond its kind and `metadata`, since the builder does
 * not take it. `member` "": the object names its member itself. */
bool fleet_builder_passes(const struct fleet_builder *builder, const char *member,
                          const struct wanted_of *object, const struct value *metadata);
/* Notes a problem that the caller found, for example a file that cannot be parsed. `member` has the
 * object; "": the control plane. The texts are copied. */
void fleet_builder_problem(struct fleet_builder *builder, const char *member, const char *object,
                           const char *message);
/* Notes that the control plane gave no objects of a kind, and why. */
void fleet_builder_unread(struct fleet_builder *builder, const char *kind, const char *message);
/* A list of a member. */
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
/* Notes that a list of a member was read, even if it is empty. */
void fleet_builder_saw(struct fleet_builder *builder, const char *member, enum member_part part);
/* Drops a member's list: one that was not read whole counts as unknown. */
void fleet_builder_forget(struct fleet_builder *builder, const char *member, enum member_part part);

/* Notes that a pod of a member cannot be read, and its owner is unknown. The fleet then knows no
 * pods of the member. `which`: the pod's place, for a message. */
void fleet_builder_lose_pod(struct fleet_builder *builder, const char *member, const char *which);

/* Tells the tap that a list of a member has ended. More lists may follow. */
void fleet_builder_listed(struct fleet_builder *builder, const char *member);
/* Notes that no more objects of a member come. If only the tap wants them, frees all objects taken
 * of the member. */
void fleet_builder_over(struct fleet_builder *builder, const char *member);

/* Begins the objects of one member: until fleet_builder_close, the caller adds only that member's.
 * The builder keeps indices of names only meanwhile, and so for one member at a time. */
void fleet_builder_open(struct fleet_builder *builder);
/* Ends the objects of a member that fleet_builder_open began, and frees the indices of its names.
 * Afterwards only estimators' answers may come for the member. */
void fleet_builder_close(struct fleet_builder *builder, const char *member);

/* Notes which parts of a member could not be read, and why. Call once for each member. The texts
 * are copied. */
void fleet_builder_miss(struct fleet_builder *builder, const char *member, const char *parts,
                        const char *message);

/* Notes that Ballast reached the member's own API server, not the control plane's proxy. */
void fleet_builder_direct(struct fleet_builder *builder, const char *member);
/* Notes that a member's clock is `offset` nanoseconds ahead of the control plane's. The builder
 * sets the times of the member's objects back by `offset`: the whole fleet then has one clock. */
void fleet_builder_clock(struct fleet_builder *builder, const char *member, int64_t offset);

/* An object for a tap. The apiVersion and kind may come from the object's list. */
struct fleet_object {
    const struct value *value;
    const char *api_version, *kind;
    const char *member; /* "": the control plane */
    enum add_result result;
};

/* Receives all objects that a fleet is built of, in the order taken. Arguments live only during the
 * call. */
struct fleet_tap {
    void *context;
    void (*begin)(void *context); /* a reading begins, or begins again: everything before is void */
    void (*object)(void *context, const struct fleet_object *object); /* also a bad object */
    void (*saw)(void *context, const char *member, enum member_part part);
    void (*forget)(void *context, const char *member, enum member_part part);
    /* NULL: not wanted */
    void (*listed)(void *context, const char *member);
    void (*problem)(void *context, const char *member, uint64_t place, const char *object,
                    const char *message);
    /* No more objects of the member come; `builder` has all that was taken. NULL: not wanted. */
    void (*over)(void *context, const char *member, const struct fleet_builder *builder);
    bool is_alone; /* only the tap wants members' objects: the fleet has none */
};
/* Hands every object to `tap`, which outlives the builder. Call before adding anything. NULL: no
 * tap. */
void fleet_builder_tap(struct fleet_builder *builder, const struct fleet_tap *tap);

/* A wanted_chooser (format/wanted.h) whose context is the builder. Returns the fields that the
 * builder and its tap read of an object; NULL: all. For streams of objects to add, which end before
 * the builder. */
const struct wanted *fleet_builder_wanted(void *for_builder, const struct wanted_of *object);

/* Returns the name of a cluster taken so far from the expected control plane, in no order; NULL
 * behind the last index. */
const char *fleet_builder_cluster(const struct fleet_builder *builder, size_t index);

/* Returns a member's pods that were taken so far and are not settled, in no order. *ret_count is
 * their number. The pods live until more is added. */
const struct pod *fleet_builder_pods(struct fleet_builder *builder, const char *member,
                                     uint32_t *ret_count);
/* Returns a member's settled pods that were taken so far, in no order. *ret_count is their number.
 * The pods live until more is added. */
const struct settled_pods *fleet_builder_settled(struct fleet_builder *builder, const char *member,
                                                 uint32_t *ret_count);

/* Returns roughly the bytes in use by everything that one more object of a member may add to: a
 * caller measures the cost of an object by it. */
size_t fleet_builder_footprint(struct fleet_builder *builder, const char *member);

/* Returns the fleet, to be freed with fleet_free. The builder is used up; free it all the same.
 * NULL with err: there is no Cluster, a Cluster was bad, or the control plane is ambiguous. */
struct fleet *fleet_builder_finish(struct fleet_builder *builder, int64_t captured_at,
                                   struct error *err);

/* Returns a builder that adds to a finished fleet, in its memory: FederatedResourceQuotas, or pod
 * templates and members' objects that no pod leads to; nothing else. End it with
 * fleet_builder_end_again or fleet_builder_end_templates. */
struct fleet_builder *fleet_builder_again(struct fleet *fleet);
/* Hands everything that is added to a finished fleet to `tap`, without beginning a new reading.
 * NULL: no tap. */
void fleet_builder_tap_again(struct fleet_builder *builder, const struct fleet_tap *tap);
/* Frees a builder of fleet_builder_again. `joins`: its quotas and problems become the fleet's. */
void fleet_builder_end_again(struct fleet_builder *builder, bool joins);

/* Takes the pod template of a workload, which its binding lacks. False with err: the object has no
 * template, or an unreadable one. */
bool fleet_builder_add_template(struct fleet_builder *builder, const struct value *object,
                                const char *api_version, const char *kind, struct error *err);
/* Notes that some pod templates of a kind were not read, and why; once for each kind. */
void fleet_builder_miss_templates(struct fleet_builder *builder, const struct unseen_templates *of);
/* Returns the pod template of a binding's workload, taken by the builder or with the fleet; NULL:
 * none. */
const struct pod_template *fleet_builder_template(struct fleet_builder *builder,
                                                  const struct binding *binding);
/* Frees a builder of fleet_builder_again. Its templates, its problems, and the objects and gaps of
 * its members become the fleet's. */
void fleet_builder_end_templates(struct fleet_builder *builder);

#define FEDERATED_API "types.kubefed.io/v1beta1" /* unless a FederatedTypeConfig names another */
/* Returns the plural of a federated kind in paths, in `arena`: `plural`, or the plural by KubeFed's
 * rule if that is "". */
const char *federated_plural(struct arena *arena, const char *kind, const char *plural);

/* Decodes a KubeFed binding that was read again: the federated object, and its preference (NULL: it
 * has none). The result is in the memory of the finished fleet, whose own array stays unchanged.
 * NULL with err on a bad object. */
const struct binding *fleet_decode_federated(struct fleet *fleet, const struct value *object,
                                             const struct value *preference,
                                             const struct binding *before, uint32_t source,
                                             struct error *err);

/* Decodes a binding that was read again, into the memory of a finished fleet, whose own array stays
 * unchanged. Its placement and requirements get new ids: n_placements and n_requirements grow.
 * `kind` is for an item of a list, which has no kind. NULL with err on a bad object. */
const struct binding *fleet_decode_binding(struct fleet *fleet, const struct value *v,
                                           enum binding_kind kind, uint32_t source,
                                           struct error *err);

/* Returns when the holder of a Lease (coordination.k8s.io/v1) renewed it; TIME_NONE: the Lease has
 * no holder, or no valid time. */
int64_t decode_lease_renewed(const struct value *lease);

/* Returns the purge modes that eviction tasks may have, as PURGE_MODE_BITs, from an OpenAPI v3
 * document of work.karmada.io/v1alpha2; 0: the document does not list them. */
uint32_t decode_purge_modes(const struct value *openapi);
/* Appends a CustomResourceDefinition of ResourceBindings that lists only these purge modes. */
void purge_modes_encode(uint32_t modes, struct buf *out);

#endif
