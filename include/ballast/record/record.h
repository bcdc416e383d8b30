/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run wrote, binding by binding, to be looked up later and to be taken
 * back: what an undo needs to know, and what a person asks who reads the history
 * of runs: which clusters were down, and why replicas moved. A record
 * is a JSON document of its own; whatever a file says was written by anybody, so
 * sizes, ranges and types are checked before anything is believed.
 */
#ifndef BALLAST_RECORD_RECORD_H
#define BALLAST_RECORD_RECORD_H

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/base/error.h"
#include "ballast/model/binding.h"

#define RECORD_API_VERSION "ballast.io/v1alpha1"
#define RECORD_KIND "Record"
#define RECORD_BYTES_MAX ((size_t)128 << 20)
#define RECORD_ITEMS_MAX 1000000
#define RECORD_LIST_MAX 10000 /* clusters, tasks or annotations of one item; records undone */
#define RECORD_TEXT_MAX 4096  /* bytes of a text; annotations and unknown members may be longer */
#define RECORD_ID_MAX 64
#define RECORD_REASONS_MAX 4
/* of a fleet: each item at its largest */
#define RECORD_REPLICAS_MAX ((int64_t)RECORD_ITEMS_MAX * INT32_MAX)

struct record_task {
    const char *from_cluster, *reason;
};

/* Why a write was made, or what was wrong with a cluster. */
struct record_reason {
    const char *code;    /* a finding's type or a decision's reason; "": about a cluster */
    const char *cluster; /* "": about the whole binding */
    const char *message;
};

/* One write. `before` and `after` have the order of the object, and no `cluster`. */
struct record_item {
    enum binding_kind kind;
    const char *namespace_, *name;
    const char *uid;                  /* "": none in the fleet */
    struct object_reference resource; /* bound resource: apiVersion, kind and name */
    int32_t replicas;                 /* wanted then; of one copy if duplicated */
    const char *action;               /* "Move", "Place", ... */
    const char *status;               /* of the write: "Done", ...; "Pending": not known yet */
    const char *message;              /* why it is not done; "" */
    const char *version_before, *version_after; /* resourceVersion; "": unknown */
    struct target_list before, after;
    const char *const *extras_before, *const
                                          *extras_after; /* of their entries, as in rare_members */
    const struct record_task *tasks;
    uint32_t n_tasks;
    const struct label *annotations; /* set by the write */
    uint32_t n_annotations;
    const struct record_reason *reasons; /* at most RECORD_REASONS_MAX are written */
    uint32_t n_reasons;
};

/* Replicas of the bindings that a run decided on. */
struct record_replicas {
    bool is_known;    /* false: the record does not say */
    int64_t wanted;   /* by these bindings */
    int64_t down;     /* part of `wanted`: did not run before the run */
    int64_t homeless; /* ran nowhere and had no place after the run */
};

struct record {
    const char *id;       /* "20260301T120000Z-1f2e3d4c5b6a7988": clock and random bits */
    const char *command;  /* "run", "undo" */
    const char *version;  /* of Ballast */
    int64_t time;         /* of the decision, as in annotations */
    int64_t written;      /* by the clock */
    const char *platform; /* "Karmada", "KubeFed" */
    const char *server, *context, *user; /* of a live fleet; "": unknown */
    const char *path;                    /* of a fleet in files; "": live */
    const char *host;                    /* that wrote it */
    const char *configuration;           /* as --config names it; "": none */
    bool stood_in; /* stood in for a scheduler (--reschedule-all, --emulate-scheduler): also wrote
                      to bindings that Ballast leaves alone */
    struct str_list undoes;           /* ids of the records taken back */
    const struct record_reason *down; /* clusters that were in trouble, with the reason */
    uint32_t n_down;
    struct record_replicas replicas;
    const struct record_item *items;
    uint32_t n_items;
};

/* Appends the document, one line per item. `out` overflows if it is too large. */
void record_encode(const struct record *record, struct buf *out);
/* Returns the record, in `arena`. NULL with err, which names the place:
 * "items[3].before[0].replicas: want ..."; INVALID for another apiVersion or kind. */
const struct record *record_decode(struct arena *arena, const char *text, size_t length,
                                   struct error *err);

#endif
