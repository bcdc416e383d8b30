/* SPDX-License-Identifier: Apache-2.0
 *
 * Kubernetes' resource.Quantity (k8s.io/apimachinery/pkg/api/resource): an
 * exact fixed-point amount down to 1e-9. Notations: decimal with n u m k M G T
 * P E, binary Ki..Ei, exponents; finer than 1e-9 is rounded away from zero, and
 * binary notations are pinned at 2^63-1, as upstream does when parsing.
 *
 * Upstream keeps an amount either as a 64-bit integer with a scale or, when
 * that does not hold it, as a big decimal. The two round negative amounts and
 * overflow in different ways, so the form is kept here, too.
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

/* Zeroed memory is 0. No padding, so that equal ones have equal bytes where form and scale agree.
 */
struct quantity {
    nanos128 nano; /* the amount in units of 1e-9, pinned to +-(2^127-1) */
    int64_t scale; /* upstream holds a multiple of 10^scale; overflow depends on it */
    int64_t form;  /* enum quantity_form */
};

/* A quantity as it stands in a JSON string, white space around it ignored. */
bool quantity_parse(const char *text, size_t length, struct quantity *ret, struct error *err);
/* A quantity that stands in JSON as a number with fraction or exponent: the amount of its shortest
 * decimal text. false for what is not finite. */
bool quantity_from_real(double value, struct quantity *ret);

/* Quantity.Value() and MilliValue(): rounded up away from zero. What is above int64 wraps or is 0,
 * as upstream; what is below it is INT64_MIN, other than upstream (see quantity.c). */
int64_t quantity_value(struct quantity q);
int64_t quantity_milli_value(struct quantity q);
struct quantity quantity_sub(struct quantity a, struct quantity b);
int quantity_cmp(struct quantity a, struct quantity b);
struct quantity quantity_from_int(int64_t value);
/* The nearest amount within +-(2^63-1) units. Every quantity of a fleet passes here, so that sums
 * and products of quantities and replicas stay within 128 bits. */
struct quantity quantity_pinned(struct quantity q);

#define QUANTITY_TEXT_MAX 48 /* with the NUL */
/* The amount as Quantity.String() writes one in decimal notation: "0", "100m", "1536", "3G".
 * Notations are not kept: 1Ki is "1024". */
const char *quantity_format(struct quantity q, char buffer[QUANTITY_TEXT_MAX]);

/* One resource and its exact amount. `name` is interned. */
struct resource_quantity {
    const char *name;
    struct quantity amount;
};

/* Sorted by name; at most one entry a name. */
struct resource_list {
    const struct resource_quantity *items;
    uint32_t count;
    bool present; /* false: the field was absent */
};

/* NULL when the resource is not in the list. */
const struct quantity *resource_list_find(const struct resource_list *list, const char *name);

/* Whole-unit amounts as node arithmetic uses them: "cpu" in milli, all else in units, each
 * quantity rounded up on its own. Sorted by name. */
struct resource_amount {
    const char *name;
    int64_t amount;
};

/* Pinned to the ends of int64. */
int64_t resource_amount_of(const char *name, struct quantity q);
/* a + b of such amounts, pinned to the ends. */
int64_t resource_amount_plus(int64_t a, int64_t b);
/* Such an amount in units of 1e-9, as quantities count. */
nanos128 resource_amount_nanos(const char *name, int64_t amount);

struct resource_amounts {
    const struct resource_amount *items;
    uint32_t count;
};

/* NULL when the resource is not in the list. */
const struct resource_amount *resource_amounts_get(const struct resource_amounts *list,
                                                   const char *name);
int64_t resource_amounts_find(const struct resource_amounts *list,
                              const char *name); /* 0: absent */

/* Of each resource what `join` makes of both amounts; one that is absent is 0. In `arena`. */
struct resource_amounts resource_amounts_join(struct arena *arena, const struct resource_amounts *a,
                                              const struct resource_amounts *b,
                                              int64_t (*join)(int64_t, int64_t));
/* By the first resource, in the order of names, of which they differ; one that is absent is 0. */
int resource_amounts_order(const struct resource_amounts *a, const struct resource_amounts *b);

/* Name classes of k8s.io/kubernetes/pkg/apis/core/v1/helper as the scheduler uses them. */
bool resource_name_is_scalar(const char *name);
/* cpu, memory, ephemeral-storage and scalar ones: what bounds replicas on a node. */
bool resource_name_counts_on_node(const char *name);

#endif
