/* SPDX-License-Identifier: Apache-2.0
 *
 * Digests against values of an independent SipHash-2-4-128 with the same key,
 * which itself gives the vector that SipHash's authors published.
 */
#include "../../src/fleet/digest.h"

#include "check.h"

static void
known_values(void)
{
    static const struct {
        uint64_t seed;
        const char *text;
        struct digest want;
    } cases[] = {
        {0, "", {UINT64_C(0x7f8278ffc044539e), UINT64_C(0x6210e58fd92b9ac1)}},
        {0, "a", {UINT64_C(0x02e5c49752af2fb5), UINT64_C(0xf0df26cc89887b5a)}},
        {116, "1234567", {UINT64_C(0xbc1671a38a5e7d56), UINT64_C(0x70533c2f53a972a0)}},
        {116, "12345678", {UINT64_C(0xe41b1765cc8cc164), UINT64_C(0x7d3b7d2b380c2ac7)}},
        {116,
         "123456789 123456789 123",
         {UINT64_C(0xe23105845a7bb3b3), UINT64_C(0x821abbed8c56d392)}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct digest got = digest_bytes(cases[i].seed, cases[i].text, strlen(cases[i].text));

        CHECK_MSG(got.high == cases[i].want.high && got.low == cases[i].want.low,
                  "\"%s\": got %016" PRIx64 " %016" PRIx64, cases[i].text, got.high, got.low);
    }
}

void suite_digest(void);

void
suite_digest(void)
{
    check_suite("digest");
    check_test("known values", known_values);
}
