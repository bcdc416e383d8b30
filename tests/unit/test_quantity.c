/* SPDX-License-Identifier: Apache-2.0
 *
 * Quantities against what apimachinery's resource package answers: the tables
 * hold its Value() and MilliValue().
 */
#include "ballast/model/quantity.h"

#include <math.h>

#include "check.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct conversion {
    const char *text;
    int64_t value;
    int64_t milli;
};

static const struct conversion conversions[] = {
    {"0", 0, 0},
    {"0n", 0, 0},
    {"0u", 0, 0},
    {"0m", 0, 0},
    {"0Ki", 0, 0},
    {"0k", 0, 0},
    {"0Mi", 0, 0},
    {"0M", 0, 0},
    {"00", 0, 0},
    {"-0", 0, 0},
    {"+0", 0, 0},
    {".", 0, 0},
    {"-", 0, 0},
    {"+", 0, 0},
    {".m", 0, 0},
    {"5.", 5, 5000},
    {".5", 1, 500},
    {"1.", 1, 1000},
    {"1.Ki", 1024, 1024000},
    {"00.00", 0, 0},
    {"1n", 1, 1},
    {"1u", 1, 1},
    {"1m", 1, 1},
    {"100m", 1, 100},
    {"1500m", 2, 1500},
    {"999999999n", 1, 1000},
    {"1000000001n", 2, 1001},
    {"0.1m", 1, 1},
    {"1e-3", 1, 1},
    {"1e-9", 1, 1},
    {"1e-10", 1, 1},
    {"0.1n", 1, 1},
    {"0.0000000001", 1, 1},
    {"0.00000000149", 1, 1},
    {"-0.1", -1, -100},
    {"-1500m", -2, -1500},
    {"-1m", -1, -1},
    {"1", 1, 1000},
    {"10", 10, 10000},
    {"1k", 1000, 1000000},
    {"2M", 2000000, 2000000000},
    {"3G", INT64_C(3000000000), INT64_C(3000000000000)},
    {"4T", INT64_C(4000000000000), INT64_C(4000000000000000)},
    {"5P", INT64_C(5000000000000000), INT64_C(5000000000000000000)},
    {"1E1", 10, 10000},
    {"1E3", 1000, 1000000},
    {"1e3", 1000, 1000000},
    {"1e+3", 1000, 1000000},
    {"1E-3", 1, 1},
    {"1e0", 1, 1000},
    {"1e4294967296", 1, 1000},
    {"12.5e-1", 2, 1250},
    {"251084e0", 251084, 251084000},
    {"63512e06", INT64_C(63512000000), INT64_C(63512000000000)},
    {"1Ki", 1024, 1024000},
    {"8Ki", 8192, 8192000},
    {"7Mi", 7340032, INT64_C(7340032000)},
    {"6Gi", INT64_C(6442450944), INT64_C(6442450944000)},
    {"5Ti", INT64_C(5497558138880), INT64_C(5497558138880000)},
    {"4Pi", INT64_C(4503599627370496), INT64_C(4503599627370496000)},
    {"0.5Ki", 512, 512000},
    {"1.5Ki", 1536, 1536000},
    {"0.5Mi", 524288, 524288000},
    {"0.025Ti", INT64_C(27487790695), INT64_C(27487790694400)},
    {"1.000001Ki", 1025, 1024002},
    {"185.375Gi", INT64_C(199044890624), INT64_C(199044890624000)},
    {"0.0001Ki", 1, 103},
    {"0.0000001Ki", 1, 1},
    {"0.001Ki", 2, 1024},
    {"9223372036854775807m", INT64_C(9223372036854776), INT64_C(9223372036854775807)},
    {"9223372036854775807n", INT64_C(9223372037), INT64_C(9223372036855)},
    {"1234567890123Ki", INT64_C(1264197519485952), INT64_C(1264197519485952000)},
    {"000000000000000000000000000001", 1, 1000},
    {"0.000000000000000000000000000001", 1, 1},
    {"1.00000000000000000000000000001", 2, 1001},
    {"12.123456789123456789", 13, 12124},
    {"100035m", 101, 100035},
    {"0.05", 1, 50},
    {"99.9999999999999999Ki", 102400, 102400000},
    {"3.333333333Gi", INT64_C(3579139413), INT64_C(3579139412976)},
    {"1.7P", INT64_C(1700000000000000), INT64_C(1700000000000000000)},
    {"9007199254740993m", INT64_C(9007199254741), INT64_C(9007199254740993)},
};

