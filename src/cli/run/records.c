/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens the store of records that the settings name.
 */
#include "records.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/configmaps/configmap_carrier.h"
#include "cli/options/control_plane_client.h"

#define RESPONSE_MAX ((size_t)4 << 20)
#define FLAGS_MAX ((size_t)8192)

const char *
records_place(const struct invocation *invocation)
{
    const struct settings *settings = invocation->settings;
    const char *place = settings->policy.records.directory;

    return !str_is_empty(place) || !str_is_empty(settings->fleet) ? place : RECORDS_OF_CRONJOB;
}

/* A run that is told to end still writes what became of its writes, so no signal stops it. */
static struct kube_client_options
client_options(const struct invocation *invocation)
{
    struct kube_client_options how =
        control_plane_client(invocation->cli, &invocation->settings->control_plane);

    how.max_response_bytes = RESPONSE_MAX;
    how.stop = NULL;
    return how;
}

static bool
open_ring(const struct invocation *invocation, const char *namespace_, const char *prefix,
          struct records *ret, struct error *err)
{
    const struct kube_config_options how =
        control_plane_config(invocation->cli, &invocation->settings->control_plane);

    if (!configmap_prefix_is_fine(prefix)) {
        error_set(err, ERROR_USAGE,
                  "--records: want " PLACE_CONFIGMAP "[NAMESPACE/]PREFIX, got " PLACE_CONFIGMAP
                  "%s",
                  prefix);
        return false;
    }
    if (!str_is_empty(invocation->settings->fleet)) {
        error_set(err, ERROR_USAGE,
                  "--records " PLACE_CONFIGMAP
                  "%s is for a live control plane: with --fleet, give --records DIR",
                  prefix);
        return false;
    }
    ret->config = kube_config_load(&how, err);
    if (ret->config == NULL) {
        return false;
    }
    ret->ring = record_ring_new(&(struct record_ring_options){.config = ret->config,
                                                              .client = client_options(invocation),
                                                              .namespace_ = namespace_,
                                                              .prefix = prefix});
    ret->store = record_ring_store(ret->ring);
    return true;
}

bool
records_open(const struct invocation *invocation, const char *place, struct records *ret,
             struct error *err)
{
    const char *namespace_ = invocation->settings->control_plane.lease_namespace;
    const char *prefix = setting_configmap(invocation->arena, place, &namespace_);

    ret->config = NULL;
    ret->ring = NULL;
    if (prefix != NULL) {
        return open_ring(invocation, namespace_, prefix, ret, err);
    }
    if (str_is_empty(place)) {
        error_set(err, ERROR_USAGE, "where are the records? (--records DIR)");
        return false;
    }
    ret->store = record_directory(place);
    return true;
}

bool
records_wrap_error(const struct records *records, struct error *err)
{
    return records->config != NULL && control_plane_wrap_error(records->config, err);
}

void
records_close(struct records *records)
{
    record_ring_free(records->ring);
    kube_config_free(records->config);
    *records = (struct records){.config = NULL};
}

/* `strict`: a record that cannot be read is an error, and else left out. */
static bool
read_records(const struct invocation *invocation, const struct record_store *store, int64_t since,
             bool strict, struct record_list *ret, struct error *err)
{
    struct str_list ids;

    if (!store->list(store->context, invocation->arena, &ids, err)) {
        return false;
    }
    const struct record **records =
        ARENA_ARRAY(invocation->arena, const struct record *, ids.count);

    *ret = (struct record_list){.items = records};
    for (uint32_t i = 0; i < ids.count; i++) {
        struct error unread = ERROR_INIT;

        if (record_id_time(ids.items[i]) < since) {
            continue;
        }
        records[ret->count] =
            store->read(store->context, invocation->arena, ids.items[i], strict ? err : &unread);
        if (records[ret->count] != NULL) {
            ret->count++;
        } else if (strict) {
            return false;
        } else {
            log_line(&invocation->logger, LOG_WARNING, 0, "left out: %s", unread.message);
        }
    }
    return true;
}

bool
records_read_since(const struct invocation *invocation, const struct record_store *store,
                   int64_t since, struct record_list *ret, struct error *err)
{
    return read_records(invocation, store, since, false, ret, err);
}

bool
records_read_all(const struct invocation *invocation, const struct record_store *store,
                 struct record_list *ret, struct error *err)
{
    return read_records(invocation, store, TIME_NONE, true, ret, err);
}

bool
records_read_kept(const struct invocation *invocation, struct record_list *ret)
{
    const char *place = records_place(invocation);
    struct error err = ERROR_INIT;
    struct records records;

    if (str_is_empty(place)) {
        return false;
    }
    bool done = records_open(invocation, place, &records, &err) &&
                (records_read_since(invocation, &records.store, TIME_NONE, ret, &err) ||
                 records_wrap_error(&records, &err));

    records_close(&records);
    if (!done) {
        log_line(&invocation->logger, LOG_INFO,
                 str_is_empty(invocation->settings->policy.records.directory) ? 1 : 0,
                 "no runs are shown: %s", err.message);
    }
    return done;
}

bool
record_is_of(const struct record *record, const struct fleet_origin *origin)
{
    char *real = origin->path != NULL ? realpath(origin->path, NULL) : NULL;
    const bool same = origin->path == NULL
                          ? str_is_empty(record->path) && str_eq(record->server, origin->server)
                          : str_is_empty(record->server) &&
                                str_eq(record->path, real != NULL ? real : origin->path);

    free(real);
    return same;
}

const char *
records_flags(const struct invocation *invocation)
{
    const struct settings *settings = invocation->settings;
    struct buf flags;

    buf_init(&flags, FLAGS_MAX);
    text_append_flag(&flags, "--kubeconfig", settings->control_plane.kubeconfig);
    text_append_flag(&flags, "--context", settings->control_plane.context);
    if (!str_eq(settings->control_plane.lease_namespace, LEASE_NAMESPACE_DEFAULT)) {
        text_append_flag(&flags, "--lease-namespace", settings->control_plane.lease_namespace);
    }
    text_append_flag(&flags, "--records", settings->policy.records.directory);
    return buf_take(&flags, invocation->arena);
}
