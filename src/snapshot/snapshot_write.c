/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of the fleet directory, made of what was spooled, with new names in
 * the place of marks; then it takes its name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/kinds/encode.h"
#include "snapshot_parts.h"

#define ANSWERS_API_VERSION "ballast.io/v1alpha1"
#define ANSWERS_KIND "EstimatorAnswers"
#define NAME_BYTES_MAX 255 /* of a directory */

/* Returns a name, given as a JSON string, as a directory name; NULL if it cannot be one. */
static const char *
directory_name(struct arena *arena, const struct buf *name)
{
    const char *text = buf_text(name) + 1;
    size_t length = name->length - 2;

    if (length == 0 || length > NAME_BYTES_MAX || text[0] == '.') {
        return NULL;
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < ' ' || strchr("/\\\"", text[i]) != NULL) {
            return NULL;
        }
    }
    return arena_strndup(arena, text, length);
}

/* Returns the directory of a list, made if missing. */
static const char *
list_directory(struct snapshot *snapshot, const char *member, struct error *err)
{
    const char *directory = "control-plane";

    if (!str_is_empty(member)) {
        struct buf mark;

        buf_init(&mark, SIZE_MAX / 2);
        buf_clear(&snapshot->text);
        prune_name(snapshot->pruner, member, &mark);
        pruner_reveal(snapshot->pruner, buf_text(&mark), mark.length, &snapshot->text);
        buf_release(&mark);
        const char *name = directory_name(snapshot->arena, &snapshot->text);

        if (name == NULL) {
            error_set(err, ERROR_INVALID, "member \"%s\": a directory cannot have that name",
                      member);
            return NULL;
        }
        directory = arena_printf(snapshot->arena, "members/%s", name);
    }
    return snapshot_make_directory(snapshot_path(snapshot, "fleet", directory, ""), err) ? directory
                                                                                         : NULL;
}

static bool
write_line(struct snapshot *snapshot, const char *line, size_t length, bool first, FILE *out)
{
    struct buf *text = &snapshot->text;

    buf_clear(text);
    buf_append_str(text, first ? "\n" : ",\n");
    pruner_reveal(snapshot->pruner, line, length, text);
    return !text->overflowed && fwrite(buf_text(text), 1, text->length, out) == text->length;
}

static bool
write_items(struct snapshot *snapshot, FILE *in, FILE *out)
{
    char *line = NULL;
    size_t capacity = 0;
    bool done = true;
    ssize_t length;

    for (bool first = true; done && (length = getline(&line, &capacity, in)) > 0; first = false) {
        done = write_line(snapshot, line, (size_t)length - 1, first, out);
    }
    free(line);
    return done && !ferror(in);
}

static FILE *
create_file(const char *path, struct error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;

    if (file == NULL) {
        error_set_errno(err, errno, "%s", path);
        if (fd >= 0) {
            close(fd);
        }
    }
    return file;
}

/* Closes the file. Earlier write errors show here. */
static bool
end_file(FILE *file, bool done, const char *path, struct error *err)
{
    bool written = done && !ferror(file);

    return (fclose(file) == 0 && written) || error_set_errno(err, errno, "%s", path);
}

static bool
write_list(struct snapshot *snapshot, struct snapshot_list *list, struct error *err)
{
    const char *directory = list_directory(snapshot, list->member, err);
    FILE *in = NULL;

    if (directory == NULL) {
        return false;
    }
    const char *path = snapshot_path(snapshot, "fleet", directory, list->target.file);

    if (list->spooled && (in = fopen(list->spool, "re")) == NULL) {
        return error_set_errno(err, errno, "%s", list->spool);
    }
    FILE *out = create_file(path, err);
    bool done = out != NULL &&
                fprintf(out, "{\"apiVersion\":\"v1\",\"kind\":\"%s\",\"items\":[",
                        list->target.list_kind) > 0 &&
                (in == NULL || write_items(snapshot, in, out)) && fputs("]}\n", out) >= 0;

    if (in != NULL) {
        fclose(in);
    }
    return out != NULL && end_file(out, done, path, err);
}

static bool
write_text(struct snapshot *snapshot, const char *name, const char *text, struct error *err)
{
    const char *path = snapshot_path(snapshot, "fleet", name, "");
    FILE *out = create_file(path, err);

    return out != NULL && end_file(out, fputs(text, out) >= 0, path, err);
}

static bool
make_layout(const struct snapshot *snapshot, struct error *err)
{
    static const char *const directories[] = {"", "control-plane", "members"};
    bool done = true;

    for (size_t i = 0; done && i < sizeof(directories) / sizeof(directories[0]); i++) {
        done = snapshot_make_directory(snapshot_path(snapshot, "fleet", directories[i], ""), err);
    }
    return done;
}

/* Writes the offsets of the members' clocks: times in their objects are unchanged. */
static bool
write_clocks(struct snapshot *snapshot, const struct fleet *fleet, struct error *err)
{
    bool done = true;

    for (uint32_t i = 0; done && i < fleet->n_clusters; i++) {
        const struct member *member = &fleet->members[i];
        char offset[DURATION_TEXT_MAX];
        const char *directory;

        if (member->clock_offset == 0) {
            continue;
        }
        directory = list_directory(snapshot, member->name, err);
        duration_format(member->clock_offset, offset);
        done = directory != NULL &&
               write_text(snapshot, arena_printf(snapshot->arena, "%s/clock-offset", directory),
                          arena_printf(snapshot->arena, "%s\n", offset), err);
    }
    return done;
}

