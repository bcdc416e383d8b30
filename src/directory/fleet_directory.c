/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a fleet from files. A file that is broken as a whole is an error: what
 * it held is not known, and a Cluster or a list of pods that is missing would
 * make a plan wrong. A single broken object is left out, unless it may be a
 * Cluster.
 */
#include "ballast/directory/fleet_directory.h"
#include "ballast/base/wide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ballast/base/file_open.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/kinds/decode.h"
#include "fleet_files.h"

#define PLACE_IN_FILE_BITS 40
#define MISSED_TEXT_MAX 256
#define SHORT_LINE_MAX ((size_t)2 * ERROR_MESSAGE_MAX)
#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

static const struct {
    const char *kind; /* of the list */
    const char *stem; /* of the file, for lists without a kind */
    int part;         /* enum member_part; below 0: not tracked as a part */
} member_lists[] = {
    {"PodList", "pods", MEMBER_PODS},
    {"NodeList", "nodes", MEMBER_NODES},
    {"ReplicaSetList", "replicasets", MEMBER_REPLICA_SETS},
    {"DeploymentList", "deployments", MEMBER_DEPLOYMENTS},
    {"StatefulSetList", "statefulsets", MEMBER_STATEFUL_SETS},
    {"JobList", "jobs", MEMBER_JOBS},
    {"LimitRangeList", "limitranges", MEMBER_LIMIT_RANGES},
    {"ResourceQuotaList", "resourcequotas", MEMBER_RESOURCE_QUOTAS},
    {"PersistentVolumeClaimList", "persistentvolumeclaims", MEMBER_CLAIMS},
    {"PersistentVolumeList", "persistentvolumes", MEMBER_VOLUMES},
    {"StorageClassList", "storageclasses", MEMBER_STORAGE_CLASSES},
    {"CSINodeList", "csinodes", MEMBER_CSI_NODES},
    {"PodDisruptionBudgetList", "poddisruptionbudgets", MEMBER_DISRUPTION_BUDGETS},
    {"HorizontalPodAutoscalerList", "horizontalpodautoscalers", -1},
    {"ScaledObjectList", "scaledobjects", -1},
};

#define N_MEMBER_LISTS (sizeof(member_lists) / sizeof(member_lists[0]))

struct file_collector {
    struct fleet_directory *directory;
    struct fleet_builder *builder;
    uint32_t file;            /* current file */
    uint32_t first_of_member; /* first file of the current member, whose files are adjacent */
    size_t objects;
    bool in_file[N_MEMBER_LISTS];    /* lists that the current file has without naming a kind */
    bool breaks_off[N_MEMBER_LISTS]; /* broken lists of the current member */
    bool is_snapshot;                /* Ballast wrote it: objects have the places of that reading */
};

static const struct fleet_file *
current_file(const struct file_collector *c)
{
    return &c->directory->files.items[c->file];
}

/* Hashes a whole object: `root` may lack unwanted members. */
static uint64_t
whole_hash(const struct file_object *object)
{
    struct error ignored = ERROR_INIT;
    struct document *whole = object->text != NULL
                                 ? document_parse_json(object->text, object->length, 1, &ignored)
                                 : NULL;
    uint64_t hash = object_hash(whole != NULL ? document_root(whole) : object->root);

    document_free(whole);
    return hash;
}

static uint32_t
new_source(struct file_collector *c, const struct file_object *object)
{
    bool has_version = !str_is_empty(object_metadata(object->root, "resourceVersion"));
    struct object_source source = {.file = c->file, .hash = has_version ? 0 : whole_hash(object)};

    vec_add(&c->directory->sources, source);
    return pin_uint32(c->directory->sources.count - 1);
}

/* A place counts the member's files and the objects in a file, whatever other members are read.
 * Objects of a snapshot have no place, as in the reading that it came from. */
static void
count_object(struct file_collector *c)
{
    uint64_t file = c->file - c->first_of_member;

    c->objects++;
    fleet_builder_at(c->builder, c->is_snapshot ? 0 : file << PLACE_IN_FILE_BITS | c->objects);
}

/* A list of kind List does not name the kind of its items. */
static bool
names_no_kind(const char *list_kind)
{
    return str_is_empty(list_kind) || str_eq(list_kind, "List");
}

static void
note_list(struct file_collector *c, const struct file_object *object)
{
    const char *kind = value_text(object->root, "kind");
    size_t length = strlen(kind);

    for (size_t i = 0; i < N_MEMBER_LISTS; i++) {
        const char *of = member_lists[i].kind;

        if (strncmp(of, kind, length) == 0 && str_eq(of + length, "List")) {
            c->in_file[i] = true;
            return;
        }
    }
}

