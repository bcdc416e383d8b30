/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests/lint/narrowing must find, each marked, and what it must let be.
 */
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>

enum colour { RED, BLUE };

__extension__ typedef __int128 wide;
typedef size_t amount;

int64_t narrowing_take(int64_t number);

int64_t
narrowing_take(int64_t number)
{
    const wide product = (wide)number * number;
    const char *text = "12";
    int64_t sum = 0;

    sum += (int32_t)number;                                                     /* narrows */
    sum += (uint32_t)(number + 1);                                              /* narrows */
    sum += (int)(amount)number;                                                 /* narrows */
    sum += (unsigned)(&text[number] - text);                                    /* narrows */
    sum += (int64_t)product;                                                    /* narrows */
    sum += (int32_t)(uint32_t)sum;                                              /* narrows */
    sum += (int32_t)((double)number / 2);                                       /* narrows */
    sum += (int64_t)((long double)number / 2);                                  /* narrows */
    sum += (uint16_t)(uint8_t)text[0] + (int16_t)(sum > 0 ? text[0] - '0' : 1); /* narrows */

    sum += (int64_t)(uint8_t)text[0] + isdigit((unsigned char)text[0]);
    sum += (unsigned char)text[1] + (char)('0' + sum % 10);
    sum += (int)BLUE;
    return (int64_t)((wide)sum * 2 > product ? RED : BLUE);
}
