/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of findings, all from the one table in finding.h.
 */
#include "ballast/model/finding.h"

#include <ctype.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/model/binding.h"

struct type_info {
    const char *name;
    bool triggers;
    enum finding_subject subject;
    const char *summary;
};

static const struct type_info types[] = {
#define X(id, name, on, of, text) {name, on, FINDING_OF_##of, text},
    FINDING_TYPES(X)
#undef X
};

const char *
finding_type_name(enum finding_type type)
{
    return types[type].name;
}

/* Also accepts the case of configuration keys and the plural: unhealthyClusters. */
static bool
is_name_of(const char *text, const char *name)
{
    size_t length = strlen(name);

    return tolower((unsigned char)text[0]) == tolower((unsigned char)name[0]) &&
           strncmp(text + 1, name + 1, length - 1) == 0 &&
           (text[length] == '\0' || str_eq(text + length, "s"));
}

bool
finding_type_parse(const char *name, enum finding_type *ret)
{
    for (int type = 0; type < N_FINDING_TYPES; type++) {
        if (!str_is_empty(name) && is_name_of(name, types[type].name)) {
            *ret = (enum finding_type)type;
            return true;
        }
    }
    return false;
}

bool
finding_type_default_trigger(enum finding_type type)
{
    return types[type].triggers;
}

const char *
finding_type_summary(enum finding_type type)
{
    return types[type].summary;
}

bool
finding_type_may_trigger(enum finding_type type)
{
    return types[type].subject != FINDING_OF_REPORTED;
}

bool
finding_type_is_silent(enum finding_type type)
{
    return types[type].subject == FINDING_OF_SILENT;
}

bool
finding_type_is_stuck(enum finding_type type)
{
    return types[type].subject == FINDING_OF_STUCK || finding_type_is_silent(type);
}

const char *
failover_owner_reason(enum failover_owner owner)
{
    static const char *const reasons[] = {
#define X(id, code) code,
        FAILOVER_OWNERS(X)
#undef X
    };

    return reasons[owner];
}

enum cluster_standing
cluster_standing(const struct cluster_health *health)
{
    if (!health->healthy) {
        return STANDING_UNHEALTHY;
    }
    if (health->agent_down) {
        return STANDING_AGENT_DOWN;
    }
    if (!health->ready) {
        return STANDING_NOT_READY;
    }
    if (health->failing != 0) {
        return STANDING_FAILING;
    }
    return health->settling ? STANDING_SETTLING : STANDING_WELL;
}

bool
cluster_may_receive(const struct cluster_health *health)
{
    return cluster_standing(health) == STANDING_WELL;
}

const char *
replica_state_name(enum replica_state state)
{
    static const char *const names[] = {
#define X(id, name) name,
        REPLICA_STATES(X)
#undef X
    };

    return names[state];
}

const char *
left_alone_reason(enum left_alone left_alone)
{
    static const char *const codes[] = {
#define X(id, code) code,
        LEFT_ALONES(X)
#undef X
    };

    return codes[left_alone];
}

int32_t
target_state_stuck(const struct target_state *state)
{
    return state->of_state[REPLICA_STUCK] + state->of_state[REPLICA_FAILING];
}

int32_t
target_state_down(const struct target_state *state)
{
    int32_t failing = state->of_state[REPLICA_FAILING]; /* a fault of the workload moves with it */

    return state->of_state[REPLICA_LOST] + state->of_state[REPLICA_STUCK] +
           (state->failed <= 0        ? 0
            : state->failed < failing ? state->failed
                                      : failing);
}

int64_t
target_state_ready(const struct target_state *state, int32_t assigned, int64_t *ret_leaving)
{
    int64_t ready = state->scheduled >= 0 && state->ready >= 0 ? state->ready : assigned;

    *ret_leaving = ready > assigned ? ready - assigned : 0;
    return ready - *ret_leaving;
}

uint32_t
stuck_places_of(const struct stuck_place *places, uint32_t count, uint32_t binding)
{
    uint32_t low = 0, high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (places[middle].binding < binding) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