/* Beyond int64, in units or milli-units: low bits or 0, depending on how upstream holds it. */
static const struct conversion overflows[] = {
    {"6E", INT64_C(6000000000000000000), 0},
    {"9E", INT64_C(9000000000000000000), 0},
    {"10E", 0, 0},
    {"1E", INT64_C(1000000000000000000), 0},
    {"1e18", INT64_C(1000000000000000000), 0},
    {"1e19", 0, 0},
    {"1e30", 0, 0},
    {"3Ei", INT64_C(3458764513820540928), INT64_MIN},
    {"7Ei", INT64_C(8070450532247928832), INT64_MIN},
    {"8Ei", INT64_C(9223372036854775807), -1000},
    {"9Ei", INT64_C(9223372036854775807), -1000},
    {"100Ei", INT64_C(9223372036854775807), -1000},
    {"3.01Ei", INT64_C(3470293728866609398), INT64_C(2305843009213693952)},
    {"9223372036854775807", INT64_C(9223372036854775807), -1000},
    {"9223372036854775808", INT64_MIN, 0},
    {"18446744073709551616", 0, 0},
    {"10000000000000000000", INT64_C(-8446744073709551616), INT64_C(1864712049423024128)},
    {"9.223372036854775807E", INT64_C(9223372036854775807), -1000},
    {"9223372036854775.807k", INT64_C(9223372036854775807), -1000},
    {"999999999999999999", INT64_C(999999999999999999), INT64_C(3875820019684211736)},
    {"123456789012345678901234567890n", INT64_C(-5670419503621182410),
     INT64_C(-7269072992350064653)},
    {"14P", INT64_C(14000000000000000), 0},
};

/* Negative amounts that upstream holds as big decimals are truncated, then raised by one. */
static const struct conversion big_negatives[] = {
    {"-0.1n", 1, 1},
    {"-0.001Ki", 0, -1024},
    {"-0.1Ki", -101, -102400},
    {"-1.1Ki", -1125, -1126400},
};

/* Where we differ: upstream shows these as 0 or as something positive. */
static const struct conversion too_negative[] = {
    {"-9Ei", -INT64_MAX, INT64_MIN},
    {"-9223372036854775808", INT64_MIN, INT64_MIN},
    {"-10E", INT64_MIN, INT64_MIN},
    {"-100E", INT64_MIN, INT64_MIN},
    {"-185.375Gi", INT64_C(-199044890624), INT64_C(-199044890624000)},
};

static const char *const malformed[] = {"",
                                        "x",
                                        "1x",
                                        "1i",
                                        "1Kii",
                                        "1KI",
                                        "1ki",
                                        "1mi",
                                        "1K",
                                        "1g",
                                        "1e",
                                        "1ee3",
                                        "1eE3",
                                        "1e3e",
                                        "1e3.5",
                                        "1e+-3",
                                        "1e+",
                                        "1e-",
                                        "1Ki3",
                                        "1m3",
                                        "3-",
                                        "3+2",
                                        "--1",
                                        "+-1",
                                        "1.2.3",
                                        "..",
                                        "..5",
                                        "0x10",
                                        "1_000",
                                        "1,5",
                                        "1e99999999999999999999",
                                        ".e-10",
                                        "-e-10",
                                        "1NaN",
                                        "Inf",
                                        "1Mi1",
                                        "1uu",
                                        "1EE",
                                        "1E+",
                                        "1 Ki",
                                        "1Zi",
                                        "1y"};

static struct quantity
parsed(const char *text)
{
    struct quantity q = {0};
    struct error err = ERROR_INIT;

    CHECK_MSG(quantity_parse(text, strlen(text), &q, &err), "\"%s\": %s", text, err.message);
    return q;
}

