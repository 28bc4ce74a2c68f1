// SPDX-License-Identifier: Apache-2.0
#include "common/compile/shims.h"

#include <array>

namespace warpgrade::compile {
namespace {

// CCCL ships the integer types and limits as NVRTC needs them. To declare them here a second time
// would clash with it as soon as a file includes both.
constexpr const char* kStdint = R"(#pragma once
#include <cuda/std/cstdint>
)";

constexpr const char* kCstdint = R"(#pragma once
#include <cuda/std/cstdint>
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;
}
)";

constexpr const char* kStddef = R"(#pragma once
#include <cuda/std/cstddef>
#ifndef NULL
#define NULL nullptr
#endif
)";

constexpr const char* kCstddef = R"(#pragma once
#include <stddef.h>
namespace std {
using ::size_t; using ::ptrdiff_t;
}
)";

constexpr const char* kLimits = R"(#pragma once
#include <cuda/std/climits>
)";

constexpr const char* kFloat = R"(#pragma once
#include <cuda/std/cfloat>
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

// What the compiler has built in (printf, assert, clock, malloc, memcpy), and cuda.h, which is the
// driver's interface for host code.
constexpr const char* kNothing = "#pragma once\n";

constexpr std::array<Shim, 21> kShims = {{
    {"assert.h", kNothing}, {"cassert", kNothing}, {"cfloat", kFloat},     {"climits", kLimits},
    {"cmath", kCmath},      {"cstddef", kCstddef}, {"cstdint", kCstdint},  {"cstdio", kNothing},
    {"cstdlib", kNothing},  {"cstring", kNothing}, {"ctime", kNothing},    {"cuda.h", kNothing},
    {"float.h", kFloat},    {"limits.h", kLimits}, {"math.h", kMath},      {"stddef.h", kStddef},
    {"stdint.h", kStdint},  {"stdio.h", kNothing}, {"stdlib.h", kNothing}, {"string.h", kNothing},
    {"time.h", kNothing},
}};

}  // namespace

std::span<const Shim> shims() { return kShims; }

}  // namespace warpgrade::compile
