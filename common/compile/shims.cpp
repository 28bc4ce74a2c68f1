// SPDX-License-Identifier: Apache-2.0
#include "common/compile/shims.h"

#include <array>

namespace warpgrade::compile {
namespace {

// Names that nvcc declares before the first line of a file, by way of the C library, and that
// device code uses without an #include. Integer types are as in CCCL, which may declare them again.
constexpr const char* kPrelude = R"(#pragma once
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef long ssize_t;
typedef signed char int8_t;
typedef signed short int16_t;
typedef signed int int32_t;
typedef signed long long int64_t;
#ifndef NULL
#define NULL nullptr
#endif
#define RAND_MAX 2147483647
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define NAN __builtin_bit_cast(float, 0x7fffffff)
#define HUGE_VALF INFINITY
#define HUGE_VAL __builtin_bit_cast(double, 0x7ff0000000000000LL)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
namespace std {
using ::size_t;
using ::printf; using ::memcpy; using ::memset;
using ::abs; using ::fabs; using ::fmod; using ::remainder; using ::remquo; using ::fma;
using ::fmax; using ::fmin; using ::fdim; using ::exp; using ::exp2; using ::expm1;
using ::log; using ::log2; using ::log10; using ::log1p; using ::logb; using ::ilogb;
using ::pow; using ::sqrt; using ::cbrt; using ::hypot;
using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2;
using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh; using ::atanh;
using ::erf; using ::erfc; using ::tgamma; using ::lgamma;
using ::ceil; using ::floor; using ::trunc; using ::round; using ::lround; using ::llround;
using ::nearbyint; using ::rint; using ::lrint; using ::llrint;
using ::frexp; using ::ldexp; using ::modf; using ::scalbn; using ::scalbln;
using ::nextafter; using ::copysign; using ::isfinite; using ::isinf; using ::isnan;
using ::signbit;
}
)";

// CCCL ships the integer types as NVRTC needs them. To declare all of them here a second time
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

constexpr const char* kInttypes = R"(#pragma once
#include <cuda/std/cstdint>
#define PRId32 "d"
#define PRIi32 "i"
#define PRIu32 "u"
#define PRIx32 "x"
#define PRId64 "lld"
#define PRIi64 "lli"
#define PRIu64 "llu"
#define PRIx64 "llx"
)";

constexpr const char* kStddef = R"(#pragma once
#include <cuda/std/cstddef>
)";

constexpr const char* kCstddef = R"(#pragma once
#include <stddef.h>
namespace std {
using ::ptrdiff_t;
}
)";

constexpr const char* kFloat = R"(#pragma once
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MAX_10_EXP 38
#define FLT_MAX 3.40282346638528859811704183484516925e+38F
#define FLT_MIN 1.17549435082228750796873653722224568e-38F
#define FLT_EPSILON 1.19209289550781250000000000000000000e-7F
#define FLT_TRUE_MIN 1.40129846432481707092372958328991613e-45F
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_MIN_10_EXP (-307)
#define DBL_MAX_10_EXP 308
#define DBL_MAX 1.79769313486231570814527423731704357e+308
#define DBL_MIN 2.22507385850720138309023271733240406e-308
#define DBL_EPSILON 2.22044604925031308084726333618164062e-16
#define DBL_TRUE_MIN 4.94065645841246544176568792868221372e-324
)";

// nvcc refuses them in device code unless it is told --expt-relaxed-constexpr, which many projects
// do.
constexpr const char* kAlgorithm = R"(#pragma once
namespace std {
template <class T>
__host__ __device__ constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T>
__host__ __device__ constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T>
__host__ __device__ constexpr const T& clamp(const T& v, const T& low, const T& high) {
  return v < low ? low : high < v ? high : v;
}
template <class T>
__host__ __device__ constexpr void swap(T& a, T& b) {
  T kept = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(kept);
}
}
)";

constexpr const char* kUtility = R"(#pragma once
#include <algorithm>
#include <cuda/std/utility>
namespace std { using namespace ::cuda::std; }
)";

constexpr const char* kLimitsOfTypes = R"(#pragma once
#include <cuda/std/limits>
namespace std { using namespace ::cuda::std; }
)";

constexpr const char* kTypeTraits = R"(#pragma once
#include <cuda/std/type_traits>
namespace std { using namespace ::cuda::std; }
)";

constexpr const char* kFunctional = R"(#pragma once
#include <cuda/std/functional>
namespace std { using namespace ::cuda::std; }
)";

constexpr const char* kTuple = R"(#pragma once
#include <cuda/std/tuple>
namespace std { using namespace ::cuda::std; }
)";

