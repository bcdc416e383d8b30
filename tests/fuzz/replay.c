/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a fuzz target once on every file of the given directories: the corpus as
 * an ordinary test, without libFuzzer.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
replay_file(const char *path)
{
    struct stat info;
    FILE *file = fopen(path, "rb");

    if (file == NULL || fstat(fileno(file), &info) != 0) {
        perror(path);
        return false;
    }
    size_t size = (size_t)info.st_size;
    uint8_t *data = malloc(size > 0 ? size : 1); /* exact, so that an overrun is seen */
    bool complete = data != NULL && fread(data, 1, size, file) == size;

    fclose(file);
    if (complete) {
        LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    return complete;
}

static bool
replay_directory(const char *directory, unsigned *count)
{
    DIR *stream = opendir(directory);
    bool fine = stream != NULL;

    if (!fine) {
        perror(directory);
        return false;
    }
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        char path[4096];

        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
        fine = replay_file(path) && fine;
        ++*count;
    }
    closedir(stream);
    return fine;
}

int
main(int argc, char **argv)
{
    unsigned count = 0;
    bool fine = true;

    for (int i = 1; i < argc; i++) {
        fine = replay_directory(argv[i], &count) && fine;
    }
    printf("%s: %u inputs replayed\n", argv[0], count);
    return fine && count > 0 ? 0 : 1;
}
