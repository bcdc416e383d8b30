/* SPDX-License-Identifier: Apache-2.0
 *
 * Parsers of single settings, shared by flags and configuration.
 */
#include "settings.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/configmaps/configmap_carrier.h"
#include "ballast/karmada/estimators.h"
#include "ballast/model/quantity.h"
#include "ballast/push/pushgateway.h"
#include "selector_text.h"

void
settings_init(struct settings *settings)
{
    memset(settings, 0, sizeof(*settings));
    settings->fleet = "";
    settings->config_file = settings->config_context = "";
    settings->kubefed_namespace = "";
    settings->named_namespace = "";
    settings->rebalancer.name = "";
    settings->rebalancer.ttl = -1;
    settings->limit = LIMIT_NOT_GIVEN;
    settings->simulate.lose_each = LOSE_EACH_NOTHING;
    settings->simulate.max_homeless = -1;
    settings->control_plane = (struct control_plane_settings){
        .kubeconfig = "",
        .context = "",
        .qps = 100,
        .burst = 400,
        .deadline = 90 * NANOS_PER_SECOND,
        .request_timeout = 30 * NANOS_PER_SECOND,
        .page_size = 500,
        .concurrency = 16,
        .member_timeout = 15 * NANOS_PER_SECOND,
        .memory_limit = 512 << 20,
        .lease_name = "ballast",
        .lease_namespace = LEASE_NAMESPACE_DEFAULT,
        .lease_duration = 15 * NANOS_PER_SECOND,
    };
    settings->estimator = (struct estimator_settings){
        .timeout = 3 * NANOS_PER_SECOND,
        .port = ESTIMATOR_PORT,
        .service_namespace = ESTIMATOR_NAMESPACE,
        .service_prefix = ESTIMATOR_PREFIX,
        .ca_file = "",
        .cert_file = "",
        .key_file = "",
    };
    settings->shards =
        (struct shard_settings){.summaries = "", .cycle = "", .max_age = 5 * NANOS_PER_MINUTE};
    policy_init(&settings->policy);
    settings->policy.now = TIME_NONE;
}

/* Returns "diff, table, json or yaml". */
static const char *
choices_text(struct arena *arena, const struct setting_word *choices)
{
    const char *text = choices[0].name;

    for (size_t i = 1; choices[i].name != NULL; i++) {
        text = arena_printf(arena, "%s%s%s", text, choices[i + 1].name != NULL ? ", " : " or ",
                            choices[i].name);
    }
    return text;
}

/* Sets ERROR_CONFIG: `want one of ..., got "x": did you mean "y"?`. Returns false. */
static bool
choice_refuse(struct arena *arena, const struct setting_word *choices, const char *text,
              struct error *err)
{
    return error_set(err, ERROR_CONFIG, "want %s, got \"%s\"%s", choices_text(arena, choices), text,
                     str_hint_row(arena, text, choices, sizeof(*choices), ""));
}

bool
setting_bool(struct arena *arena, const struct setting_param *param, const char *text, void *target,
             struct error *err)
{
    static const struct {
        const char *text;
        bool value;
    } known[] = {
        {"true", true},   {"True", true}, {"TRUE", true},   {"t", true},
        {"T", true},      {"1", true},    {"false", false}, {"False", false},
        {"FALSE", false}, {"f", false},   {"F", false},     {"0", false},
    };

    (void)arena;
    (void)param;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (str_eq(text, known[i].text)) {
            *(bool *)target = known[i].value;
            return true;
        }
    }
    return error_set(err, ERROR_CONFIG, "want true or false, got \"%s\"", text);
}

void
settings_take_fleet(struct settings *settings, const char *path)
{
    const struct control_plane_settings *live = &settings->control_plane;

    if (path != NULL && !str_is_empty(path) && str_is_empty(settings->fleet) &&
        str_is_empty(live->kubeconfig) && str_is_empty(live->context)) {
        settings->fleet = path;
    }
}

bool
setting_help_flag(struct arena *arena, const struct setting_param *param, const char *text,
                  void *target, struct error *err)
{
    bool is_asked = true;

    if (!str_eq(text, "all") && !setting_bool(arena, param, text, &is_asked, err)) {
        return false;
    }
    *(enum help_extent *)target = str_eq(text, "all") ? HELP_ALL
                                  : is_asked          ? HELP_USUAL
                                                      : HELP_NONE;
    return true;
}