static bool
collect_object(void *context, const struct file_object *object, struct error *err)
{
    struct file_collector *c = context;
    const struct fleet_file *file = current_file(c);
    struct object_origin origin = {
        .file = c->is_snapshot ? "" : file->label, .line = object->line, .member = file->member};
    enum binding_kind kind;

    count_object(c);
    if (str_is_empty(file->member)) {
        fleet_saw_version(c->directory, object_metadata(object->root, "resourceVersion"));
        if (object_is_binding(object, &kind) || object_is_preference(object)) {
            origin.source = new_source(c, object);
        }
    } else if (object->list_kind == NULL || names_no_kind(object->list_kind)) {
        note_list(c, object);
    }
    return fleet_builder_add(c->builder, object->root, object->list_api_version, object->list_kind,
                             &origin, err) != ADD_FAILED;
}

static bool
has_stem(const char *label, const char *stem)
{
    const char *slash = strrchr(label, '/');
    const char *name = slash != NULL ? slash + 1 : label;
    size_t length = strlen(stem);

    return strncmp(name, stem, length) == 0 && name[length] == '.';
}

static bool
find_list(const struct file_collector *c, const char *list_kind, size_t *ret)
{
    for (size_t i = 0; i < N_MEMBER_LISTS; i++) {
        if (names_no_kind(list_kind) ? has_stem(current_file(c)->label, member_lists[i].stem)
                                     : str_eq(list_kind, member_lists[i].kind)) {
            *ret = i;
            return true;
        }
    }
    return false;
}

/* Without its Cluster, a cluster's replicas would seem lost. So a malformed object is left out only
 * if it names a kind other than Cluster. */
static bool
may_be_cluster(const struct file_collector *c, const struct file_object *object)
{
    bool says_any = false;

    if (!str_is_empty(current_file(c)->member)) {
        return false;
    }
    return object->text == NULL || object_says_kind(object, "Cluster", &says_any) ||
           (!says_any && (str_is_empty(object->list_kind) || str_eq(object->list_kind, "List") ||
                          str_eq(object->list_kind, "ClusterList")));
}

/* Without its pod, a workload would seem to lack one. */
static bool
may_be_pod(const struct file_collector *c, const struct file_object *object)
{
    size_t list;
    bool says_any = false;

    return (object->text != NULL && object_says_kind(object, "Pod", &says_any)) ||
           (!says_any && find_list(c, object->list_kind, &list) &&
            member_lists[list].part == MEMBER_PODS);
}

static bool
collect_bad_object(void *context, const struct file_object *object, const struct error *why,
                   struct error *err)
{
    struct file_collector *c = context;
    const struct fleet_file *file = current_file(c);
    size_t place_length = strcspn(why->message, " "); /* "12:5:" */

    count_object(c);
    if (may_be_cluster(c, object)) {
        return error_set(err, why->code, "%s:%s", file->label, why->message);
    }
    if (!fleet_builder_takes(c->builder, file->member, "")) {
        return true; /* its namespace is unknown: only the first slice reports it */
    }
    char *place = str_print("%s:%.*s", file->label, pin_width(place_length) - 1, why->message);

    fleet_builder_problem(c->builder, file->member, place, why->message + place_length + 1);
    if (!str_is_empty(file->member) && may_be_pod(c, object)) {
        fleet_builder_lose_pod(c->builder, file->member, place);
    }
    free(place);
    return true;
}

static const struct file_ops collect_ops = {collect_object, collect_bad_object};

static bool
is_passed(void *context, const struct wanted_of *object, const struct value *metadata)
{
    const struct file_collector *c = context;

    return fleet_builder_passes(c->builder, current_file(c)->member, object, metadata);
}

/* Missing Clusters or bindings would change the meaning of all that was read. Of a member, only a
 * part was not seen whole. */
static bool
collect_broken_list(void *context, const char *list_kind, uint64_t remaining, struct error *err)
{
    struct file_collector *c = context;
    const struct fleet_file *file = current_file(c);
    size_t list;

    if (str_is_empty(file->member)) {
        return fleet_file_refuse_part(file, remaining, err);
    }
    if (find_list(c, list_kind, &list)) {
        c->breaks_off[list] = true;
    }
    for (size_t i = 0; i < N_MEMBER_LISTS && names_no_kind(list_kind); i++) {
        c->breaks_off[i] = c->breaks_off[i] || c->in_file[i];
    }
    return true;
}

/* An empty list of a member means that it has no objects, not that they are unknown. */
static void
mark_empty_list(struct file_collector *c, const char *list_kind)
{
    const struct fleet_file *file = current_file(c);
    size_t list;

    if (!str_is_empty(file->member) && c->objects == 0 && list_kind != NULL &&
        find_list(c, list_kind, &list) && member_lists[list].part >= 0) {
        fleet_builder_saw(c->builder, file->member, (enum member_part)member_lists[list].part);
    }
}

