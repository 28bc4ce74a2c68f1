// SPDX-License-Identifier: Apache-2.0
#include "common/compile/shims.h"

#include <array>

#include "common/compile/prelude.h"

namespace warpgrade::compile {
namespace {

// CCCL provides the integer types for NVRTC. Declaring all of them here again would conflict with
// it if a file includes both.
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

// Host functions for nvcc. __hd_cxpr marks them, so that a call from device code is an error
// (host_constexpr.h). A function of both host and device may call them, but not on the device: a
// call at run time stops the kernel.
constexpr const char* kAlgorithm = R"(#pragma once
namespace std {
template <class T>
__hd_cxpr const T& min(const T& a, const T& b) {
  WARPGRADE_ONLY_ON_HOST
  return b < a ? b : a;
}
template <class T>
__hd_cxpr const T& max(const T& a, const T& b) {
  WARPGRADE_ONLY_ON_HOST
  return a < b ? b : a;
}
template <class T>
__hd_cxpr const T& clamp(const T& v, const T& low, const T& high) {
  WARPGRADE_ONLY_ON_HOST
  return v < low ? low : high < v ? high : v;
}
template <class T>
__hd_cxpr void swap(T& a, T& b) {
  WARPGRADE_ONLY_ON_HOST
  T kept = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(kept);
}
}
)";

constexpr const char* kUtility = R"(#pragma once
#include <algorithm>
#include <cuda/std/utility>
namespace std {
using namespace ::cuda::std;
template <class T, class U = T>
__hd_cxpr T exchange(T& object, U&& value) {
  WARPGRADE_ONLY_ON_HOST
  T kept = static_cast<T&&>(object);
  object = static_cast<U&&>(value);
  return kept;
}
template <class T, class U>
__hd_cxpr auto make_pair(T&& a, U&& b) {
  WARPGRADE_ONLY_ON_HOST
  return ::cuda::std::make_pair(static_cast<T&&>(a), static_cast<U&&>(b));
}
}
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

// All members are constexpr functions of the host (host_constexpr.h), so a kernel may copy an array
// but not read it.
constexpr const char* kArray = R"(#pragma once
namespace std {
template <class T, size_t N> struct array {
  typedef T value_type; typedef T& reference; typedef const T& const_reference;
  typedef T* pointer; typedef const T* const_pointer; typedef T* iterator;
  typedef const T* const_iterator; typedef size_t size_type; typedef long difference_type;
  __hd_cxpr T& operator[](size_t i) { WARPGRADE_ONLY_ON_HOST return _M_elems[i]; }
  __hd_cxpr const T& operator[](size_t i) const { WARPGRADE_ONLY_ON_HOST return _M_elems[i]; }
  __hd_cxpr T& at(size_t i) { WARPGRADE_ONLY_ON_HOST return _M_elems[i]; }
  __hd_cxpr const T& at(size_t i) const { WARPGRADE_ONLY_ON_HOST return _M_elems[i]; }
  __hd_cxpr T& front() { WARPGRADE_ONLY_ON_HOST return _M_elems[0]; }
  __hd_cxpr const T& front() const { WARPGRADE_ONLY_ON_HOST return _M_elems[0]; }
  __hd_cxpr T& back() { WARPGRADE_ONLY_ON_HOST return _M_elems[N - 1]; }
  __hd_cxpr const T& back() const { WARPGRADE_ONLY_ON_HOST return _M_elems[N - 1]; }
  __hd_cxpr T* data() { WARPGRADE_ONLY_ON_HOST return _M_elems; }
  __hd_cxpr const T* data() const { WARPGRADE_ONLY_ON_HOST return _M_elems; }
  __hd_cxpr T* begin() { WARPGRADE_ONLY_ON_HOST return _M_elems; }
  __hd_cxpr const T* begin() const { WARPGRADE_ONLY_ON_HOST return _M_elems; }
  __hd_cxpr T* end() { WARPGRADE_ONLY_ON_HOST return _M_elems + N; }
  __hd_cxpr const T* end() const { WARPGRADE_ONLY_ON_HOST return _M_elems + N; }
  __hd_cxpr const T* cbegin() const { WARPGRADE_ONLY_ON_HOST return _M_elems; }
  __hd_cxpr const T* cend() const { WARPGRADE_ONLY_ON_HOST return _M_elems + N; }
  __hd_cxpr size_t size() const { WARPGRADE_ONLY_ON_HOST return N; }
  __hd_cxpr size_t max_size() const { WARPGRADE_ONLY_ON_HOST return N; }
  __hd_cxpr bool empty() const { WARPGRADE_ONLY_ON_HOST return N == 0; }
  T _M_elems[N == 0 ? 1 : N];
};
template <class T, class... U>
__host__ __device__ array(T, U...) -> array<T, 1 + sizeof...(U)>;
}
)";

// The driver's interface is host code; device code only needs the version from its header.
constexpr const char* kCuda = R"(#pragma once
#define CUDA_VERSION CUDART_VERSION
)";

// Without the parts that work on the whole device, which are host code.
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

// A header that needs no text: the prelude or the compiler provides its names (printf, assert,
// clock, malloc, memcpy, placement new), or only host code uses them and files with kernels include
// it by habit.
constexpr const char* kNothing = "#pragma once\n";

const std::array kShims = {
    Shim{kPreludeName, kPreludeText},
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
