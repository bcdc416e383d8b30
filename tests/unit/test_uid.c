/* SPDX-License-Identifier: Apache-2.0
 *
 * Uids in 16 bytes, and those that do not fit.
 */
#include "ballast/model/uid.h"
#include "check.h"

#define UUID "0e1c6a5e-6f0b-4c36-9c9b-5a6f7d3c2b10"

static void
test_packed(void)
{
    static const char *const texts[] = {
        UUID,
        "00000000-0000-0000-0000-000000000001",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "01234567-89ab-cdef-8123-456789abcdef",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        char room[UID_TEXT_MAX];
        struct uid uid = {0, 0};

        CHECK(uid_pack(texts[i], strlen(texts[i]), &uid));
        CHECK_STR(uid_text(&uid, room), texts[i]);
        CHECK(uid_text(&uid, room) == room);
        CHECK(uid_is(&uid, texts[i]));
        CHECK(!uid_is_empty(&uid));
        for (size_t j = 0; j < sizeof(texts) / sizeof(texts[0]); j++) {
            const struct uid other = uid_of(texts[j]);

            CHECK_INT(uid_eq(&uid, &other), i == j);
        }
    }
}

/* Of these the text stays: what is written back and hashed is the same to the byte. */
static void
test_other_texts(void)
{
    static const char *const texts[] = {
        "u",
        "uid-3-1",
        "0E1C6A5E-6F0B-4C36-9C9B-5A6F7D3C2B10",
        "0e1c6a5e-6f0b-4c36-9c9b-5a6f7d3c2b1",
        "0e1c6a5e-6f0b-4c36-9c9b-5a6f7d3c2b100",
        "0e1c6a5e06f0b-4c36-9c9b-5a6f7d3c2b10",
        "0e1c6a5e-6f0b04c36-9c9b-5a6f7d3c2b10",
        "0e1c6a5e-6f0b-4c3609c9b-5a6f7d3c2b10",
        "0e1c6a5e-6f0b-4c36-9c9b05a6f7d3c2b10",
        "0e1c6a5e-6f0b-4c36-9c9b-5a6f7d3c2b1g",
        "-e1c6a5e-6f0b-4c36-9c9b-5a6f7d3c2b10",
        "0e1c6a5e-6f0b-4c36-0000-000000000000", /* no half of it may be 0 */
    };
    const struct uid packed = uid_of(UUID);

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        const struct uid uid = uid_of(texts[i]);
        char room[UID_TEXT_MAX];
        struct uid untouched = packed;

        CHECK(!uid_pack(texts[i], strlen(texts[i]), &untouched));
        CHECK(uid_eq(&untouched, &packed));
        CHECK(uid_text(&uid, room) == texts[i]);
        CHECK(!uid_is_empty(&uid));
        CHECK(!uid_eq(&uid, &packed));
        for (size_t j = 0; j < sizeof(texts) / sizeof(texts[0]); j++) {
            CHECK_INT(uid_is(&uid, texts[j]), i == j);
        }
    }
}

/* Each byte in each place. */
static void
test_digits(void)
{
    unsigned wrong = 0;

    for (size_t at = 0; at < UID_TEXT_MAX - 1; at++) {
        for (int byte = 0; byte < 256; byte++) {
            char text[] = UUID, room[UID_TEXT_MAX];
            bool is_dash = text[at] == '-';
            struct uid uid;

            text[at] = (char)byte;
            bool fits =
                is_dash ? byte == '-' : byte != 0 && strchr("0123456789abcdef", byte) != NULL;

            wrong += uid_pack(text, UID_TEXT_MAX - 1, &uid) != fits ? 1 : 0;
            wrong += fits && strcmp(uid_text(&uid, room), text) != 0 ? 1 : 0;
        }
    }
    CHECK_INT(wrong, 0);
}

static void
test_none(void)
{
    const struct uid none = {0, 0}, of_none = uid_of(""), some = uid_of("u");
    char room[UID_TEXT_MAX];

    CHECK(uid_is_empty(&none));
    CHECK(uid_is_empty(&of_none));
    CHECK(uid_eq(&none, &of_none));
    CHECK_STR(uid_text(&none, room), "");
    CHECK(!uid_eq(&none, &some));
}

static void
test_kept(void)
{
    struct arena *arena = arena_new();
    const char *text = "of its own";
    const struct uid packed = uid_of(UUID), other = uid_of(text);

    CHECK_STR(uid_keep_text(arena, &packed), UUID);
    CHECK(uid_keep_text(arena, &other) == text);
    arena_free(arena);
}

void suite_uid(void);

void
suite_uid(void)
{
    check_suite("uid");
    check_test("as API servers write them", test_packed);
    check_test("other texts", test_other_texts);
    check_test("each byte", test_digits);
    check_test("none", test_none);
    check_test("kept", test_kept);
}
