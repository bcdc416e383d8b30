/* SPDX-License-Identifier: Apache-2.0
 *
 * The words that settings of a few choices accept, and their meanings.
 */
#include "settings.h"

const struct setting_word report_format_choices[] = {
#define X(id, name, writer, limit, text) {name, REPORT_##id, text},
    REPORT_FORMATS(X)
#undef X
        {NULL, 0, NULL},
};
const struct setting_word page_format_choices[] = {
    {"json", REPORT_JSON, "one JSON document"},
    {"yaml", REPORT_YAML, "the same as YAML"},
    {"html", REPORT_HTML, "a page for a browser, in one file"},
    {NULL, 0, NULL},
};
const struct setting_word document_format_choices[] = {
    {"json", REPORT_JSON, "one JSON document"},
    {"yaml", REPORT_YAML, "the same as YAML"},
    {NULL, 0, NULL},
};
const struct setting_word write_mode_choices[] = {
    {"Place", MODE_PLACE, "writes the full new split"},
    {"Evict", MODE_EVICT,
     "only takes replicas away, as karmada-descheduler does, and the scheduler places them"},
    {NULL, 0, NULL},
};
const struct setting_word scheduler_choices[] = {
#define X(id, name, text) {name, UPSTREAM_##id, text},
    UPSTREAM_SCHEDULERS(X)
#undef X
        {NULL, 0, NULL},
};
const struct setting_word purge_mode_choices[] = {
#define X(id, name, text) {name, PURGE_##id, text},
    PURGE_MODES(X)
#undef X
        {NULL, 0, NULL},
};
const struct setting_word karmada_failover_choices[] = {
    {"Auto", KARMADA_FAILOVER_AUTO, "where it shows that it is at work"},
    {"Leave", KARMADA_FAILOVER_LEAVE, "always"},
    {"Ignore", KARMADA_FAILOVER_IGNORE, "never"},
    {NULL, 0, NULL},
};
const struct setting_word kubefed_failover_choices[] = {
#define X(id, name, text) {name, FAILOVER_KUBEFED_##id, text},
    FAILOVER_KUBEFED(X)
#undef X
        {NULL, 0, NULL},
};
const struct setting_word platform_choices[] = {
#define X(id, name, text) {name, PLATFORM_##id, text},
    PLATFORMS(X)
#undef X
        {NULL, 0, NULL},
};
const struct setting_word guard_group_choices[] = {
    {"auto", GUARD_BY_AUTO, "by region where there are three or more, else none"},
    {"none", GUARD_BY_NONE, "every cluster for itself"},
    {"region", GUARD_BY_REGION, "clusters of one region"},
    {"provider", GUARD_BY_PROVIDER, "clusters of one provider"},
    {"zone", GUARD_BY_ZONE, "clusters of the same zones"},
    {NULL, 0, NULL},
};
const struct setting_word lose_each_choices[] = {
    {"cluster", GUARD_BY_NONE, "each cluster"},
    {"region", GUARD_BY_REGION, "all clusters of a region"},
    {"provider", GUARD_BY_PROVIDER, "all clusters of a provider"},
    {"zone", GUARD_BY_ZONE, "all clusters of the same zones"},
    {NULL, 0, NULL},
};
const struct setting_word member_access_choices[] = {
    {"auto", MEMBER_ACCESS_AUTO, "by proxy, and directly where there is none for a member"},
    {"proxy", MEMBER_ACCESS_PROXY, "through the control plane's clusters/NAME/proxy"},
    {"direct", MEMBER_ACCESS_DIRECT, "to its own API server, with the Secret its Cluster names"},
    {NULL, 0, NULL},
};
const struct setting_word log_format_choices[] = {
    {"text", LOG_TEXT, "klog's text form"},
    {"json", LOG_JSON, "a JSON object a line"},
    {NULL, 0, NULL},
};
const struct setting_word colour_choices[] = {
    {"auto", COLOUR_AUTO, "on a terminal, unless NO_COLOR is set"},
    {"always", COLOUR_ALWAYS, "always"},
    {"never", COLOUR_NEVER, "never"},
    {NULL, 0, NULL},
};

const char *
setting_help(struct arena *arena, const struct setting_param *param, const char *help)
{
    for (const struct setting_word *word = param->choices; word != NULL && word->help != NULL;
         word++) {
        help = arena_printf(arena, "%s %s: %s%s", help, word->name, word->help,
                            word[1].name != NULL ? ";" : ".");
    }
    return help;
}
const struct setting_word migrate_target_choices[] = {
    {"karmada", MIGRATE_TO_KARMADA, NULL},
    {NULL, 0, NULL},
};
const struct setting_word member_source_words[] = {
#define X(id, name, text) {name, SOURCE_##id, text},
    MEMBER_SOURCES(X)
#undef X
        {"none", -1, "no member is looked at"},
    {NULL, 0, NULL},
};
const struct setting_word finding_type_words[] = {
#define X(id, name, on, of, text) {name, FINDING_##id, text},
    FINDING_TYPES(X)
#undef X
        {"none", -1, "no finding makes the planner act"},
    {NULL, 0, NULL},
};
const struct setting_word help_words[] = {
    {"all", HELP_ALL, "every flag of the command"},
    {NULL, 0, NULL},
};
const struct setting_word workload_kind_words[] = {
    {"Deployment", 0, NULL}, {"StatefulSet", 0, NULL}, {"DaemonSet", 0, NULL},
    {"Job", 0, NULL},        {"CronJob", 0, NULL},     {NULL, 0, NULL},
};
const struct setting_word movable_kind_words[] = {
    {"StatefulSet", 0, NULL},
    {"Job", 0, NULL},
    {NULL, 0, NULL},
};
