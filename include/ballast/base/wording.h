/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers, and lists of names, as sentences have them.
 */
#ifndef BALLAST_BASE_WORDING_H
#define BALLAST_BASE_WORDING_H

#include <stdint.h>

struct arena;

/* Returns a number with grouped thousands, in `arena`: "9,950". */
const char *number_text(struct arena *arena, int64_t number);
/* Returns a number with its noun, in `arena`: "1 replica", "9,950 replicas". */
const char *counted(struct arena *arena, int64_t number, const char *one, const char *many);
/* Returns `one` for 1, else `many`: "replica", "replicas". */
const char *plural(int64_t number, const char *one, const char *many);

/* Names of which a sentence shows the first, and counts the others: "oregon, london and 2 more
 * clusters". The count never stands without a name before it. */
struct name_list {
    struct arena *arena;
    uint32_t most;  /* names to show, at least 1 */
    uint32_t count; /* names added */
    const char *text;
};

/* Returns an empty list that shows at most `most` names, and at least one. */
struct name_list name_list_new(struct arena *arena, uint32_t most);
/* Adds a name, which may have more words behind it: "london (cpu)". */
void name_list_add(struct name_list *list, const char *name);
/* Returns the list as text, in its arena; "" without a name. `one` and `many` are the noun of the
 * names that it counts ("cluster", "clusters"), or both "": "oregon, london and 2 more". */
const char *name_list_text(const struct name_list *list, const char *one, const char *many);

#endif