static void
check_conversions(const struct conversion *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct quantity q = parsed(table[i].text);

        CHECK_MSG(quantity_value(q) == table[i].value, "Value of %s: got %jd, want %jd",
                  table[i].text, (intmax_t)quantity_value(q), (intmax_t)table[i].value);
        CHECK_MSG(quantity_milli_value(q) == table[i].milli, "MilliValue of %s: got %jd, want %jd",
                  table[i].text, (intmax_t)quantity_milli_value(q), (intmax_t)table[i].milli);
    }
}

static void
test_values_round_up_away_from_zero(void)
{
    check_conversions(conversions, COUNT(conversions));
}

static void
test_overflow_is_upstreams(void)
{
    check_conversions(overflows, COUNT(overflows));
}

static void
test_big_negatives_round_as_upstream(void)
{
    check_conversions(big_negatives, COUNT(big_negatives));
}

static void
test_too_negative_stays_negative(void)
{
    check_conversions(too_negative, COUNT(too_negative));
}

static void
test_malformed_is_refused_and_says_why(void)
{
    for (size_t i = 0; i < COUNT(malformed); i++) {
        struct quantity q = {.nano = 7};
        struct error err = ERROR_INIT;

        CHECK_MSG(!quantity_parse(malformed[i], strlen(malformed[i]), &q, &err),
                  "\"%s\" was accepted", malformed[i]);
        CHECK_CONTAINS(err.message, "want a quantity");
        CHECK_INT(err.code, ERROR_INVALID);
        CHECK_MSG(q.nano == 7, "\"%s\" touched its output", malformed[i]);
    }
}

static void
test_white_space_around_is_ignored_as_in_json(void)
{
    CHECK_INT(quantity_value(parsed(" \t12Ki\r\n")), 12288);
    struct quantity q;
    struct error err = ERROR_INIT;

    CHECK(!quantity_parse("   ", 3, &q, &err));
    CHECK(!quantity_parse("1 Ki", 4, &q, &err));
}

static void
test_length_bounds_the_text(void)
{
    struct quantity q;
    struct error err = ERROR_INIT;

    CHECK_OK(quantity_parse("123Mi", 3, &q, &err), err);
    CHECK_INT(quantity_value(q), 123);
    CHECK(!quantity_parse("1\0002", 3, &q, &err));
}

/* Every suffix times a spread of integers, against plain 128-bit arithmetic. */
static void
test_suffixes_multiply(void)
{
    static const struct {
        const char *text;
        int64_t factor;
    } suffixes[] = {
        {"", 1},
        {"k", 1000},
        {"M", 1000000},
        {"G", 1000000000},
        {"T", INT64_C(1000000000000)},
        {"P", INT64_C(1000000000000000)},
        {"Ki", INT64_C(1) << 10},
        {"Mi", INT64_C(1) << 20},
        {"Gi", INT64_C(1) << 30},
        {"Ti", INT64_C(1) << 40},
        {"Pi", INT64_C(1) << 50},
        {"Ei", INT64_C(1) << 60},
    };

    for (size_t s = 0; s < COUNT(suffixes); s++) {
        for (int64_t n = 1; n <= INT64_MAX / suffixes[s].factor / 2; n = n * 2 + 1) {
            char text[64];

            snprintf(text, sizeof(text), "%" PRId64 "%s", n, suffixes[s].text);
            struct quantity q = parsed(text);

            CHECK_MSG(q.nano == (nanos128)n * suffixes[s].factor * 1000000000, "%s", text);
            CHECK_MSG(quantity_value(q) == n * suffixes[s].factor, "%s", text);
        }
    }
}

static void
test_long_texts_are_exact_to_a_nano(void)
{
    char zeros[4096];

    memset(zeros, '0', sizeof(zeros));
    zeros[0] = '1';
    zeros[1] = '.';
    zeros[sizeof(zeros) - 4] = '1'; /* far behind the point, and it still counts */
    memcpy(zeros + sizeof(zeros) - 3, "Ki", 3);
    CHECK(parsed(zeros).nano == (nanos128)1024 * 1000000000 + 1);

    memset(zeros, '9', sizeof(zeros) - 1);
    CHECK(parsed(zeros).nano == (nanos128)(~(unsigned __int128)0 >> 1));
    CHECK(parsed("1e2147483647").nano == parsed(zeros).nano);
    CHECK(parsed("1e-2147483647").nano == 1);
}

