// SPDX-License-Identifier: Apache-2.0
#include "common/compile/shims.h"

#include <array>
#include <span>

namespace warpgrade::compile {

// The prelude has three parts: types and macros of the C library, the overloads of mathematical
// functions for arguments of two types, and GCC's built-in functions. It also removes the word
// `register`, which nvcc accepts in C++17 and NVRTC refuses.
//
// nvcc accepts these names in device code because the host compiler's headers declare them
// (libstdc++ 12's <cmath>, which nvcc 13.0 marks for the device if possible). NVRTC has no host
// compiler. The list matches `nvcc -cubin`, which refuses __builtin_ctz and __builtin_bswap32, for
// example. It also refuses fmax() and others of a whole number and a floating one: libstdc++'s
// template for them is a function of the host, and the mark __hd_cxpr makes a call an error
// (nvcc_rules.h). abort(), exit() and rand() have a mark of their own: nvcc only warns about
// them in functions of both host and device. Machine code has nothing in place of such a call; here
// it is a trap (WARPGRADE_ONLY_ON_HOST).

// Integer types are as in CCCL, which may declare them again.
const char* const kPreludeText = R"(#pragma once
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef long ssize_t;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
typedef unsigned long u_int64_t;
typedef signed char int8_t;
typedef signed short int16_t;
typedef signed int int32_t;
typedef signed long long int64_t;
#define register
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
#define EOF (-1)
#define BUFSIZ 8192
#define CLOCKS_PER_SEC 1000000L
#define offsetof(type, member) ((size_t)__INTADDR__(&((type*)0)->member))
#define __builtin_offsetof(type, member) offsetof(type, member)
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
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
namespace warpgrade_prelude {
template <class T> struct arithmetic {};
#define WARPGRADE_ARITHMETIC(type) template <> struct arithmetic<type> { typedef double promoted; };
WARPGRADE_ARITHMETIC(bool)
WARPGRADE_ARITHMETIC(char)
WARPGRADE_ARITHMETIC(signed char)
WARPGRADE_ARITHMETIC(unsigned char)
WARPGRADE_ARITHMETIC(wchar_t)
WARPGRADE_ARITHMETIC(char16_t)
WARPGRADE_ARITHMETIC(char32_t)
WARPGRADE_ARITHMETIC(short)
WARPGRADE_ARITHMETIC(unsigned short)
WARPGRADE_ARITHMETIC(int)
WARPGRADE_ARITHMETIC(unsigned)
WARPGRADE_ARITHMETIC(long)
WARPGRADE_ARITHMETIC(unsigned long)
WARPGRADE_ARITHMETIC(long long)
WARPGRADE_ARITHMETIC(unsigned long long)
WARPGRADE_ARITHMETIC(float)
WARPGRADE_ARITHMETIC(double)
#undef WARPGRADE_ARITHMETIC
template <class T, class U> struct same_type { typedef T type; };
template <class T, class U>
using promoted_t = typename same_type<typename arithmetic<T>::promoted,
                                      typename arithmetic<U>::promoted>::type;
}
template <class T, class U>
__host__ __device__ inline warpgrade_prelude::promoted_t<T, U> pow(T base, U exponent) {
  return pow(static_cast<double>(base), static_cast<double>(exponent));
}
template <class T, class U>
__host__ __device__ inline warpgrade_prelude::promoted_t<T, U> remquo(T a, U b, int* quotient) {
  return remquo(static_cast<double>(a), static_cast<double>(b), quotient);
}
namespace warpgrade_prelude {
template <class T> struct kind { enum { value = 1 }; };  // for whole numbers
template <> struct kind<float> { enum { value = 2 }; };
template <> struct kind<double> { enum { value = 2 }; };
template <int Kinds> struct mixed {};
template <> struct mixed<3> { typedef double type; };
template <class T, class U>
using mixed_t = typename same_type<
    typename same_type<typename arithmetic<T>::promoted, typename arithmetic<U>::promoted>::type,
    typename mixed<int(kind<T>::value) + int(kind<U>::value)>::type>::type;
}
#define WARPGRADE_MIXED(name) \
  template <class T, class U> \
  __hd_cxpr warpgrade_prelude::mixed_t<T, U> name(T x, U y) { \
    WARPGRADE_ONLY_ON_HOST \
    return name(static_cast<double>(x), static_cast<double>(y)); \
  }
WARPGRADE_MIXED(fmax) WARPGRADE_MIXED(fmin) WARPGRADE_MIXED(fmod) WARPGRADE_MIXED(atan2)
WARPGRADE_MIXED(hypot) WARPGRADE_MIXED(fdim) WARPGRADE_MIXED(remainder) WARPGRADE_MIXED(nextafter)
#undef WARPGRADE_MIXED
template <class T, class U, class V>
__hd_cxpr typename warpgrade_prelude::same_type<warpgrade_prelude::promoted_t<T, U>,
                                                warpgrade_prelude::promoted_t<U, V>>::type
fma(T x, U y, V z) {
  WARPGRADE_ONLY_ON_HOST
  return fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}
template <size_t N>
__host__ __device__ constexpr size_t strlen(const char (&text)[N]) {
  size_t n = 0;
  while (n < N && text[n] != 0) ++n;
  return n;
}
template <size_t N> __host__ __device__ size_t strlen(char (&)[N]) = delete;
#define __builtin_strlen(text) strlen(text)
template <size_t N, size_t M>
__host__ __device__ constexpr int __builtin_memcmp(const char (&a)[N], const char (&b)[M],
                                                   size_t n) {
  size_t i = 0;
  while (i < n && a[i] == b[i]) ++i;
  return i == n ? 0 : static_cast<unsigned char>(a[i]) - static_cast<unsigned char>(b[i]);
}
template <size_t N, size_t M>
__host__ __device__ constexpr int __builtin_strncmp(const char (&a)[N], const char (&b)[M],
                                                    size_t n) {
  size_t i = 0;
  while (i < n && a[i] != 0 && a[i] == b[i]) ++i;
  const int order = i == n ? 0 : __builtin_memcmp(a, b, i + 1);
  return order < 0 ? -1 : order > 0;
}
template <size_t N, size_t M>
__host__ __device__ constexpr int __builtin_strcmp(const char (&a)[N], const char (&b)[M]) {
  return __builtin_strncmp(a, b, N < M ? M : N);
}
template <size_t N>
__host__ __device__ constexpr const char* __builtin_strchr(const char (&text)[N], int wanted) {
  const char* at = text;
  while (*at != static_cast<char>(wanted) && *at != 0) ++at;
  return *at == static_cast<char>(wanted) ? at : nullptr;
}
#define WARPGRADE_ONLY_LITERALS(name, ...) \
  template <size_t N, size_t M> int name(char (&)[N], const char (&)[M] __VA_ARGS__) = delete; \
  template <size_t N, size_t M> int name(const char (&)[N], char (&)[M] __VA_ARGS__) = delete; \
  template <size_t N, size_t M> int name(char (&)[N], char (&)[M] __VA_ARGS__) = delete;
WARPGRADE_ONLY_LITERALS(__builtin_memcmp, , size_t)
WARPGRADE_ONLY_LITERALS(__builtin_strncmp, , size_t)
WARPGRADE_ONLY_LITERALS(__builtin_strcmp)
#undef WARPGRADE_ONLY_LITERALS
template <size_t N> const char* __builtin_strchr(char (&)[N], int) = delete;
#define WARPGRADE_HOST \
  __attribute__((deprecated("function of the host"))) __host__ __device__ inline
WARPGRADE_HOST void abort() { __trap(); }
WARPGRADE_HOST void exit(int) { __trap(); }
WARPGRADE_HOST int rand() { __trap(); return 0; }
WARPGRADE_HOST void srand(unsigned) { __trap(); }
#undef WARPGRADE_HOST
namespace std {
using ::size_t; using ::strlen;
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
using ::signbit; using ::labs; using ::llabs;
using ::ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
enum class byte : unsigned char {};
}
)"
                                 R"(#define WARPGRADE_BUILTIN(type, name, parameters, value) \
  __host__ __device__ inline type __builtin_##name parameters { return value; }
