/* SPDX-License-Identifier: Apache-2.0
 *
 * Uids in 16 bytes.
 */
#include "ballast/model/uid.h"

#include <endian.h>
#include <string.h>

#include "ballast/base/str.h"

static const char digits[] = "0123456789abcdef";
/* Begin and length of each group of digits. */
static const struct {
    uint8_t at, count;
} groups[] = {{0, 8}, {9, 4}, {14, 4}, {19, 4}, {24, 12}};

#define ALL_BYTES(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Reads eight digits, the first one in the highest byte. False unless all are lower-case digits. */
static bool
read_digits(uint64_t text, uint64_t *ret)
{
    uint64_t is_letter = text >> 6 & ALL_BYTES(1);
    uint64_t value = (text & ALL_BYTES(0x0f)) + is_letter * 9;
    uint64_t is_above_9 = (value + ALL_BYTES(6)) >> 4 & ALL_BYTES(1);

    if ((text & ALL_BYTES(0xf0)) != ALL_BYTES(0x30) + is_letter * 0x30 || is_above_9 != is_letter ||
        (value & ALL_BYTES(0xf0)) != 0) {
        return false;
    }
    value = (value | value >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    value = (value | value >> 8) & UINT64_C(0x0000ffff0000ffff);
    *ret = *ret << 32 | ((value | value >> 16) & UINT32_MAX);
    return true;
}

/* Returns four characters at `first` and four at `second`. */
static uint64_t
load(const char *first, const char *second)
{
    uint64_t text;

    memcpy(&text, first, 4);
    memcpy((char *)&text + 4, second, 4);
    return be64toh(text);
}

bool
uid_pack(const char *text, size_t length, struct uid *ret)
{
    struct uid uid = {0, 0};

    if (length != UID_TEXT_MAX - 1 || text[8] != '-' || text[13] != '-' || text[18] != '-' ||
        text[23] != '-' || !read_digits(load(text, text + 4), &uid.high) ||
        !read_digits(load(text + 9, text + 14), &uid.high) ||
        !read_digits(load(text + 19, text + 24), &uid.low) ||
        !read_digits(load(text + 28, text + 32), &uid.low) || uid.low == 0) {
        return false;
    }
    *ret = uid;
    return true;
}

struct uid
uid_of(const char *text)
{
    struct uid uid;

    if (!uid_pack(text, strlen(text), &uid)) {
        uid = (struct uid){.high = str_is_empty(text) ? 0 : (uintptr_t)text};
    }
    return uid;
}

const char *
uid_text(const struct uid *uid, char room[UID_TEXT_MAX])
{
    if (uid->low == 0) {
        return uid->high == 0 ? "" : (const char *)(uintptr_t)uid->high;
    }
    memset(room, '-', UID_TEXT_MAX - 1);
    room[UID_TEXT_MAX - 1] = '\0';
    for (size_t i = 0, digit = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
        for (size_t j = 0; j < groups[i].count; j++, digit++) {
            uint64_t half = digit < 16 ? uid->high : uid->low;

            room[groups[i].at + j] = digits[half >> (60 - digit % 16 * 4) & 15];
        }
    }
    return room;
}

const char *
uid_keep_text(struct arena *arena, const struct uid *uid)
{
    char room[UID_TEXT_MAX];
    const char *text = uid_text(uid, room);

    return text == room ? arena_strndup(arena, room, UID_TEXT_MAX - 1) : text;
}

bool
uid_is_empty(const struct uid *uid)
{
    return uid->low == 0 && uid->high == 0;
}

bool
uid_eq(const struct uid *a, const struct uid *b)
{
    char room_of_a[UID_TEXT_MAX], room_of_b[UID_TEXT_MAX];

    return a->low != 0 || b->low != 0
               ? a->low == b->low && a->high == b->high /* each text has one packed form */
               : str_eq(uid_text(a, room_of_a), uid_text(b, room_of_b));
}

bool
uid_is(const struct uid *uid, const char *text)
{
    const struct uid other = uid_of(text);

    return uid_eq(uid, &other);
}
