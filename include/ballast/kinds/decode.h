/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes objects to a fleet: the one place that knows Kubernetes' field names. A builder takes the
 * objects in any order and returns a sorted, immutable fleet.
 */
#ifndef BALLAST_KINDS_DECODE_H
#define BALLAST_KINDS_DECODE_H

#include "ballast/format/stream.h"
#include "ballast/format/value.h"
#include "ballast/model/fleet.h"

struct fleet_builder;

/* The members whose objects are taken; those of other members are ignored. */
struct member_choice {
    bool (*has)(const void *context, const char *member); /* NULL: all members */
    const void *context;
    /* The namespaces whose objects are taken; "": objects in none. NULL: all namespaces. */
    bool (*has_namespace)(const void *context, const char *member, const char *namespace_);
    /* True if some namespace of the member is left out. NULL: never. */
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

/* What the builder takes, and expects. */
struct fleet_expectation {
    enum platform platform;        /* AUTO: the one that has clusters; both is an error */
    const char *kubefed_namespace; /* of KubeFed's control plane; "" or NULL: that of its objects */
    bool keeps_pods; /* keep settled pods, and workloads that cannot be read: KubeFed's own
                        scheduler looks at both */
    struct member_choice choice; /* whose objects are taken; of an object in another namespace of
                                    such a member only its presence is noted */
};

/* Returns a builder of a new fleet, to be freed with fleet_builder_free. */
struct fleet_builder *fleet_builder_new(void);
/* Says what the builder takes. Call before the fleet is finished; kubefed_namespace is the caller's
 * and lives until then. */
void fleet_builder_expect(struct fleet_builder *builder, struct fleet_expectation expectation);
/* Frees a builder, and its fleet unless that was finished. NULL is fine. */
void fleet_builder_free(struct fleet_builder *builder);

/* Where an object came from. */
struct object_origin {
    const char *file;   /* for messages; "" when not from a file */
    size_t line;        /* 0 when unknown */
    const char *member; /* the member that has the object; "": the control plane, unless the
                           annotation resource.karmada.io/cached-from-cluster names a member */
    uint32_t source;    /* kept in struct binding.source */
    bool is_strict;     /* a bad object is ADD_FAILED instead of ADD_SKIPPED, and no problem of the
                           fleet: its whole source is distrusted */
    bool is_told; /* a bad object is ADD_SKIPPED with err, and no problem of the fleet: its first
                     reader reported it */
};

enum add_result {
    ADD_TAKEN,
    ADD_COUNTED, /* taken, but only sums of it are kept; only a tap gets this */
    ADD_IGNORED, /* a kind that no decision needs */
    ADD_SKIPPED, /* bad, or a duplicate: noted as a problem, the run goes on */
    ADD_UNREAD,  /* bad, and noted as a problem, but its owner is known */
    ADD_FAILED,  /* bad, and nothing can be decided without it (a Cluster); with err */
};

/* Decodes one object of any kind; list_api_version and list_kind count where it does not have its
 * own. Keeps no values. After ADD_FAILED of a strict origin the builder goes on as if the object
 * had not come. */
enum add_result fleet_builder_add(struct fleet_builder *builder, const struct value *object,
                                  const char *list_api_version, const char *list_kind,
                                  const struct object_origin *origin, struct error *err);
/* Takes the labels of a workload of that kind; `object` may have nothing but its metadata. False
 * with err: they cannot be read. Labels of resource templates in a fleet of files are taken by
 * fleet_builder_add. */
bool fleet_builder_add_labels(struct fleet_builder *builder, const struct value *object,
                              const char *api_version, const char *kind, struct error *err);
/* Sets the place of the next object in all that is read: problems of members are sorted by place,
 * since several processes may find them. */
void fleet_builder_at(struct fleet_builder *builder, uint64_t place);
/* Returns the namespace of an object; "": none. */
const char *fleet_object_namespace(const struct value *object, const char *kind);
/* True if a member's objects of that namespace are taken ("": objects in none). */
bool fleet_builder_takes(const struct fleet_builder *builder, const char *member,
                         const char *namespace_);
/* True if some namespace of a member is left out. */
bool fleet_builder_is_narrow(const struct fleet_builder *builder, const char *member);
/* True if a member's object need not be read beyond its kind and `metadata`, since it is not taken.
 * `member` "": the object names its member itself. */
bool fleet_builder_passes(const struct fleet_builder *builder, const char *member,
                          const struct wanted_of *object, const struct value *metadata);
/* Notes a problem that the caller found, such as a file that cannot be parsed. `member` has the
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
    /* these belong to no pod: */
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
/* Drops all that was taken of a member's list: it was not read whole, so it counts as unknown. */
void fleet_builder_forget(struct fleet_builder *builder, const char *member, enum member_part part);

/* Notes that a pod of a member cannot be read, so that nobody knows its owner: none of the member's
 * pods are known then. `which` says where the pod stands. */
void fleet_builder_lose_pod(struct fleet_builder *builder, const char *member, const char *which);

/* Tells the tap that a list of a member has ended; another may follow after a while. */
void fleet_builder_listed(struct fleet_builder *builder, const char *member);
/* Notes that no more objects of a member come. If only the tap wants them, frees all that was taken
 * of the member. */
void fleet_builder_over(struct fleet_builder *builder, const char *member);

/* Begins the objects of one member: until fleet_builder_close, all that is added is of that member.
 * Indices of names are kept only meanwhile, and not for all members at once. */
void fleet_builder_open(struct fleet_builder *builder);
/* Ends the objects of a member that fleet_builder_open began, and frees the indices of its names.
 * Afterwards nothing more of it comes but estimators' answers. */
void fleet_builder_close(struct fleet_builder *builder, const char *member);

/* Notes which parts of a member could not be read, and why; once for each member. The texts are
 * copied. */
void fleet_builder_miss(struct fleet_builder *builder, const char *member, const char *parts,
                        const char *message);

/* Notes that Ballast reached the member's own server, not the control plane's proxy. */
void fleet_builder_direct(struct fleet_builder *builder, const char *member);
/* Notes that a member's clock is `offset` nanoseconds ahead of the control plane's. The times of
 * its objects are set back by that, so that the whole fleet has one clock. */
void fleet_builder_clock(struct fleet_builder *builder, const char *member, int64_t offset);

/* An object as a tap gets it, with facts that only its list has. */
struct fleet_object {
    const struct value *value;
    const char *api_version, *kind;
    const char *member; /* "": the control plane */
    enum add_result result;
};

/* Gets all that a fleet is built of, in the order in which it is taken. Arguments live only during
 * the call. */
struct fleet_tap {
    void *context;
    void (*begin)(void *context); /* a reading begins (again): all before is void */
    void (*object)(void *context, const struct fleet_object *object); /* also a bad one */
    void (*saw)(void *context, const char *member, enum member_part part);
    void (*forget)(void *context, const char *member, enum member_part part);
    /* NULL: not wanted */
    void (*listed)(void *context, const char *member);
    void (*problem)(void *context, const char *member, uint64_t place, const char *object,
                    const char *message);
    /* The member is over; `builder` has all that was taken of it. NULL: not wanted. */
    void (*over)(void *context, const char *member, const struct fleet_builder *builder);
    bool is_alone; /* only the tap wants members' objects: the fleet has none */
};
/* Gives all that is built to `tap`, which outlives the builder. Call before anything is added.
 * NULL: none. */
void fleet_builder_tap(struct fleet_builder *builder, const struct fleet_tap *tap);

/* A wanted_chooser (format/wanted.h), its context the builder: returns the fields that the builder
 * and its tap read of an object; NULL: all. For streams of objects to add, which end before the
 * builder. */
const struct wanted *fleet_builder_wanted(void *for_builder, const struct wanted_of *object);

/* Returns the name of a cluster that was taken so far, of the control plane that is expected, in no
 * order; NULL behind the last index. */
const char *fleet_builder_cluster(const struct fleet_builder *builder, size_t index);

/* Returns a member's pods that were taken so far and are not settled, in no order. *ret_count is
 * their number. They live until more is added. */
const struct pod *fleet_builder_pods(struct fleet_builder *builder, const char *member,
                                     uint32_t *ret_count);
/* Returns a member's settled pods that were taken so far, in no order. *ret_count is their number.
 * They live until more is added. */
const struct settled_pods *fleet_builder_settled(struct fleet_builder *builder, const char *member,
                                                 uint32_t *ret_count);

/* Returns about how many bytes are in use by all that one more object of a member may add to: to
 * measure the cost of an object. */
size_t fleet_builder_footprint(struct fleet_builder *builder, const char *member);

/* Returns the fleet, to be freed with fleet_free. The builder is used up; free it all the same.
 * NULL with err when there is no Cluster, or a Cluster was bad. */
struct fleet *fleet_builder_finish(struct fleet_builder *builder, int64_t captured_at,
                                   struct error *err);

/* Returns a builder that adds to a finished fleet, in its memory: FederatedResourceQuotas, or pod
 * templates and members' objects beside workloads; nothing else. End it with
 * fleet_builder_end_again or fleet_builder_end_templates. */
struct fleet_builder *fleet_builder_again(struct fleet *fleet);
/* Gives all that is added to a finished fleet to `tap`, without beginning a new reading. NULL:
 * none. */
void fleet_builder_tap_again(struct fleet_builder *builder, const struct fleet_tap *tap);
/* Frees a builder of fleet_builder_again. `joins`: its quotas and problems become the fleet's. */
void fleet_builder_end_again(struct fleet_builder *builder, bool joins);

/* Takes the pod template of a workload, which its binding does not have. False with err: the object
 * has none, or none that can be read. */
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

#define FEDERATED_API "types.kubefed.io/v1beta1" /* where a FederatedTypeConfig says no other */
/* Returns the plural of a federated kind in paths, in `arena`: `plural`, or if that is "" the one
 * by KubeFed's rule. */
const char *federated_plural(struct arena *arena, const char *kind, const char *plural);

/* Decodes a binding of KubeFed that was read again, into the memory of a finished fleet, whose own
 * array stays as it is: the federated object, and its preference (NULL: it has none any more). NULL
 * with err. */
const struct binding *fleet_decode_federated(struct fleet *fleet, const struct value *object,
                                             const struct value *preference,
                                             const struct binding *before, uint32_t source,
                                             struct error *err);

/* Decodes a binding that was read again, into the memory of a finished fleet, whose own array stays
 * as it is. Its placement and requirements get new ids: n_placements and n_requirements grow.
 * `kind` is for an item of a list, which has no kind. NULL with err on a bad object. */
const struct binding *fleet_decode_binding(struct fleet *fleet, const struct value *v,
                                           enum binding_kind kind, uint32_t source,
                                           struct error *err);

/* Returns when the holder of a Lease (coordination.k8s.io/v1) renewed it; TIME_NONE: it has no
 * holder. */
int64_t decode_lease_renewed(const struct value *lease);

/* Returns the purge modes that eviction tasks may have, as PURGE_MODE_BITs, from an OpenAPI v3
 * document of work.karmada.io/v1alpha2; 0: it does not list them. */
uint32_t decode_purge_modes(const struct value *openapi);
/* Appends a CustomResourceDefinition of ResourceBindings that lists only these purge modes. */
void purge_modes_encode(uint32_t modes, struct buf *out);

#endif