bool
setting_dry_run(struct arena *arena, const struct setting_param *param, const char *text,
                void *target, struct error *err)
{
    static const struct {
        const char *text, *meant;
    } of_kubectl[] = {
        {"client", "--dry-run"},
        {"server", "--server-dry-run"},
        {"none", "--dry-run=false"},
    };

    for (size_t i = 0; i < sizeof(of_kubectl) / sizeof(of_kubectl[0]); i++) {
        if (str_eq(text, of_kubectl[i].text)) {
            return error_set(err, ERROR_CONFIG, "want true or false, got \"%s\": did you mean %s?",
                             text, of_kubectl[i].meant);
        }
    }
    return setting_bool(arena, param, text, target, err);
}

bool
setting_text(struct arena *arena, const struct setting_param *param, const char *text, void *target,
             struct error *err)
{
    (void)param;
    if (str_is_empty(text)) {
        return error_set(err, ERROR_CONFIG, "may not be empty");
    }
    *(const char **)target = arena_strndup(arena, text, strlen(text));
    return true;
}

bool
setting_push_url(struct arena *arena, const struct setting_param *param, const char *text,
                 void *target, struct error *err)
{
    return pushgateway_check_url(text, err) && setting_text(arena, param, text, target, err);
}

const char *
setting_configmap(struct arena *arena, const char *text, const char **namespace_)
{
    const size_t length = strlen(PLACE_CONFIGMAP);

    if (strncmp(text, PLACE_CONFIGMAP, length) != 0) {
        return NULL;
    }
    const char *slash = strchr(text + length, '/');

    if (slash != NULL) {
        *namespace_ = arena_strndup(arena, text + length, (size_t)(slash - text) - length);
    }
    return slash != NULL ? slash + 1 : text + length;
}

bool
setting_place(struct arena *arena, const struct setting_param *param, const char *text,
              void *target, struct error *err)
{
    const char *name = text + strlen(PLACE_CONFIGMAP);
    bool is_carried = strncmp(text, PLACE_CONFIGMAP, strlen(PLACE_CONFIGMAP)) == 0;
    const char *slash = is_carried ? strchr(name, '/') : NULL;

    if (is_carried &&
        (slash == name || !configmap_prefix_is_fine(slash != NULL ? slash + 1 : name))) {
        return error_set(err, ERROR_CONFIG,
                         "want a directory or " PLACE_CONFIGMAP
                         "[NAMESPACE/]PREFIX, with up to %d of a-z, 0-9 and dashes, got \"%s\"",
                         CONFIGMAP_PREFIX_MAX, text);
    }
    return setting_text(arena, param, text, target, err);
}

bool
setting_choice(struct arena *arena, const struct setting_param *param, const char *text,
               void *target, struct error *err)
{
    for (const struct setting_word *choice = param->choices; choice->name != NULL; choice++) {
        if (str_eq(choice->name, text)) {
            memcpy(target, &choice->value, sizeof(choice->value));
            return true;
        }
    }
    return choice_refuse(arena, param->choices, text, err);
}

bool
setting_limit(struct arena *arena, const struct setting_param *param, const char *text,
              void *target, struct error *err)
{
    (void)arena;
    (void)param;
    if (!limit_parse(text, target)) {
        return error_set(err, ERROR_CONFIG,
                         "want a number such as 20, a share such as 10%%, or -1 for no limit, got "
                         "\"%s\"",
                         text);
    }
    return true;
}

static bool
parse_integer(const struct setting_param *param, const char *text, int64_t *ret, struct error *err)
{
    char *end;

    errno = 0;
    long long value = strtoll(text, &end, 10);
    bool is_number = end != text && *end == '\0' && !isspace((unsigned char)text[0]);

    if (!is_number || errno != 0 || value < param->range.min || value > param->range.max) {
        return error_set(err, ERROR_CONFIG, "want an integer from %lld to %lld, got \"%s\"",
                         (long long)param->range.min, (long long)param->range.max, text);
    }
    *ret = value;
    return true;
}

bool
setting_int(struct arena *arena, const struct setting_param *param, const char *text, void *target,
            struct error *err)
{
    int64_t value = 0;

    (void)arena;
    if (!parse_integer(param, text, &value, err)) {
        return false;
    }
    *(uint32_t *)target = low_uint32((uint64_t)value); /* an int has equal bits */
    return true;
}

bool
setting_int64(struct arena *arena, const struct setting_param *param, const char *text,
              void *target, struct error *err)
{
    (void)arena;
    return parse_integer(param, text, target, err);
}

bool
setting_bytes(struct arena *arena, const struct setting_param *param, const char *text,
              void *target, struct error *err)
{
    struct quantity amount;
    struct error ignored = ERROR_INIT;

    (void)arena;
    if (!quantity_parse(text, strlen(text), &amount, &ignored) ||
        quantity_cmp(amount, quantity_from_int(param->range.min)) < 0 ||
        quantity_cmp(amount, quantity_from_int(param->range.max)) > 0) {
        return error_set(err, ERROR_CONFIG,
                         "want an amount of memory such as 512Mi, from %lld bytes to %lld, got "
                         "\"%s\"",
                         (long long)param->range.min, (long long)param->range.max, text);
    }
    *(int64_t *)target = quantity_value(amount);
    return true;
}