constexpr const char* kArray = R"(#pragma once
#include <cuda/std/array>
namespace std { using namespace ::cuda::std; }
)";

// The driver's interface is host code; what device code asks of its header is the version.
constexpr const char* kCuda = R"(#pragma once
#define CUDA_VERSION CUDART_VERSION
)";

// Without what works on the whole device, which is host code.
constexpr const char* kCub = R"(#pragma once
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_rank.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/iterator/arg_index_input_iterator.cuh>
#include <cub/iterator/cache_modified_input_iterator.cuh>
#include <cub/iterator/cache_modified_output_iterator.cuh>
#include <cub/thread/thread_load.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/thread/thread_reduce.cuh>
#include <cub/thread/thread_scan.cuh>
#include <cub/thread/thread_store.cuh>
#include <cub/util_ptx.cuh>
#include <cub/util_type.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>
)";

// A header that needs no text: the prelude or the compiler has its names (printf, assert, clock,
// malloc, memcpy, placement new), or they are of use in host code only and its #include is often
// left at the head of a kernel's file.
constexpr const char* kNothing = "#pragma once\n";

constexpr std::array kShims = {
    Shim{kPreludeName, kPrelude},
    Shim{"algorithm", kAlgorithm},
    Shim{"array", kArray},
    Shim{"assert.h", kNothing},
    Shim{"cassert", kNothing},
    Shim{"cctype", kNothing},
    Shim{"cerrno", kNothing},
    Shim{"cfloat", kFloat},
    Shim{"chrono", kNothing},
    Shim{"cinttypes", kInttypes},
    Shim{"climits", kNothing},
    Shim{"cmath", kNothing},
    Shim{"cstdarg", kNothing},
    Shim{"cstdbool", kNothing},
    Shim{"cstddef", kCstddef},
    Shim{"cstdint", kCstdint},
    Shim{"cstdio", kNothing},
    Shim{"cstdlib", kNothing},
    Shim{"cstring", kNothing},
    Shim{"ctime", kNothing},
    Shim{"ctype.h", kNothing},
    Shim{"cub/cub.cuh", kCub},
    Shim{"cuda.h", kCuda},
    Shim{"deque", kNothing},
    Shim{"errno.h", kNothing},
    Shim{"exception", kNothing},
    Shim{"float.h", kFloat},
    Shim{"fstream", kNothing},
    Shim{"functional", kFunctional},
    Shim{"getopt.h", kNothing},
    Shim{"initializer_list", kNothing},
    Shim{"inttypes.h", kInttypes},
    Shim{"iomanip", kNothing},
    Shim{"ios", kNothing},
    Shim{"iosfwd", kNothing},
    Shim{"iostream", kNothing},
    Shim{"istream", kNothing},
    Shim{"limits", kLimitsOfTypes},
    Shim{"limits.h", kNothing},
    Shim{"list", kNothing},
    Shim{"malloc.h", kNothing},
    Shim{"map", kNothing},
    Shim{"math.h", kNothing},
    Shim{"memory", kNothing},
    Shim{"memory.h", kNothing},
    Shim{"mutex", kNothing},
    Shim{"new", kNothing},
    Shim{"numeric", kNothing},
    Shim{"omp.h", kNothing},
    Shim{"ostream", kNothing},
    Shim{"queue", kNothing},
    Shim{"random", kNothing},
    Shim{"set", kNothing},
    Shim{"signal.h", kNothing},
    Shim{"sstream", kNothing},
    Shim{"stack", kNothing},
    Shim{"stdarg.h", kNothing},
    Shim{"stdbool.h", kNothing},
    Shim{"stddef.h", kStddef},
    Shim{"stdexcept", kNothing},
    Shim{"stdint.h", kStdint},
    Shim{"stdio.h", kNothing},
    Shim{"stdlib.h", kNothing},
    Shim{"string", kNothing},
    Shim{"string.h", kNothing},
    Shim{"string_view", kNothing},
    Shim{"sys/time.h", kNothing},
    Shim{"sys/types.h", kNothing},
    Shim{"thread", kNothing},
    Shim{"time.h", kNothing},
    Shim{"tuple", kTuple},
    Shim{"type_traits", kTypeTraits},
    Shim{"typeinfo", kNothing},
    Shim{"unistd.h", kNothing},
    Shim{"unordered_map", kNothing},
    Shim{"unordered_set", kNothing},
    Shim{"utility", kUtility},
    Shim{"vector", kNothing},
};

}  // namespace

std::span<const Shim> shims() { return kShims; }

}  // namespace warpgrade::compile
