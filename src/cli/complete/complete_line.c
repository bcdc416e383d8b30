/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads an unfinished command line. Differs from options.c in that it skips errors: a completion
 * reports none.
 */
#include <string.h>

#include "ballast/base/vec.h"
#include "complete.h"

struct line_reader {
    const struct command *commands;
    const char *const *words;
    size_t count; /* the last word is the one to complete */
    size_t at;
    VEC_OF(struct option_use) uses;
    bool only_arguments;
    struct partial_line *ret;
};

static bool
is_known_flag(const char *word)
{
    return strncmp(word, "--", 2) == 0 && option_find(word + 2, strcspn(word + 2, "=")) != NULL;
}

/* Takes a flag before the last word, which may be its value. */
static void
take_flag(struct line_reader *reader, const struct option *option, const char *value)
{
    if (value == NULL && option->metavar != NULL) {
        if (reader->at + 2 == reader->count) {
            reader->ret->option = option;
            return;
        }
        value = reader->words[reader->at + 1];
        if (is_known_flag(value)) { /* the user forgot this flag's value */
            return;
        }
        reader->at++;
    }
    vec_add(&reader->uses,
            ((struct option_use){option, value != NULL ? value : "true", option->name}));
}

static void
take_letters(struct line_reader *reader, const char *letters)
{
    for (; *letters != '\0'; letters++) {
        const struct option *option = option_find_letter(*letters);
        const char *value = letters[1] == '=' ? letters + 2 : letters + 1;

        if (option == NULL) {
            return;
        }
        if (option->metavar != NULL || letters[1] == '=') {
            take_flag(reader, option, letters[1] != '\0' ? value : NULL);
            return;
        }
        take_flag(reader, option, NULL);
    }
}

static void
take_argument(struct line_reader *reader, const char *word)
{
    if (reader->ret->command == NULL && reader->ret->n_arguments == 0) {
        reader->ret->command = command_find(reader->commands, word);
    }
    reader->ret->n_arguments++;
}

static void
take_word(struct line_reader *reader, const char *word)
{
    if (reader->only_arguments || word[0] != '-' || word[1] == '\0') {
        take_argument(reader, word);
    } else if (str_eq(word, "--")) {
        reader->only_arguments = true;
    } else if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        const struct option *option = option_find(word + 2, length);

        if (option != NULL) {
            take_flag(reader, option, word[2 + length] == '=' ? word + 2 + length + 1 : NULL);
        }
    } else {
        take_letters(reader, word + 1);
    }
}

/* Marks the last word as a value from `value` on. */
static void
split(struct arena *arena, const char *word, const char *value, const struct option *option,
      struct partial_line *ret)
{
    ret->option = option;
    ret->before = arena_strndup(arena, word, (size_t)(value - word));
    ret->value = value;
}

/* Takes "-o", "-oj", "-o=j" and "-Aoj". */
static void
split_letters(struct arena *arena, const char *word, struct partial_line *ret)
{
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        const struct option *option = option_find_letter(*letter);

        if (option == NULL || letter[1] == '\0') {
            break;
        }
        if (option->metavar != NULL || letter[1] == '=') {
            split(arena, word, letter + (letter[1] == '=' ? 2 : 1), option, ret);
            return;
        }
    }
    ret->is_flag = true;
}

static void
read_last(const struct line_reader *reader, struct arena *arena, const char *word)
{
    struct partial_line *ret = reader->ret;

    ret->value = word;
    if (ret->option != NULL || reader->only_arguments || word[0] != '-') {
        return;
    }
    if (word[1] != '-') {
        split_letters(arena, word, ret);
    } else if (strchr(word, '=') == NULL) {
        ret->is_flag = true;
    } else {
        const char *value = strchr(word, '=') + 1;
        const struct option *option = option_find(word + 2, (size_t)(value - 1 - word - 2));

        if (option == NULL) {
            ret->is_flag = true;
        } else {
            split(arena, word, value, option, ret);
        }
    }
}

void
partial_line_read(const struct invocation *invocation, struct partial_line *ret)
{
    struct arena *arena = invocation->arena;
    const char *const *words = invocation->arguments;
    const size_t count = invocation->n_arguments;
    struct line_reader reader = {
        .commands = invocation->commands, .words = words, .count = count, .ret = ret};

    *ret = (struct partial_line){.before = "", .value = ""};
    for (; reader.at + 1 < count; reader.at++) {
        take_word(&reader, words[reader.at]);
    }
    read_last(&reader, arena, words[count - 1]);
    ret->n_arguments -= ret->command != NULL ? 1 : 0;
    ret->uses = vec_to_arena(&reader.uses, arena);
    ret->n_uses = reader.uses.count;
    vec_free(&reader.uses);
}
