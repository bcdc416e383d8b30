/* SPDX-License-Identifier: Apache-2.0
 *
 * Kubernetes' resource.Quantity (k8s.io/apimachinery/pkg/api/resource): an
 * exact fixed-point amount down to 1e-9. Notations: decimal with n u m k M G T
 * P E, binary Ki..Ei, exponents. As upstream, parsing rounds finer amounts away
 * from zero, and pins binary notations at 2^63-1.
 *
 * Upstream keeps an amount as a 64-bit integer with a scale, or as a big decimal
 * if the integer is too small. The two forms round negative amounts and overflow
 * in different ways, so a quantity here knows its form, too.
 */
#ifndef BALLAST_MODEL_QUANTITY_H
#define BALLAST_MODEL_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/arena.h"
#include "ballast/base/error.h"

__extension__ typedef __int128 nanos128;

enum quantity_form {
    QUANTITY_SMALL, /* upstream's int64Amount */
    QUANTITY_BIG,   /* upstream's inf.Dec */
};

/* Zeroed memory is 0. No padding: quantities with equal amount, form and scale have equal bytes. */
struct quantity {
    nanos128 nano; /* the amount in units of 1e-9, pinned to +-(2^127-1) */
    int64_t scale; /* upstream holds a multiple of 10^scale; overflow depends on it */
    int64_t form;  /* enum quantity_form */
};

/* Parses a quantity from a JSON string, ignoring white space around it. False with err INVALID. */
bool quantity_parse(const char *text, size_t length, struct quantity *ret, struct error *err);
/* Converts a JSON number with fraction or exponent to a quantity: the amount of its shortest
 * decimal text. False if the number is not finite. */
bool quantity_from_real(double value, struct quantity *ret);

/* Returns Quantity.Value(): whole units, rounded as upstream does (positive amounts up). Above
 * int64 it wraps or is 0, as upstream; below it is INT64_MIN, unlike upstream (quantity.c). */
int64_t quantity_value(struct quantity q);
/* Returns Quantity.MilliValue(): thousandths of a unit, rounded and cut as by quantity_value(). */
int64_t quantity_milli_value(struct quantity q);
/* Returns a - b, pinned to +-(2^127-1) of 1e-9 units. */
struct quantity quantity_sub(struct quantity a, struct quantity b);
/* Returns -1, 0 or 1 by the order of the amounts, whatever their forms. */
int quantity_cmp(struct quantity a, struct quantity b);
/* Returns a quantity of whole units. */
struct quantity quantity_from_int(int64_t value);
/* Returns the nearest amount within +-(2^63-1) units. Every quantity of a fleet is pinned so that
 * sums and products of quantities and replicas fit 128 bits. */
struct quantity quantity_pinned(struct quantity q);

#define QUANTITY_TEXT_MAX 48 /* with the NUL */
/* Writes the amount in decimal notation, as Quantity.String() does: "0", "100m", "1536", "3G".
 * Binary notations are lost: 1Ki is "1024". Returns `buffer`. */
const char *quantity_format(struct quantity q, char buffer[QUANTITY_TEXT_MAX]);

/* One resource and its exact amount. `name` is interned. */
struct resource_quantity {
    const char *name;
    struct quantity amount;
};

/* Sorted by name; at most one entry per name. */
struct resource_list {
    const struct resource_quantity *items;
    uint32_t count;
    bool present; /* false: the field was absent */
};

/* Returns the amount of the resource; NULL if it is not in the list. */
const struct quantity *resource_list_find(const struct resource_list *list, const char *name);

/* An amount as node arithmetic uses it: milli-units of "cpu", whole units of every other resource;
 * each quantity is rounded up on its own. */
struct resource_amount {
    const char *name;
    int64_t amount;
};

/* Returns the quantity as a resource_amount's amount, pinned to the ends of int64. */
int64_t resource_amount_of(const char *name, struct quantity q);
/* Returns a + b, pinned to the ends of int64. */
int64_t resource_amount_plus(int64_t a, int64_t b);
/* Returns a resource_amount's amount in units of 1e-9, as quantities count. */
nanos128 resource_amount_nanos(const char *name, int64_t amount);

/* Sorted by name; at most one entry per name. */
struct resource_amounts {
    const struct resource_amount *items;
    uint32_t count;
};

/* Returns the resource's entry; NULL if it is not in the list. */
const struct resource_amount *resource_amounts_get(const struct resource_amounts *list,
                                                   const char *name);
/* Returns the resource's amount; 0 if it is not in the list. */
int64_t resource_amounts_find(const struct resource_amounts *list, const char *name);

/* Returns join(a, b) of every resource that a list has, in `arena`. An absent amount is 0. */
struct resource_amounts resource_amounts_join(struct arena *arena, const struct resource_amounts *a,
                                              const struct resource_amounts *b,
                                              int64_t (*join)(int64_t, int64_t));
/* Returns -1, 0 or 1 by the first name whose amounts differ. An absent amount is 0. */
int resource_amounts_order(const struct resource_amounts *a, const struct resource_amounts *b);

/* True if kube-scheduler keeps the resource as a scalar: extended resources, hugepages-,
 * attachable-volumes- and kubernetes.io/ (k8s.io/kubernetes/pkg/apis/core/v1/helper). */
bool resource_name_is_scalar(const char *name);
/* True if the resource bounds replicas on a node: cpu, memory, ephemeral-storage and scalars. */
bool resource_name_counts_on_node(const char *name);

#endif