static bool
read_file(struct file_collector *c, const struct progress *progress, struct error *err)
{
    bool is_narrow = c->directory->choice.has_namespace != NULL;
    const struct file_reader reader = {.ops = &collect_ops,
                                       .context = c,
                                       .stop = c->directory->stop,
                                       .maximum = c->directory->maximum,
                                       .progress = progress,
                                       .wanted = fleet_builder_wanted,
                                       .wanted_context = c->builder,
                                       .breaks_off = collect_broken_list,
                                       .passes = is_narrow ? is_passed : NULL};
    char *list_kind;

    c->objects = 0;
    memset(c->in_file, 0, sizeof(c->in_file));
    bool done = fleet_files_read(c->directory, c->file, &reader, &list_kind, err);

    if (done) {
        mark_empty_list(c, list_kind);
        fleet_builder_listed(c->builder, current_file(c)->member);
        free(list_kind);
    }
    return done;
}

static bool
is_snapshot(const struct fleet_directory *directory)
{
    char *path = str_print("%s/snapshot", directory->path);
    bool is_there = directory->shape == FLEET_IN_DIRECTORY && access(path, F_OK) == 0;

    free(path);
    return is_there;
}

/* A broken list leaves its part unknown, whatever other files have of it. */
static void
forget_broken_lists(struct file_collector *c, const char *member)
{
    char text[MISSED_TEXT_MAX] = "";

    for (size_t i = 0; i < N_MEMBER_LISTS; i++) {
        const int part = member_lists[i].part;

        if (c->breaks_off[i]) {
            size_t length = strlen(text);

            snprintf(text + length, sizeof(text) - length, "%s%s", length > 0 ? ", " : "",
                     member_lists[i].stem);
        }
        if (c->breaks_off[i] && part >= 0) {
            fleet_builder_forget(c->builder, member, (enum member_part)part);
        }
    }
    if (!str_is_empty(text)) {
        fleet_builder_miss(c->builder, member, text,
                           "the list breaks off (metadata.continue or remainingItemCount)");
    }
    memset(c->breaks_off, 0, sizeof(c->breaks_off));
}

/* Files are in the order of their paths, so a member's files are adjacent. */
static void
end_member(struct file_collector *c)
{
    const char *member = current_file(c)->member;
    size_t next = (size_t)c->file + 1;

    if (!str_is_empty(member) && (next == c->directory->files.count ||
                                  !str_eq(c->directory->files.items[next].member, member))) {
        forget_broken_lists(c, member);
        fleet_builder_over(c->builder, member);
    }
}

static bool
read_files(struct fleet_directory *directory, struct fleet_builder *builder, struct error *err)
{
    struct file_collector collector = {
        .directory = directory, .builder = builder, .is_snapshot = is_snapshot(directory)};
    struct fleet_progress progress;

    fleet_progress_begin(&progress, directory);
    for (size_t i = 0; i < directory->files.count; i++) {
        if (i > 0 &&
            !str_eq(directory->files.items[i].member, directory->files.items[i - 1].member)) {
            collector.first_of_member = pin_uint32(i);
        }
        collector.file = pin_uint32(i);
        if (!read_file(&collector, &progress.of_file, err)) {
            return false;
        }
        end_member(&collector);
        fleet_progress_next(&progress, &directory->files.items[i]);
    }
    return true;
}