/* Writes the unseen parts of members, so that a plan from the snapshot knows them. */
static bool
write_gaps(struct snapshot *snapshot, const struct fleet *fleet, struct error *err)
{
    bool done = true;

    for (uint32_t i = 0; done && i < fleet->n_clusters; i++) {
        const struct member *member = &fleet->members[i];
        const char *directory;

        if (member->gap.parts == NULL) {
            continue;
        }
        directory = list_directory(snapshot, member->name, err);
        done = directory != NULL &&
               write_text(snapshot, arena_printf(snapshot->arena, "%s/not-seen", directory),
                          arena_printf(snapshot->arena, "%s: %s\n", member->gap.parts,
                                       snapshot->redact ? "not told" : member->gap.message),
                          err);
    }
    return done;
}

static bool
write_definition(struct snapshot *snapshot, uint32_t purge_modes, struct error *err)
{
    struct buf text;

    buf_init(&text, SNAPSHOT_TEXT_MAX);
    purge_modes_encode(purge_modes, &text);
    bool done =
        write_text(snapshot, "control-plane/customresourcedefinitions.json", buf_text(&text), err);

    buf_release(&text);
    return done;
}

static bool
write_rest(struct snapshot *snapshot, const struct fleet *fleet, struct error *err)
{
    static const char descheduler[] =
        "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":"
        "\"karmada-descheduler\",\"namespace\":\"karmada-system\"}}\n";
    char time[TIMESTAMP_TEXT_MAX];

    if (!write_text(snapshot, "snapshot",
                    snapshot->redact ? "ballast.io/v1alpha1\nredacted\n" : "ballast.io/v1alpha1\n",
                    err)) {
        return false;
    }
    if (fleet->captured_at != TIME_NONE) {
        timestamp_format(fleet->captured_at, time);
        if (!write_text(snapshot, "captured-at", arena_printf(snapshot->arena, "%s\n", time),
                        err)) {
            return false;
        }
    }
    if (fleet_has_descheduler(fleet, fleet->captured_at) &&
        !write_text(snapshot, "control-plane/deployments.json", descheduler, err)) {
        return false;
    }
    return fleet->purge_modes == 0 || write_definition(snapshot, fleet->purge_modes, err);
}

static bool
write_fleet(struct snapshot *snapshot, const struct fleet *fleet, struct error *err)
{
    bool done = make_layout(snapshot, err);

    for (size_t i = 0; done && i < snapshot->lists.count; i++) {
        if (snapshot->lists.items[i].seen) {
            done = write_list(snapshot, &snapshot->lists.items[i], err);
        }
    }
    return done && write_clocks(snapshot, fleet, err) && write_gaps(snapshot, fleet, err) &&
           write_rest(snapshot, fleet, err);
}

static bool
has_answers(struct snapshot *snapshot, const char *member)
{
    return snapshot_find_list(snapshot, member, ANSWERS_KIND)->seen;
}

/* Estimators answer numbers and not objects. An object of Ballast's own holds the answers. */
static void
take_answers(struct snapshot *snapshot, const struct fleet *fleet)
{
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const struct member *member = &fleet->members[i];
        struct document *document;
        struct buf text;

        if (member->estimator.n_stuck + member->estimator.n_room + member->estimator.n_sets == 0 ||
            has_answers(snapshot, member->name)) {
            continue;
        }
        buf_init(&text, SNAPSHOT_TEXT_MAX);
        estimator_answers_encode(&member->estimator, &text);
        document = document_parse_json(buf_text(&text), text.length, 1, &snapshot->failure);
        if (document != NULL) {
            snapshot->tap.object(snapshot, &(struct fleet_object){document_root(document),
                                                                  ANSWERS_API_VERSION, ANSWERS_KIND,
                                                                  member->name, ADD_TAKEN});
        }
        document_free(document);
        buf_release(&text);
    }
}

bool
snapshot_finish(struct snapshot *snapshot, const struct fleet *fleet, struct error *err)
{
    const char *path = snapshot_path(snapshot, "fleet", "", "");
    struct buf ignored;

    take_answers(snapshot, fleet);
    buf_init(&ignored, SIZE_MAX / 2);
    for (size_t i = 0; i < snapshot->lists.count; i++) {
        snapshot_flush(snapshot, &snapshot->lists.items[i]);
        prune_name(snapshot->pruner, snapshot->lists.items[i].member, &ignored);
    }
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        prune_name(snapshot->pruner, fleet->clusters[i].name, &ignored);
    }
    buf_release(&ignored);
    pruner_finish(snapshot->pruner);
    if (snapshot->failure.code != ERROR_NONE) {
        *err = snapshot->failure;
        return false;
    }
    if (!write_fleet(snapshot, fleet, err)) {
        return false;
    }
    if (!snapshot_sync(path, err)) {
        return false;
    }
    if (rename(path, snapshot->path) != 0) {
        return error_set_errno(err, errno, "%s", snapshot->path);
    }
    return snapshot_sync_name(snapshot->path, err);
}