struct sum {
    const char *a;
    const char *b;
    int64_t difference;
    int64_t difference_milli;
    int64_t sum;
    int64_t sum_milli;
};

static const struct sum sums[] = {
    {"1", "1", 0, 0, 2, 2000},
    {"10", "20", -10, -10000, 30, 30000},
    {"1Gi", "1G", 73741824, INT64_C(73741824000), 2073741824, INT64_C(2073741824000)},
    {"500m", "1", -1, -500, 2, 1500},
    {"1.5", "0.7", 1, 800, 3, 2200},
    {"100Mi", "1n", 104857600, INT64_C(104857600000), 104857601, INT64_C(104857600001)},
    {"0.5Ki", "512.3", 1, -300, 1025, 1024300},
    {"1234567890123Ki", "1", INT64_C(1264197519485951), INT64_C(1264197519485951000),
     INT64_C(1264197519485953), INT64_C(1264197519485953000)},
    {"14P", "6Mi", INT64_C(13999999993708544), INT64_C(-4446744080001007616),
     INT64_C(14000000006291456), INT64_C(-4446744067418095616)},
    {"9E", "9E", 0, 0, 0, 0},
    {"9223372036854775807", "1", INT64_C(9223372036854775806), -2000, INT64_MIN, 0},
    {"5k", "0", 5000, 5000000, 5000, 5000000},
    {"0", "5k", -5000, -5000000, 5000, 5000000},
    {"0Ki", "1500m", -2, -1500, 2, 1500},
    {"185.375Gi", "3Gi", INT64_C(195823665152), INT64_C(195823665152000), INT64_C(202266116096),
     INT64_C(202266116096000)},
    {"3.3Gi", "1.1Gi", INT64_C(2362232013), INT64_C(2362232012800), INT64_C(4724464026),
     INT64_C(4724464025600)},
    {"999999999999999999", "0.001", INT64_C(999999999999999999), INT64_C(3875820019684211735),
     INT64_C(1000000000000000000), INT64_C(3875820019684211737)},
    {"1E", "1n", INT64_C(1000000000000000000), INT64_C(3875820019684212736),
     INT64_C(1000000000000000001), INT64_C(3875820019684212737)},
    {"1P", "1u", INT64_C(1000000000000000), INT64_C(1000000000000000000), INT64_C(1000000000000001),
     INT64_C(1000000000000000001)},
    {"64", "63900m", 1, 100, 128, 127900},
    {"2Ti", "512Mi", INT64_C(2198486384640), INT64_C(2198486384640000), INT64_C(2199560126464),
     INT64_C(2199560126464000)},
    {"1m", "1", -1, -999, 2, 1001},
    {"9.5Ei", "1Ei", INT64_C(8070450532247928831), INT64_C(9223372036854774808),
     INT64_C(-8070450532247928833), INT64_C(9223372036854774808)},
};

static struct quantity
negative(struct quantity q)
{
    q.nano = -q.nano;
    return q;
}

static void
test_arithmetic_is_upstreams(void)
{
    for (size_t i = 0; i < COUNT(sums); i++) {
        const struct sum *s = &sums[i];
        struct quantity difference = quantity_sub(parsed(s->a), parsed(s->b));
        struct quantity sum = quantity_sub(parsed(s->a), negative(parsed(s->b)));

        CHECK_MSG(quantity_value(difference) == s->difference &&
                      quantity_milli_value(difference) == s->difference_milli,
                  "%s - %s: got %jd, %jdm", s->a, s->b, (intmax_t)quantity_value(difference),
                  (intmax_t)quantity_milli_value(difference));
        CHECK_MSG(quantity_value(sum) == s->sum && quantity_milli_value(sum) == s->sum_milli,
                  "%s + %s: got %jd, %jdm", s->a, s->b, (intmax_t)quantity_value(sum),
                  (intmax_t)quantity_milli_value(sum));
    }
}