/* Reads a file with one short line, without space at its end. *ret_found: there is a file. */
static bool
read_line(const char *path, char text[SHORT_LINE_MAX + 1], bool *ret_found, struct error *err)
{
    struct error why = ERROR_INIT;
    int fd = file_open_regular(path, path, &why);
    struct buf whole;

    *ret_found = fd >= 0;
    if (fd < 0) {
        *err = why.code == ERROR_NOT_FOUND ? *err : why;
        return why.code == ERROR_NOT_FOUND;
    }
    buf_init(&whole, SHORT_LINE_MAX);
    bool done = text_input_all(fd, path, &whole, err);
    const char *line = buf_text(&whole);

    close(fd);
    if (done) {
        line += strncmp(line, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0
                    ? strlen(BYTE_ORDER_MARK)
                    : 0;
        size_t length = strlen(line);

        while (length > 0 && strchr(" \t\r\n", line[length - 1]) != NULL) {
            length--;
        }
        memcpy(text, line, length);
        text[length] = '\0';
    }
    buf_release(&whole);
    return done;
}

/* Reads DIR/captured-at, which may be missing. */
static bool
read_captured_at(const struct fleet_directory *directory, int64_t *ret, struct error *err)
{
    char text[SHORT_LINE_MAX + 1];
    bool found = false;

    *ret = TIME_NONE;
    if (directory->shape != FLEET_IN_DIRECTORY) {
        return true;
    }
    char *path = str_print("%s/captured-at", directory->path);
    bool done = read_line(path, text, &found, err);

    if (found && done && !timestamp_parse(text, ret)) {
        done = error_set(err, ERROR_INVALID, "%s: want RFC 3339 time, got \"%s\"", path, text);
    }
    free(path);
    return done;
}

/* Reads DIR/members/NAME/clock-offset: how far the member's clock was ahead. */
static bool
read_clock(const struct fleet_directory *directory, struct fleet_builder *builder,
           const char *member, struct error *err)
{
    char *path = str_print("%s/members/%s/clock-offset", directory->path, member);
    char text[SHORT_LINE_MAX + 1];
    bool found = false;
    int64_t offset = 0;
    bool done = read_line(path, text, &found, err);

    if (found && done && !duration_parse(text, &offset)) {
        done = error_set(err, ERROR_INVALID, "%s: want a duration such as -1m30s, got \"%s\"", path,
                         text);
    }
    if (found && done) {
        fleet_builder_clock(builder, member, offset);
    }
    free(path);
    return done;
}

/* Reads DIR/members/NAME/not-seen, "PARTS: WHY": parts that the capture could not see. */
static bool
read_gap(const struct fleet_directory *directory, struct fleet_builder *builder, const char *member,
         struct error *err)
{
    char *path = str_print("%s/members/%s/not-seen", directory->path, member);
    char text[SHORT_LINE_MAX + 1];
    bool found = false;
    bool done = read_line(path, text, &found, err);

    if (found && done) {
        char *colon = strstr(text, ": ");

        if (colon != NULL) {
            *colon = '\0';
        }
        if (str_is_empty(text) || strchr(text, '\n') != NULL) {
            done =
                error_set(err, ERROR_INVALID, "%s: want a line such as \"pods: HTTP 503\"", path);
        } else {
            fleet_builder_miss(builder, member, text, colon != NULL ? colon + 2 : "not known");
        }
    }
    free(path);
    return done;
}

static bool
read_remarks(const struct fleet_directory *directory, struct fleet_builder *builder,
             struct error *err)
{
    bool done = true;

    for (size_t i = 0; i < directory->members.count && done; i++) {
        const char *member = directory->members.items[i];

        done = read_clock(directory, builder, member, err) &&
               read_gap(directory, builder, member, err);
    }
    return done;
}

static bool
look_elsewhere(const struct fleet_directory *directory, struct fleet_builder *builder,
               int64_t captured_at, struct error *err)
{
    const struct member_port *port = directory->port;

    return port == NULL || port->look(port->context, builder, captured_at, err);
}

static struct fleet *
build(struct fleet_directory *directory, struct fleet_builder *builder, struct error *err)
{
    int64_t captured_at;

    if (!fleet_files_list(directory, err) || !read_captured_at(directory, &captured_at, err) ||
        !read_remarks(directory, builder, err) || !read_files(directory, builder, err) ||
        !look_elsewhere(directory, builder, captured_at, err)) {
        return NULL;
    }
    struct fleet *fleet = fleet_builder_finish(builder, captured_at, err);

    if (fleet == NULL) {
        error_wrap(err, "%s",
                   directory->shape == FLEET_ON_STDIN ? "standard input" : directory->path);
    }
    return fleet;
}

void
fleet_directory_tap(struct fleet_directory *directory, const struct fleet_tap *tap)
{
    directory->tap = tap;
}

void
fleet_directory_expect(struct fleet_directory *directory, struct fleet_expectation expectation)
{
    directory->expectation = expectation;
}

void
fleet_directory_choose(struct fleet_directory *directory, struct member_choice choice,
                       const struct member_port *port)
{
    directory->choice = choice;
    directory->port = port;
}

void
fleet_directory_heed(struct fleet_directory *directory, const atomic_bool *stop)
{
    directory->stop = stop;
}

void
fleet_directory_watch(struct fleet_directory *directory, struct progress progress)
{
    directory->progress = progress;
}

struct fleet *
fleet_directory_read(struct fleet_directory *directory, struct error *err)
{
    struct fleet_builder *builder = fleet_builder_new();

    fleet_builder_tap(builder, directory->tap);
    struct fleet_expectation expectation = directory->expectation;

    expectation.choice = directory->choice;
    fleet_builder_expect(builder, expectation);
    struct fleet *fleet = build(directory, builder, err);

    progress_end(&directory->progress);
    fleet_builder_free(builder);
    return fleet;
}
