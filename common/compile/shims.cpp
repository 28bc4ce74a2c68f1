// SPDX-License-Identifier: Apache-2.0
#include "common/compile/shims.h"

#include <array>

namespace warpgrade::compile {
namespace {

// The types of the x86-64 and AArch64 Linux ABIs, which CUDA shares.
constexpr const char* kStdint = R"(#pragma once
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef signed char int_least8_t;
typedef short int_least16_t;
typedef int int_least32_t;
typedef long int_least64_t;
typedef unsigned char uint_least8_t;
typedef unsigned short uint_least16_t;
typedef unsigned int uint_least32_t;
typedef unsigned long uint_least64_t;
typedef signed char int_fast8_t;
typedef long int_fast16_t;
typedef long int_fast32_t;
typedef long int_fast64_t;
typedef unsigned char uint_fast8_t;
typedef unsigned long uint_fast16_t;
typedef unsigned long uint_fast32_t;
typedef unsigned long uint_fast64_t;
#ifndef INT8_MIN
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32767 - 1)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define INT64_MIN (-9223372036854775807l - 1)
#define INT64_MAX 9223372036854775807l
#define UINT64_MAX 18446744073709551615ul
#define SIZE_MAX 18446744073709551615ul
#endif
)";

constexpr const char* kCstdint = R"(#pragma once
#include <stdint.h>
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;
}
)";

constexpr const char* kStddef = R"(#pragma once
typedef long ptrdiff_t;
#ifndef NULL
#define NULL 0
#endif
)";

constexpr const char* kCstddef = R"(#pragma once
#include <stddef.h>
namespace std {
using ::size_t; using ::ptrdiff_t;
}
)";

constexpr const char* kLimits = R"(#pragma once
#ifndef INT_MAX
#define CHAR_BIT 8
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-9223372036854775807l - 1)
#define ULONG_MAX 18446744073709551615ul
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-9223372036854775807ll - 1)
#define ULLONG_MAX 18446744073709551615ull
#endif
)";

constexpr const char* kFloat = R"(#pragma once
#ifndef FLT_MAX
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#endif
)";

constexpr const char* kMath = R"(#pragma once
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#endif
)";

constexpr const char* kCmath = R"(#pragma once
#include <math.h>
namespace std {
using ::abs; using ::fabs; using ::sqrt; using ::exp; using ::log; using ::pow; using ::sin;
using ::cos; using ::tan; using ::floor; using ::ceil; using ::fmin; using ::fmax; using ::fma;
}
)";

constexpr const char* kNothing = "#pragma once\n";

constexpr std::array<Shim, 18> kShims = {{
    {"assert.h", kNothing},
    {"cassert", kNothing},
    {"cfloat", kFloat},
    {"climits", kLimits},
    {"cmath", kCmath},
    {"cstddef", kCstddef},
    {"cstdint", kCstdint},
    {"cstdio", kNothing},
    {"cstdlib", kNothing},
    {"cstring", kNothing},
    {"float.h", kFloat},
    {"limits.h", kLimits},
    {"math.h", kMath},
    {"stddef.h", kStddef},
    {"stdint.h", kStdint},
    {"stdio.h", kNothing},
    {"stdlib.h", kNothing},
    {"string.h", kNothing},
}};

}  // namespace

std::span<const Shim> shims() { return kShims; }

}  // namespace warpgrade::compile