/* 9.5 GB short, in a notation for which upstream sees 9 GB free. */
static void
test_overcommitment_never_looks_like_room(void)
{
    struct quantity left = quantity_sub(parsed("0.5Gi"), parsed("10G"));

    CHECK_INT(quantity_value(left), INT64_C(-9463129088));
    CHECK_INT(quantity_milli_value(left), INT64_C(-9463129088000));
}

static void
test_comparison_is_by_amount(void)
{
    static const struct {
        const char *a, *b;
        int order;
    } table[] = {
        {"500m", "0.5", 0},  {"1", "1000m", 0},    {"1Ki", "1024", 0},      {"1e3", "1k", 0},
        {"1Gi", "1G", 1},    {"-1", "1n", -1},     {"0", "-0", 0},          {"1n", "0", 1},
        {"10E", "9E", 1},    {"0.1n", "1n", 0},    {"1.5Gi", "1536Mi", 0},  {"9Ei", "8Ei", 0},
        {"1e30", "1e29", 1}, {"-5Gi", "-4Gi", -1}, {"100.1Ki", "100Ki", 1},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        int got = quantity_cmp(parsed(table[i].a), parsed(table[i].b));

        CHECK_MSG(got == table[i].order, "%s <=> %s: got %d", table[i].a, table[i].b, got);
        CHECK_INT(quantity_cmp(parsed(table[i].b), parsed(table[i].a)), -got);
    }
}

static void
test_integers_and_reals(void)
{
    struct quantity q;

    CHECK_INT(quantity_value(quantity_from_int(INT64_MIN)), INT64_MIN);
    CHECK_INT(quantity_milli_value(quantity_from_int(-7)), -7000);
    CHECK(quantity_from_real(0.1, &q));
    CHECK_INT(quantity_cmp(q, parsed("100m")), 0);
    CHECK(quantity_from_real(-1.5, &q));
    CHECK_INT(quantity_value(q), -2);
    CHECK(quantity_from_real(2.5e20, &q));
    CHECK_INT(quantity_cmp(q, parsed("250E")), 0);
    CHECK(quantity_from_real(1e-300, &q));
    CHECK_INT(quantity_value(q), 1);
    CHECK(!quantity_from_real(INFINITY, &q));
    CHECK(!quantity_from_real(NAN, &q));
}

static void
test_lists_are_searched_by_name(void)
{
    const struct resource_quantity items[] = {
        {"cpu", {0}}, {"memory", {.nano = 5}}, {"nvidia.com/gpu", {0}}, {"pods", {0}}};
    const struct resource_amount amounts[] = {{"cpu", 3}, {"memory", 0}, {"pods", 110}};
    struct resource_list list = {.items = items, .count = COUNT(items), .present = true};
    struct resource_amounts short_list = {.items = amounts, .count = COUNT(amounts)};

    for (size_t i = 0; i < COUNT(items); i++) {
        CHECK(resource_list_find(&list, items[i].name) == &items[i].amount);
    }
    CHECK(resource_list_find(&list, "cp") == NULL);
    CHECK(resource_list_find(&list, "podss") == NULL);
    CHECK(resource_list_find(&(struct resource_list){0}, "cpu") == NULL);
    CHECK_INT(resource_amounts_find(&short_list, "pods"), 110);
    CHECK_INT(resource_amounts_find(&short_list, "storage"), 0);
    /* cpu is counted in thousandths, all else in units */
    CHECK_INT((int64_t)resource_amount_nanos("cpu", 3), 3000000);
    CHECK_INT((int64_t)resource_amount_nanos("pods", 110), INT64_C(110000000000));
    CHECK(resource_amount_nanos("memory", INT64_MAX) == (nanos128)INT64_MAX * 1000000000);
}

