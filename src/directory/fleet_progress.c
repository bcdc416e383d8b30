/* SPDX-License-Identifier: Apache-2.0
 *
 * How far the reading of a fleet in files is. What is shown are bytes of all
 * files: a fleet may be one long file, or thousands of short ones.
 */
#include <sys/stat.h>

#include "ballast/base/text.h"
#include "fleet_files.h"

#define KILO ((uint64_t)1000)
#define MEGA (KILO * KILO)
#define MEGA_FROM (10 * MEGA) /* below, megabytes are too coarse */
#define TEXT_MAX 256

static void
tell(void *context, const char *what, uint64_t done, uint64_t total)
{
    const struct fleet_progress *progress = context;
    uint64_t sum = progress->before + done;
    uint64_t most = progress->total > sum ? progress->total : sum;
    uint64_t unit = most >= MEGA_FROM ? MEGA : KILO;
    const char *name = unit == MEGA ? "MB" : "kB";
    char text[TEXT_MAX];

    (void)total;
    if (progress->total > 0) {
        text_print(text, sizeof(text), "reading %llu of %llu %s: %s",
                   (unsigned long long)(sum / unit), (unsigned long long)((most + unit - 1) / unit),
                   name, what);
    } else {
        text_print(text, sizeof(text), "reading %llu %s: %s", (unsigned long long)(sum / unit),
                   name, what);
    }
    progress_report(progress->watcher, text, 0, 0);
}

void
fleet_progress_begin(struct fleet_progress *ret, struct fleet_directory *directory)
{
    *ret = (struct fleet_progress){.watcher = &directory->progress};
    if (directory->progress.tell == NULL) {
        return;
    }
    ret->of_file = (struct progress){.context = ret, .tell = tell};
    for (size_t i = 0; i < directory->files.count && directory->shape != FLEET_ON_STDIN; i++) {
        struct fleet_file *file = &directory->files.items[i];
        struct stat info;

        if (stat(file->path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
            file->size = (uint64_t)info.st_size;
            ret->total += file->size;
        }
    }
}

void
fleet_progress_next(struct fleet_progress *progress, const struct fleet_file *done)
{
    progress->before += done->size;
}
