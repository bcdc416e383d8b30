/* SPDX-License-Identifier: Apache-2.0
 *
 * What one shard saw of its members, as a file: objects cut down to what a
 * decision reads (ballast/kinds/prune.h), what is settled folded
 * (ballast/kinds/member_folder.h), what could not be seen, and why. A fleet whose
 * members come from summaries is the fleet that one process reads.
 *
 *     ballast-summary v1alpha3 CHECKSUM BYTES        of all behind this line
 *     {"fleet":"https://...","cycle":"","shard":3,"shards":7,"observedAt":"...",...}
 *     {"member":"m1","saw":["Pod","Node"],...,"packed":[[BYTES,ORIGINAL],...]}
 *     pieces of so many bytes, one behind the other
 *     ...
 *
 * A member that is cut says so: "slices":[1,4],"of":5. Each piece is a part of the text of Lists in
 * JSON, compressed on its own (RFC 1950), of so many bytes.
 *
 * The checksum tells a file that is torn from a whole one, and proves nothing
 * else: whoever may write the files may write what he likes into them. All of it
 * is checked, and what a summary says concerns only the members of its shard.
 */
#ifndef BALLAST_SHARDS_SUMMARY_H
#define BALLAST_SHARDS_SUMMARY_H

#include "ballast/kinds/decode.h"
#include "ballast/model/sources.h"
#include "ballast/shards/shards.h"
#include "ballast/shards/slices.h"

#define SUMMARY_MAX ((size_t)256 << 20) /* bytes of one */

/* What has to be the same for a summary to be of use. */
struct summary_purpose {
    const char *fleet;    /* which one it is: a server's URL, or a path */
    const char *cycle;    /* which run it is made for; "": any */
    const char *settings; /* what else decides what is looked at: see summary_settings */
};

/* The settings of a run that decide what a shard keeps, as a text to compare. */
const char *summary_settings(struct arena *arena, const struct member_sources *sources,
                             bool keeps_pods, bool has_budgets);

struct summary_head {
    struct shard shard;
    struct summary_purpose purpose;
    int64_t observed_at;
};

/* --- writing --- */

struct summary_writer;

/* Of the shard's members and slices, as whoever reads the fleet chooses them by share_choice; `now`
 * is when it is read where the fleet does not say. The texts of the share have to live as long. */
struct summary_writer *summary_writer_new(struct shard shard, struct slicing slicing, int64_t now);
void summary_writer_free(struct summary_writer *writer); /* NULL is fine */
/* What is to listen to the one reading. */
const struct fleet_tap *summary_writer_tap(const struct summary_writer *writer);
/* To be called before it is finished; the texts are copied. */
void summary_writer_is_for(struct summary_writer *writer, struct summary_purpose purpose);
/* The fleet that was read; when that was goes into the summary, where the fleet says it. Once a
 * reading: what was told goes into `ret` bit by bit, and is not kept. */
bool summary_writer_finish(struct summary_writer *writer, const struct fleet *fleet,
                           struct buf *ret, struct error *err);
struct shard summary_writer_shard(const struct summary_writer *writer);
/* Its own part of the fleet, valid as long as the writer. */
const struct share *summary_writer_share(const struct summary_writer *writer);
/* How many members are in it, and how many of them in slices. */
uint32_t summary_writer_members(const struct summary_writer *writer, uint32_t *ret_sliced);

/* Puts the first line, with the checksum of the text, before it: a whole summary. */
void summary_seal(struct buf *text);

/* --- reading --- */

/* Compressed text. */
struct summary_piece {
    const char *bytes; /* in the text that was parsed */
    size_t length, original;
};

/* A problem of an object, with its place in the reading (see fleet_builder_at). */
struct summary_problem {
    struct problem problem;
    uint64_t place;
};

/* What is said of one member, or of slices of one. */
struct summary_section {
    const char *member;
    uint32_t n_slices; /* of the member */
    slice_set slices;  /* of which this tells */
    bool is_known;     /* the shard saw a cluster of that name */
    bool saw[N_MEMBER_PARTS];
    int64_t clock_offset;
    struct member_gap gap;
    const struct summary_problem *problems; /* of its objects */
    uint32_t n_problems;
    const struct summary_piece *pieces; /* together: Lists of its objects, in JSON */
    uint32_t n_pieces;
    const char *packed; /* all of them, in the text that was parsed */
    size_t length;
};

struct summary {
    struct summary_head head;
    const struct summary_section *sections; /* one a member, each of them the shard's own */
    uint32_t n_sections;
};

/* In `arena`; the text must live as long. NULL with err: it is torn, of another version, or none at
 * all. What the objects are is not looked at. */
const struct summary *summary_parse(struct arena *arena, const char *text, size_t length,
                                    struct error *err);

/* All that is said of one member: a section, or those that have all of its slices, in any order. */
struct summary_sections {
    const struct summary_section *const *items;
    uint32_t count;
};
/* What is said of a member beside its objects: to be added before the objects of any. */
void summary_sections_remark(const struct summary_sections *sections,
                             struct fleet_builder *builder);
/* Its objects into a fleet under construction. false with err: they are none, or take more than
 * `memory` bytes (0: no bound), and *ret_bad is the section to blame; then nothing of the member
 * counts. `done` is told when the text of a section is not needed any more; NULL: nobody is. */
bool summary_sections_add(const struct summary_sections *sections, struct fleet_builder *builder,
                          size_t memory, void (*done)(const struct summary_section *section),
                          const struct summary_section **ret_bad, struct error *err);

#endif
