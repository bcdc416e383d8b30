/* SPDX-License-Identifier: Apache-2.0
 *
 * A summary: a file with all that one shard read of its members. It has objects cut down to what a
 * decision reads (ballast/kinds/prune.h), with settled ones folded (ballast/kinds/member_folder.h),
 * and says what could not be read, and why. A fleet whose members come from summaries equals the
 * fleet that one process reads.
 *
 *     ballast-summary v1alpha3 CHECKSUM BYTES        of all behind this line
 *     {"fleet":"https://...","cycle":"","shard":3,"shards":7,"observedAt":"...",...}
 *     {"member":"m1","saw":["Pod","Node"],...,"packed":[[BYTES,ORIGINAL],...]}
 *     pieces of so many bytes, one behind the other
 *     ...
 *
 * The section of a member in slices names them: "slices":[1,4],"of":5. Each piece is a part of the
 * text of Lists in JSON, compressed on its own (RFC 1950).
 *
 * The checksum tells a torn file from a whole one, and proves nothing else: anyone who may write
 * the files can write anything into them. So a reader checks all of it, and a summary counts only
 * for the members of its shard.
 */
#ifndef BALLAST_SHARDS_SUMMARY_H
#define BALLAST_SHARDS_SUMMARY_H

#include "ballast/kinds/decode.h"
#include "ballast/model/sources.h"
#include "ballast/shards/shards.h"
#include "ballast/shards/slices.h"

#define SUMMARY_MAX ((size_t)256 << 20) /* bytes of one summary */

/* A summary serves only readers with the same purpose. */
struct summary_purpose {
    const char *fleet;    /* the fleet: a server's URL, or a path */
    const char *cycle;    /* the run of the summary; "": any */
    const char *settings; /* settings that decide which objects are read */
};

/* Returns the settings that decide which objects a shard keeps, as a text, in `arena`. */
const char *summary_settings(struct arena *arena, const struct member_sources *sources,
                             bool keeps_pods, bool has_budgets);

struct summary_head {
    struct shard shard;
    struct summary_purpose purpose;
    int64_t observed_at;
};

/* --- writing --- */

struct summary_writer;

/* Returns a writer for a shard's members and slices; summary_writer_free() frees it. `now`: time of
 * the reading if the fleet has none. The texts of `slicing` must outlive the writer. */
struct summary_writer *summary_writer_new(struct shard shard, struct slicing slicing, int64_t now);
/* Frees a writer. NULL is fine. */
void summary_writer_free(struct summary_writer *writer);
/* Returns the tap for the one reading of the fleet; valid as long as the writer. */
const struct fleet_tap *summary_writer_tap(const struct summary_writer *writer);
/* Sets the purpose of the summary and copies its texts. Call it before summary_writer_finish(). */
void summary_writer_is_for(struct summary_writer *writer, struct summary_purpose purpose);
/* Appends the whole summary to `ret`, with the fleet's time of reading if it has one. Call it once
 * per reading: objects move into `ret`. False with LIMIT if the summary is too large. */
bool summary_writer_finish(struct summary_writer *writer, const struct fleet *fleet,
                           struct buf *ret, struct error *err);
/* Returns the shard of a writer. */
struct shard summary_writer_shard(const struct summary_writer *writer);
/* Returns the shard's part of the fleet; valid as long as the writer. */
const struct share *summary_writer_share(const struct summary_writer *writer);
/* Returns the number of members in the finished summary; *ret_sliced: those in slices. */
uint32_t summary_writer_members(const struct summary_writer *writer, uint32_t *ret_sliced);

/* Puts the first line, with the text's checksum, before a text, which is a whole summary then. */
void summary_seal(struct buf *text);

/* --- reading --- */

/* Compressed text. */
struct summary_piece {
    const char *bytes; /* in the parsed text */
    size_t length, original;
};

/* A problem of an object, with its place in the reading (see fleet_builder_at). */
struct summary_problem {
    struct problem problem;
    uint64_t place;
};

/* Part of a summary about one member, or about some of its slices. */
struct summary_section {
    const char *member;
    uint32_t n_slices; /* of the whole member */
    slice_set slices;  /* slices of this section */
    bool is_known;     /* the shard's fleet has this cluster */
    bool saw[N_MEMBER_PARTS];
    int64_t clock_offset;
    struct member_gap gap;
    const struct summary_problem *problems; /* of the member's objects */
    uint32_t n_problems;
    const struct summary_piece *pieces; /* together: Lists of the member's objects in JSON */
    uint32_t n_pieces;
    const char *packed; /* all pieces, in the parsed text */
    size_t length;
};

struct summary {
    struct summary_head head;
    const struct summary_section *sections; /* one per member of the shard */
    uint32_t n_sections;
};

/* Returns the parts of a summary, in `arena`; the text must outlive them. NULL with err: the text
 * is torn, of another version, or no summary. Does not check the objects. */
const struct summary *summary_parse(struct arena *arena, const char *text, size_t length,
                                    struct error *err);

/* All sections about one member, whole or in slices, in any order. */
struct summary_sections {
    const struct summary_section *const *items;
    uint32_t count;
};
/* Notes the sections' facts besides objects. Call it before any member's objects are added. */
void summary_sections_remark(const struct summary_sections *sections,
                             struct fleet_builder *builder);
/* Adds the objects of sections to a fleet under construction. False with err if they are malformed
 * or take more than `memory` bytes (0: no limit): *ret_bad is the bad section, and the member does
 * not count. Calls `done` (NULL: none) once a section's text is unused. */
bool summary_sections_add(const struct summary_sections *sections, struct fleet_builder *builder,
                          size_t memory, void (*done)(const struct summary_section *section),
                          const struct summary_section **ret_bad, struct error *err);

#endif