bool
setting_min_priority(struct arena *arena, const struct setting_param *param, const char *text,
                     void *target, struct error *err)
{
    struct scope *scope = target;
    int64_t value = 0;

    (void)arena;
    if (!parse_integer(param, text, &value, err)) {
        return false;
    }
    scope->has_min_priority = true;
    scope->min_priority = pin_int32(value);
    return true;
}

bool
setting_duration(struct arena *arena, const struct setting_param *param, const char *text,
                 void *target, struct error *err)
{
    int64_t nanos;

    (void)arena;
    (void)param;
    if (!duration_parse(text, &nanos) || nanos < 0) {
        return error_set(err, ERROR_CONFIG, "want a duration such as 90s, 5m or 1h30m, got \"%s\"",
                         text);
    }
    *(int64_t *)target = nanos;
    return true;
}

bool
setting_period(struct arena *arena, const struct setting_param *param, const char *text,
               void *target, struct error *err)
{
    int64_t nanos;

    (void)arena;
    if (!duration_parse(text, &nanos) || nanos < param->range.min * NANOS_PER_SECOND ||
        nanos > param->range.max * NANOS_PER_SECOND) {
        return error_set(err, ERROR_CONFIG, "want a duration from %llds to %llds, got \"%s\"",
                         (long long)param->range.min, (long long)param->range.max, text);
    }
    *(int64_t *)target = nanos;
    return true;
}

bool
setting_rate(struct arena *arena, const struct setting_param *param, const char *text, void *target,
             struct error *err)
{
    char *end;
    double value = strtod(text, &end);
    bool is_number = isdigit((unsigned char)text[0]) && *end == '\0';

    (void)arena;
    if (!is_number || !(value > 0) || value > (double)param->range.max) {
        return error_set(err, ERROR_CONFIG, "want a number above 0 and up to %lld, got \"%s\"",
                         (long long)param->range.max, text);
    }
    *(double *)target = value;
    return true;
}

bool
setting_time(struct arena *arena, const struct setting_param *param, const char *text, void *target,
             struct error *err)
{
    struct time_setting time = {.given = true, .relative = text[0] == '+' || text[0] == '-'};
    const char *span = text[0] == '+' ? text + 1 : text;
    bool signed_twice = text[0] == '+' && (text[1] == '+' || text[1] == '-');

    (void)arena;
    (void)param;
    if (signed_twice ||
        !(time.relative ? duration_parse(span, &time.nanos) : timestamp_parse(text, &time.nanos))) {
        return error_set(err, ERROR_CONFIG,
                         "want a time such as 2026-05-01T10:00:00Z, or a span such as +10m after "
                         "the fleet was captured, got \"%s\"",
                         text);
    }
    *(struct time_setting *)target = time;
    return true;
}

bool
setting_since(struct arena *arena, const struct setting_param *param, const char *text,
              void *target, struct error *err)
{
    struct time_setting time = {.given = true};

    (void)arena;
    (void)param;
    time.relative = duration_parse(text, &time.nanos);
    if (time.relative ? time.nanos < 0 : !timestamp_parse(text, &time.nanos)) {
        return error_set(err, ERROR_CONFIG,
                         "want a span such as 12h, or a time such as 2026-05-01T10:00:00Z, got "
                         "\"%s\"",
                         text);
    }
    *(struct time_setting *)target = time;
    return true;
}

static bool
add_word(struct arena *arena, struct str_list *list, const char *word, struct error *err)
{
    if (str_is_empty(word)) {
        return error_set(err, ERROR_CONFIG, "a word between the commas is empty");
    }
    const char **items = ARENA_ARRAY(arena, const char *, (size_t)list->count + 1);

    if (list->count > 0) {
        memcpy(items, list->items, list->count * sizeof(*items));
    }
    items[list->count] = word;
    *list = (struct str_list){.items = items, .count = list->count + 1, .present = true};
    return true;
}

const char *
setting_next_word(struct arena *arena, const char **text)
{
    if (*text == NULL) {
        return NULL;
    }
    const char *begin = *text + strspn(*text, " \t");
    size_t length = strcspn(begin, ",");
    const char *end = begin + length;

    *text = *end == ',' ? end + 1 : NULL;
    while (length > 0 && (begin[length - 1] == ' ' || begin[length - 1] == '\t')) {
        length--;
    }
    return arena_strndup(arena, begin, length);
}

bool
setting_list(struct arena *arena, const struct setting_param *param, const char *text, void *target,
             struct error *err)
{
    struct str_list *list = target;

