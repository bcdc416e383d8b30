/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the settings of the configuration that a decision comes from.
 */
#include <string.h>

#include "explain_internal.h"

#define SETTINGS_MAX 8

/* The setting behind the code of a reason. Limits name their key in the reason. */
static const struct {
    const char *code, *key;
} by_code[] = {
    {"Cooldown", "cooldown.initial"},
    {"MovesDidNotHelp", "cooldown.maxAttempts"},
    {"ClusterFailoverOff", "triggers"},
    {"DisruptionGuard", "maxUnhealthyPercent"},
    {"LeftToKarmadaFailover", "failover.karmada"},
    {"Kept", "failover.kubefed"},
    {"ClusterSettling", "thresholds.clusterStabilization"},
    {"KindNotMovable", "movableKinds"},
    {"MovesAsWhole", "divisibleKinds"},
    {"ClaimsNotMovable", "movableStorageClasses"},
    {"BalanceWaits", "balance.moveRunning"},
    {"NotEvictable", "mode"},
    {"LeftToScheduler", "mode"},
    {"WaitsForNodes", "growth.clusters"},
};

struct list {
    const struct subject *subject;
    struct explained_setting *items;
    uint32_t count;
};

/* Adds a setting once, if its value is known. */
static void
add(struct list *list, const char *key)
{
    const struct explain_subject *of = list->subject->of;

    for (uint32_t i = 0; i < list->count; i++) {
        if (str_eq(list->items[i].key, key)) {
            return;
        }
    }
    for (uint32_t i = 0; i < of->n_settings && list->count < SETTINGS_MAX; i++) {
        if (str_eq(of->settings[i].key, key)) {
            list->items[list->count++] = of->settings[i];
            return;
        }
    }
}

static void
add_of_code(struct list *list, const char *code)
{
    for (size_t i = 0; i < sizeof(by_code) / sizeof(by_code[0]); i++) {
        if (str_eq(by_code[i].code, code)) {
            add(list, by_code[i].key);
        }
    }
}

static void
add_of_limit(struct list *list, const struct reason *reason)
{
    if (!str_eq(reason->code, "LimitReached") && !str_eq(reason->code, "LimitTooSmall")) {
        return;
    }
    for (int rule = 0; rule < N_LIMIT_RULES; rule++) {
        const char *key = limit_rule_key((enum limit_rule)rule);

        if (strstr(reason->message, key) != NULL) {
            add(list, key);
        }
    }
}

/* Capacity is held for replicas on their way no longer than a threshold. */
static void
add_of_cluster(struct list *list, const struct explained_cluster *cluster)
{
    add_of_code(list, cluster->code);
    for (uint32_t i = 0; i < cluster->n_holders; i++) {
        if (cluster->holders[i].hold == EXPLAINED_COMING) {
            add(list, "thresholds.inFlight");
        }
    }
}

void
explain_settings(const struct subject *subject, struct explanation *ret)
{
    struct list list = {
        .subject = subject,
        .items = ARENA_ARRAY(subject->arena, struct explained_setting, SETTINGS_MAX),
    };

    for (uint32_t i = 0; i < ret->n_reasons; i++) {
        add_of_limit(&list, &ret->reasons[i]);
        add_of_code(&list, ret->reasons[i].code);
    }
    for (uint32_t i = 0; i < ret->n_clusters; i++) {
        add_of_cluster(&list, &ret->clusters[i]);
    }
    if (ret->owner.left_alone != LEFT_ALONE_NOT) {
        add_of_code(&list, left_alone_reason(ret->owner.left_alone));
    }
    ret->settings = list.items;
    ret->n_settings = list.count;
}
