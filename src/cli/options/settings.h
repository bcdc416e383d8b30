/* SPDX-License-Identifier: Apache-2.0
 *
 * Settings of the command line and the configuration file, and the parsers that both tables name.
 * An error message names the expected value and, if a word is near, the likely one. The caller
 * puts the flag or the path before it.
 */
#ifndef BALLAST_CLI_SETTINGS_H
#define BALLAST_CLI_SETTINGS_H

#include "ballast/base/arena.h"
#include "ballast/base/error.h"
#include "ballast/base/log.h"
#include "ballast/base/str.h"
#include "ballast/members/members.h"
#include "ballast/model/policy.h"
#include "ballast/report/report.h"
#include "ballast/shards/slices.h"

#define LIMIT_NOT_GIVEN UINT32_MAX

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

enum migrate_target { MIGRATE_TO_NOTHING, MIGRATE_TO_KARMADA };

enum help_extent { HELP_NONE, HELP_USUAL, HELP_ALL };

struct simulate_settings {
    struct str_list lose, drain, add, like, resize, scale; /* as given */
    int lose_each;        /* enum guard_group, or LOSE_EACH_NOTHING */
    int64_t max_homeless; /* -1: any number */
};
#define LOSE_EACH_NOTHING (-1)

#define PLACE_CONFIGMAP "configmap:" /* followed by [NAMESPACE/]PREFIX, or NAME */

struct shard_settings {
    const char *summaries; /* "": not given */
    const char *cycle;     /* "": not given */
    struct shard shard;    /* count 0: not given; index 0: the shard that plans */
    struct slicing slicing;
    int64_t max_age; /* of a summary, in nanoseconds; 0: any */
};

#define LEASE_NAMESPACE_DEFAULT "karmada-system"

struct control_plane_settings {
    const char *kubeconfig; /* "": not given */
    const char *context;    /* "": not given */
    double qps;
    uint32_t burst;
    int64_t deadline; /* nanoseconds, of the run once it holds the Lease; 0: none */
    int64_t request_timeout;
    uint32_t page_size;
    uint32_t concurrency;
    enum member_access member_access;
    int64_t member_timeout;
    int64_t memory_limit; /* bytes */
    bool server_dry_run;
    const char *lease_name, *lease_namespace;
    int64_t lease_duration;
    int64_t lock_wait;
};

struct estimator_settings {
    int64_t timeout; /* nanoseconds, of one call */
    int32_t port;
    const char *service_namespace, *service_prefix;
    const char *ca_file, *cert_file, *key_file; /* "": not given */
    bool insecure_skip_verify;
};

struct settings {
    const char *fleet;       /* "": not given */
    const char *config_file; /* "": not given */
    bool config_is_older;    /* its apiVersion is deprecated */
    enum platform platform;
    const char *kubefed_namespace; /* "": not given */
    struct time_setting {
        bool given;
        bool relative; /* relative to the capture of the fleet */
        int64_t nanos; /* since the epoch, or the span */
    } now;
    struct control_plane_settings control_plane;
    struct estimator_settings estimator;
    struct shard_settings shards;
    enum report_format format;
    bool all;
    const char *named_namespace; /* of workloads in the arguments; "": not given */
    struct {
        const char *name; /* "": not given */
        int64_t ttl;      /* nanoseconds; negative: not given */
    } rebalancer;
    uint32_t limit;
    bool dry_run;
    bool yes;
    bool all_namespaces; /* overrides the configuration */
    bool detailed_exitcode;
    bool redact;
    bool any_fleet;             /* accept records of another fleet */
    struct time_setting since;  /* of a history; relative: before now */
    const char *config_context; /* of a configuration in a ConfigMap; "": as `context` */
    enum migrate_target migrate_to;
    struct simulate_settings simulate;
    bool version, no_pager;
    enum help_extent help;
    int verbosity;
    enum log_format log_format;
    enum colour_when colour;
    struct policy policy;
};

/* Sets the defaults. */
void settings_init(struct settings *settings);
/* Reads the fleet from `path` (NULL or "": no path), unless the settings name a fleet, a kubeconfig
 * or a context. */
