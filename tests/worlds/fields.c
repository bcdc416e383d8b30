/* SPDX-License-Identifier: Apache-2.0
 *
 * Each field that the program asks objects for has several values in the worlds.
 */
#include "fields.h"

#include <stdio.h>
#include <string.h>

#include "seams.h"
#include "story.h"

static void
record_world(uint64_t seed)
{
    struct world world;
    struct run run;

    world_generate(&world, seed);
    seams_forget_values();
    seams_record(true);
    run_world(&world, 0, NULL, &run);
    seams_record(false);
    run_release(&run);
    world_free(&world);
}

/* Of every object, or of those of members: what kind it is, and whose. */
static bool
is_of_every_kind(const char *path)
{
    static const char *const members[] = {
        "apiVersion", "kind", "metadata.annotations",
        "metadata.annotations.resource.karmada.io/cached-from-cluster"};
    const char *rest = strchr(path, '.');

    for (size_t i = 0; rest != NULL && i < sizeof(members) / sizeof(members[0]); i++) {
        if (is(rest + 1, members[i])) {
            return true;
        }
    }
    return false;
}

/* A key without a prefix or a hyphen is one that a selector of the world looks for. So are labels
 * that the program knows to be added, and looks for where a template names them. */
static bool
is_of_selectors(const char *path)
{
    static const char *const added[] = {"statefulset.kubernetes.io/pod-name",
                                        "apps.kubernetes.io/pod-index",
                                        "job-name",
                                        "controller-uid",
                                        "batch.kubernetes.io/job-name",
                                        "batch.kubernetes.io/controller-uid"};

    for (size_t i = 0; i < sizeof(added) / sizeof(added[0]); i++) {
        if (strncmp(path, "label:", strlen("label:")) == 0 &&
            is(path + strlen("label:"), added[i])) {
            return true;
        }
    }
    return strncmp(path, "label:", strlen("label:")) == 0 && strpbrk(path, "/-") == NULL;
}

/* An object or list whose members have rows. */
static bool
has_members(const struct asked *all, size_t count, const char *path)
{
    size_t length = strlen(path);

    for (size_t i = 0; i < count; i++) {
        const char *rest = all[i].path + length;

        if (strncmp(all[i].path, path, length) == 0 &&
            (*rest == '.' || strncmp(rest, "[].", strlen("[].")) == 0)) {
            return true;
        }
    }
    return false;
}

static bool
is_fixed(const char *path)
{
    for (const struct fixed_field *row = fixed_fields; row->path != NULL; row++) {
        if (is(row->path, path)) {
            return true;
        }
    }
    return false;
}

/* `asked` has members of its own, or is one that no world has to vary. */
static bool
may_be_fixed(const struct asked *all, size_t count, const struct asked *asked)
{
    return is_fixed(asked->path) || is_of_every_kind(asked->path) || is_of_selectors(asked->path) ||
           has_members(all, count, asked->path);
}

static bool
check_row(const struct asked *all, size_t count, const struct fixed_field *row)
{
    for (size_t i = 0; i < count; i++) {
        if (is(all[i].path, row->path) && all[i].times > 0) {
            return true;
        }
    }
    printf("fields: %s stands in fields_fixed.c, and the program does not decode it\n", row->path);
    return false;
}

bool
check_fields(uint64_t worlds)
{
    bool fine = true;
    size_t count, varied = 0;

    for (uint64_t seed = 1; seed <= worlds; seed++) {
        record_world(seed);
    }
    const struct asked *asked = seams_asked(&count);

    for (size_t i = 0; i < count; i++) {
        if (asked[i].times == 0 || may_be_fixed(asked, count, &asked[i])) {
            continue;
        }
        varied++;
        if (asked[i].values < 2) {
            printf("fields: %s is decoded, and all worlds show one value of it, or none\n",
                   asked[i].path);
            fine = false;
        }
    }
    for (const struct fixed_field *row = fixed_fields; row->path != NULL; row++) {
        fine = check_row(asked, count, row) && fine;
    }
    seams_release();
    printf("fields: %zu, in %llu worlds: %s\n", varied, (unsigned long long)worlds,
           fine ? "all of them vary" : "failed");
    return fine;
}