static void
test_resource_name_classes(void)
{
    static const struct {
        const char *name;
        bool scalar, counts;
    } table[] = {
        {"cpu", false, true},
        {"memory", false, true},
        {"ephemeral-storage", false, true},
        {"pods", false, false},
        {"storage", false, false},
        {"foo", false, false},
        {"nvidia.com/gpu", true, true},
        {"example.com/fpga", true, true},
        {"requests.nvidia.com/gpu", false, false},
        {"kubernetes.io/batch-cpu", true, true},
        {"sub.kubernetes.io/thing", true, true},
        {"hugepages-2Mi", true, true},
        {"attachable-volumes-csi-x", true, true},
        {"Example.com/gpu", false, false},
        {"example.com/", false, false},
        {"a/b/c", false, false},
        {"/gpu", false, false}, /* "requests./gpu" ends in a dot before the slash */
        {"example.com/-gpu", false, false},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        CHECK_MSG(resource_name_is_scalar(table[i].name) == table[i].scalar &&
                      resource_name_counts_on_node(table[i].name) == table[i].counts,
                  "%s is misjudged", table[i].name);
    }
    char name[600];

    memset(name, 'a', sizeof(name));
    memcpy(name + sizeof(name) - 5, "/gpu", 5);
    CHECK(!resource_name_is_scalar(name));
    /* 253 characters with "requests." before it is the most. */
    CHECK(resource_name_is_scalar(name + sizeof(name) - 5 - 244));
    CHECK(!resource_name_is_scalar(name + sizeof(name) - 5 - 245));
}

static void
test_written_as_upstream_writes_decimals(void)
{
    static const struct {
        const char *text, *want;
    } table[] = {
        {"0", "0"},
        {"0Ki", "0"},
        {"1", "1"},
        {"0.1", "100m"},
        {"100m", "100m"},
        {"1500m", "1500m"},
        {"1000", "1k"},
        {"1024", "1024"},
        {"1Ki", "1024"},
        {"1.5Gi", "1610612736"},
        {"3e9", "3G"},
        {"1e20", "100E"},
        {"1e21", "1000E"}, /* upstream forgets the suffix here */
        {"1n", "1n"},
        {"1000n", "1u"},
        {"0.0000000001", "1n"},
        {"-2500m", "-2500m"},
        {"-1M", "-1M"},
        {"9223372036854775807", "9223372036854775807"},
        {"9223372036854775807n", "9223372036854775807n"},
        {"170141183460469231731687303715884105727n", "170141183460469231731687303715884105727n"},
        {"-170141183460469231731687303715884105727n", "-170141183460469231731687303715884105727n"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct quantity q, again;
        struct error err = ERROR_INIT;
        char text[QUANTITY_TEXT_MAX];

        if (CHECK_OK(quantity_parse(table[i].text, strlen(table[i].text), &q, &err), err)) {
            CHECK_STR(quantity_format(q, text), table[i].want);
            CHECK_OK(quantity_parse(text, strlen(text), &again, &err), err);
            CHECK_INT(quantity_cmp(q, again), 0);
        }
    }
}

void suite_quantity(void);

void
suite_quantity(void)
{
    check_suite("quantity");
    check_test("values round up away from zero", test_values_round_up_away_from_zero);
    check_test("overflow is upstream's", test_overflow_is_upstreams);
    check_test("big negatives round as upstream", test_big_negatives_round_as_upstream);
    check_test("too negative stays negative", test_too_negative_stays_negative);
    check_test("malformed is refused", test_malformed_is_refused_and_says_why);
    check_test("white space around", test_white_space_around_is_ignored_as_in_json);
    check_test("length bounds the text", test_length_bounds_the_text);
    check_test("suffixes multiply", test_suffixes_multiply);
    check_test("long texts", test_long_texts_are_exact_to_a_nano);
    check_test("arithmetic is upstream's", test_arithmetic_is_upstreams);
    check_test("overcommitment never looks like room", test_overcommitment_never_looks_like_room);
    check_test("comparison is by amount", test_comparison_is_by_amount);
    check_test("integers and reals", test_integers_and_reals);
    check_test("written as decimals", test_written_as_upstream_writes_decimals);
    check_test("lists are searched by name", test_lists_are_searched_by_name);
    check_test("resource name classes", test_resource_name_classes);
}