void settings_take_fleet(struct settings *settings, const char *path);

/* One of a few words. A table of them ends with a NULL name. */
struct setting_word {
    const char *name;
    int value;
    const char *help;
};

struct range {
    int64_t min, max;
};

/* Parameters of a parser. `add` extends a list instead of replacing it. */
struct setting_param {
    const struct setting_word *choices;
    struct range range;
    bool add;
};

/* Returns the next word of a comma-separated text, without spaces around it, in `arena`, and moves
 * *text on. NULL at the end. */
const char *setting_next_word(struct arena *arena, const char **text);

/* Returns the name in a text with PLACE_CONFIGMAP, in `arena`, and sets *namespace_ if the text has
 * one. NULL: the text names files. */
const char *setting_configmap(struct arena *arena, const char *text, const char **namespace_);

/* Returns the help of a flag or key, and after it the meanings of its words that need one. In
 * `arena`, or `help` itself. */
const char *setting_help(struct arena *arena, const struct setting_param *param, const char *help);

typedef bool setting_parser(struct arena *arena, const struct setting_param *param,
                            const char *text, void *target, struct error *err);

setting_parser setting_bool;      /* bool; Go's strconv.ParseBool */
setting_parser setting_help_flag; /* enum help_extent: true, false, all */
setting_parser setting_dry_run;   /* bool, with a hint for kubectl's words */
setting_parser setting_text;      /* const char *, not empty */
setting_parser setting_push_url;  /* const char *: URL of a Pushgateway */
setting_parser setting_choice;    /* an enum or int, by ->choices */
setting_parser setting_int;       /* int or uint32_t, within ->range */
setting_parser setting_int64;     /* int64_t, within ->range */
setting_parser setting_bytes;     /* int64_t, within ->range: "512Mi", as Kubernetes writes it */
setting_parser setting_limit;     /* struct limit: "12", "25%", "-1" for none */
setting_parser setting_rate;      /* double, more than 0 and up to ->range.max */
setting_parser setting_duration;  /* int64_t nanoseconds, not negative */
setting_parser setting_period;    /* int64_t nanoseconds, within ->range in seconds */
setting_parser setting_time;      /* struct time_setting: RFC 3339, or "+10m" */
setting_parser setting_since;     /* struct time_setting: RFC 3339, or a span before now: "12h" */
setting_parser setting_list;      /* struct str_list: words between commas */
setting_parser setting_kinds;     /* struct str_list: kinds, with a capital first letter */
setting_parser setting_selector;  /* const struct label_selector *, as kubectl's --selector */
setting_parser setting_triggers;  /* bool[N_FINDING_TYPES]: a list, or edits "+Type,-Type" */
setting_parser setting_shard;     /* struct shard: "3/7" */
setting_parser setting_slicing;   /* struct slicing: "m1=4,m2=2" */
setting_parser setting_place;     /* const char *: a directory, or PLACE_CONFIGMAP and a name */
setting_parser setting_sources;   /* struct member_sources: a list, or none */
/* policy.scope: sets has_min_priority and min_priority. */
setting_parser setting_min_priority;

extern const struct setting_word report_format_choices[];
extern const struct setting_word page_format_choices[];
extern const struct setting_word document_format_choices[];
extern const struct setting_word write_mode_choices[];
extern const struct setting_word scheduler_choices[];
extern const struct setting_word purge_mode_choices[];
extern const struct setting_word karmada_failover_choices[];
extern const struct setting_word kubefed_failover_choices[];
extern const struct setting_word platform_choices[];
extern const struct setting_word guard_group_choices[];
extern const struct setting_word lose_each_choices[];
extern const struct setting_word member_access_choices[];
extern const struct setting_word log_format_choices[];
extern const struct setting_word colour_choices[];
extern const struct setting_word migrate_target_choices[];
/* For completion only; the parsers accept more, or other words. */
extern const struct setting_word member_source_words[];
extern const struct setting_word finding_type_words[];
extern const struct setting_word help_words[];
extern const struct setting_word workload_kind_words[];
extern const struct setting_word movable_kind_words[];

#endif