WARPGRADE_BUILTIN(int, clz, (unsigned x), __clz(static_cast<int>(x)))
WARPGRADE_BUILTIN(int, clzll, (unsigned long long x), __clzll(static_cast<long long>(x)))
WARPGRADE_BUILTIN(int, ffs, (int x), __ffs(x))
WARPGRADE_BUILTIN(int, ffsll, (long long x), __ffsll(x))
WARPGRADE_BUILTIN(int, popcount, (unsigned x), __popc(x))
WARPGRADE_BUILTIN(int, popcountll, (unsigned long long x), __popcll(x))
WARPGRADE_BUILTIN(int, abs, (int x), abs(x))
WARPGRADE_BUILTIN(long, labs, (long x), labs(x))
WARPGRADE_BUILTIN(long long, llabs, (long long x), llabs(x))
WARPGRADE_BUILTIN(constexpr double, inf, (), __builtin_bit_cast(double, 0x7ff0000000000000LL))
WARPGRADE_BUILTIN(constexpr float, inff, (), __builtin_bit_cast(float, 0x7f800000))
WARPGRADE_BUILTIN(constexpr double, huge_val, (), __builtin_bit_cast(double, 0x7ff0000000000000LL))
WARPGRADE_BUILTIN(constexpr float, huge_valf, (), __builtin_bit_cast(float, 0x7f800000))
WARPGRADE_BUILTIN(double, nan, (const char* tag), nan(tag))
WARPGRADE_BUILTIN(float, nanf, (const char* tag), nanf(tag))
WARPGRADE_BUILTIN(int, signbit, (double x), signbit(x))
WARPGRADE_BUILTIN(void*, memcpy, (void* to, const void* from, size_t n), memcpy(to, from, n))
WARPGRADE_BUILTIN(void*, memset, (void* to, int byte, size_t n), memset(to, byte, n))
WARPGRADE_BUILTIN(void*, malloc, (size_t n), malloc(n))
#define WARPGRADE_MATH_1(name) \
  WARPGRADE_BUILTIN(double, name, (double x), name(x)) \
  WARPGRADE_BUILTIN(float, name##f, (float x), name##f(x))
#define WARPGRADE_MATH_2(name) \
  WARPGRADE_BUILTIN(double, name, (double x, double y), name(x, y)) \
  WARPGRADE_BUILTIN(float, name##f, (float x, float y), name##f(x, y))
#define WARPGRADE_MATH_TO(type, name) \
  WARPGRADE_BUILTIN(type, name, (double x), name(x)) \
  WARPGRADE_BUILTIN(type, name##f, (float x), name##f(x))
WARPGRADE_MATH_1(fabs) WARPGRADE_MATH_1(sqrt) WARPGRADE_MATH_1(cbrt) WARPGRADE_MATH_1(exp)
WARPGRADE_MATH_1(exp2) WARPGRADE_MATH_1(expm1) WARPGRADE_MATH_1(log) WARPGRADE_MATH_1(log2)
WARPGRADE_MATH_1(log10) WARPGRADE_MATH_1(log1p) WARPGRADE_MATH_1(logb) WARPGRADE_MATH_1(sin)
WARPGRADE_MATH_1(cos) WARPGRADE_MATH_1(tan) WARPGRADE_MATH_1(asin) WARPGRADE_MATH_1(acos)
WARPGRADE_MATH_1(atan) WARPGRADE_MATH_1(sinh) WARPGRADE_MATH_1(cosh) WARPGRADE_MATH_1(tanh)
WARPGRADE_MATH_1(asinh) WARPGRADE_MATH_1(acosh) WARPGRADE_MATH_1(atanh) WARPGRADE_MATH_1(erf)
WARPGRADE_MATH_1(erfc) WARPGRADE_MATH_1(tgamma) WARPGRADE_MATH_1(lgamma) WARPGRADE_MATH_1(ceil)
WARPGRADE_MATH_1(floor) WARPGRADE_MATH_1(trunc) WARPGRADE_MATH_1(round)
WARPGRADE_MATH_1(nearbyint) WARPGRADE_MATH_1(rint)
WARPGRADE_MATH_2(pow) WARPGRADE_MATH_2(fmod) WARPGRADE_MATH_2(remainder) WARPGRADE_MATH_2(atan2)
WARPGRADE_MATH_2(hypot) WARPGRADE_MATH_2(fmax) WARPGRADE_MATH_2(fmin) WARPGRADE_MATH_2(fdim)
WARPGRADE_MATH_2(copysign) WARPGRADE_MATH_2(nextafter)
WARPGRADE_MATH_TO(int, ilogb) WARPGRADE_MATH_TO(long, lround) WARPGRADE_MATH_TO(long, lrint)
WARPGRADE_MATH_TO(long long, llround) WARPGRADE_MATH_TO(long long, llrint)
WARPGRADE_BUILTIN(double, fma, (double x, double y, double z), fma(x, y, z))
WARPGRADE_BUILTIN(float, fmaf, (float x, float y, float z), fmaf(x, y, z))
WARPGRADE_BUILTIN(double, ldexp, (double x, int n), ldexp(x, n))
WARPGRADE_BUILTIN(float, ldexpf, (float x, int n), ldexpf(x, n))
WARPGRADE_BUILTIN(double, frexp, (double x, int* n), frexp(x, n))
WARPGRADE_BUILTIN(float, frexpf, (float x, int* n), frexpf(x, n))
#undef WARPGRADE_MATH_TO
#undef WARPGRADE_MATH_2
#undef WARPGRADE_MATH_1
#undef WARPGRADE_BUILTIN
)";

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
// (nvcc_rules.h). A function of both host and device may call them, but not on the device: a
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

// All members are constexpr functions of the host (nvcc_rules.h), so a kernel may copy an array
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