    if (!param->add) {
        *list = (struct str_list){.present = true};
    }
    for (const char *word; (word = setting_next_word(arena, &text)) != NULL;) {
        if (!add_word(arena, list, word, err)) {
            return false;
        }
    }
    return true;
}

bool
setting_kinds(struct arena *arena, const struct setting_param *param, const char *text,
              void *target, struct error *err)
{
    const struct str_list *list = target;

    if (!setting_list(arena, param, text, target, err)) {
        return false;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        const char *kind = list->items[i];

        if (!isupper((unsigned char)kind[0])) {
            return error_set(
                err, ERROR_CONFIG, "want a kind such as Deployment, got \"%s\"%s", kind,
                str_hint_row(arena, kind, workload_kind_words, sizeof(workload_kind_words[0]), ""));
        }
    }
    return true;
}

bool
setting_selector(struct arena *arena, const struct setting_param *param, const char *text,
                 void *target, struct error *err)
{
    const struct label_selector *selector = selector_parse(arena, text, err);

    (void)param;
    if (selector == NULL) {
        return false;
    }
    *(const struct label_selector **)target = selector;
    return true;
}

static bool
parse_finding_type(struct arena *arena, const char *name, enum finding_type *ret, struct error *err)
{
    static const char *const known[] = {
#define X(id, type_name, on, of, text) type_name,
        FINDING_TYPES(X)
#undef X
    };

    if (finding_type_parse(name, ret)) {
        return true;
    }
    return error_set(err, ERROR_CONFIG, "unknown finding type \"%s\"%s", name,
                     str_hint(arena, name, known, N_FINDING_TYPES, ""));
}

/* Takes one word of --triggers. `edit` is the sign before the first word; '\0': a list. */
static bool
take_trigger(struct arena *arena, const char *word, char edit, bool *triggers, struct error *err)
{
    bool signed_word = word[0] == '+' || word[0] == '-';
    enum finding_type type;

    if (signed_word != (edit != '\0')) {
        return error_set(err, ERROR_CONFIG,
                         "either a list of finding types, or edits of the default as +Type,-Type");
    }
    if (!parse_finding_type(arena, signed_word ? word + 1 : word, &type, err)) {
        return false;
    }
    if (word[0] != '-' && !finding_type_may_trigger(type)) {
        return error_set(err, ERROR_CONFIG,
                         "%s is only reported, and nothing moves for it: leave it out",
                         finding_type_name(type));
    }
    triggers[type] = word[0] != '-';
    return true;
}

bool
setting_triggers(struct arena *arena, const struct setting_param *param, const char *text,
                 void *target, struct error *err)
{
    bool triggers[N_FINDING_TYPES];
    char edit = '\0';
    bool first = true;

    memcpy(triggers, target, sizeof(triggers));
    if (str_eq(text, "none")) {
        memset(target, 0, sizeof(triggers));
        return true;
    }
    for (const char *word; (word = setting_next_word(arena, &text)) != NULL; first = false) {
        if (first && (word[0] == '+' || word[0] == '-')) {
            edit = word[0];
        } else if (first && !param->add) {
            memset(triggers, 0, sizeof(triggers));
        }
        if (!take_trigger(arena, word, edit, triggers, err)) {
            return false;
        }
    }
    memcpy(target, triggers, sizeof(triggers));
    return true;
}

static bool
add_source(struct arena *arena, const char *word, struct member_sources *sources, struct error *err)
{
    static const char *const known[] = {
#define X(id, name, text) name,
        MEMBER_SOURCES(X)
#undef X
    };
    enum member_source source;

    if (!member_source_parse(word, &source)) {
        return error_set(err, ERROR_CONFIG,
                         "want none, or some of pods, nodes, estimator and status, got \"%s\"%s",
                         word, str_hint(arena, word, known, N_MEMBER_SOURCES, ""));
    }
    if (sources_have(sources, source)) {
        return error_set(err, ERROR_CONFIG, "%s is named twice", word);
    }
    sources->order[sources->count++] = source;
    return true;
}

bool
setting_sources(struct arena *arena, const struct setting_param *param, const char *text,
                void *target, struct error *err)
{
    struct member_sources sources = {.count = 0};

    if (param->add) {
        sources = *(const struct member_sources *)target;
    }
    if (str_eq(text, "none") && !param->add) {
        sources = (struct member_sources){.order = {SOURCE_STATUS}, .count = 1};
        text = NULL;
    }
    for (const char *word; (word = setting_next_word(arena, &text)) != NULL;) {
        if (!add_source(arena, word, &sources, err)) {
            return false;
        }
    }
    *(struct member_sources *)target = sources;
    return true;
}
