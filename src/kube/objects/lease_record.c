/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and writes Leases. The times in a Lease are for people; only changes count.
 */
#include "lease_record.h"

#include <stdio.h>
#include <string.h>

#include "ballast/base/hash.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/kube/kube_text.h"

#define SPEC_TEXT_MAX ((size_t)1 << 20)
#define DURATION_SECONDS_MAX INT64_C(86400)

static int64_t
integer_of(const struct value *object, const char *key)
{
    const struct value *value = value_find(object, key, VALUE_INTEGER);

    return value != NULL ? value_integer(value) : 0;
}

static uint64_t
hash_of(const struct value *spec)
{
    struct buf text;

    buf_init(&text, SPEC_TEXT_MAX);
    if (spec != NULL) {
        value_write_json(spec, true, &text);
    }
    const struct hash_key key = hash_key_of_process();
    uint64_t hash = hash_bytes(&key, buf_text(&text), text.length);

    buf_release(&text);
    return hash;
}

void
lease_see(struct lease_view *view, const struct value *lease, int64_t now)
{
    const struct value *spec = value_find(lease, "spec", VALUE_OBJECT);
    uint64_t record = hash_of(spec);
    int64_t seconds = integer_of(spec, "leaseDurationSeconds");

    text_print(view->holder, sizeof(view->holder), "%s", value_text(spec, "holderIdentity"));
    view->duration =
        seconds > 0 && seconds <= DURATION_SECONDS_MAX ? seconds * NANOS_PER_SECOND : 0;
    view->transitions = integer_of(spec, "leaseTransitions");
    if (!view->seen) {
        view->since = now;
    } else if (view->record != record) {
        view->since = now;
        view->changes++;
    }
    view->record = record;
    view->seen = true;
}

enum lease_state
lease_state(const struct lease_view *view, int64_t duration, int64_t now)
{
    if (str_is_empty(view->holder)) {
        return LEASE_FREE;
    }
    return now - view->since >= (view->duration > 0 ? view->duration : duration) ? LEASE_EXPIRED
                                                                                 : LEASE_HELD;
}

void
lease_write_claim(const struct kube_lease_options *options, const struct lease_view *view,
                  int64_t wall, struct buf *out)
{
    char now[TIMESTAMP_TEXT_MAX];
    int64_t seconds = (options->duration + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND;
    int64_t transitions = view->transitions;

    kube_micro_time(wall, now);
    if (!str_is_empty(view->holder) && transitions >= 0 && transitions < INT32_MAX) {
        transitions++;
    }
    buf_append_str(out, "{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\","
                        "\"metadata\":{\"name\":");
    text_append_quoted(out, options->name);
    buf_append_str(out, ",\"namespace\":");
    text_append_quoted(out, options->namespace_);
    buf_append_str(out, "},\"spec\":{\"holderIdentity\":");
    text_append_quoted(out, options->holder);
    buf_printf(out,
               ",\"leaseDurationSeconds\":%lld,\"acquireTime\":\"%s\",\"renewTime\":\"%s\","
               "\"leaseTransitions\":%lld}}",
               (long long)(seconds > 0 ? seconds : 1), now, now, (long long)transitions);
}

void
lease_write_renewal(int64_t wall, struct buf *out)
{
    char now[TIMESTAMP_TEXT_MAX];

    buf_printf(out, "{\"spec\":{\"renewTime\":\"%s\"}}", kube_micro_time(wall, now));
}

/* Like client-go: no holder, and a duration of one second in case a reader takes the Lease for
 * held. */
void
lease_write_release(int64_t wall, struct buf *out)
{
    char now[TIMESTAMP_TEXT_MAX];

    kube_micro_time(wall, now);
    buf_printf(out,
               "{\"spec\":{\"holderIdentity\":null,\"leaseDurationSeconds\":1,"
               "\"acquireTime\":\"%s\",\"renewTime\":\"%s\"}}",
               now, now);
}
