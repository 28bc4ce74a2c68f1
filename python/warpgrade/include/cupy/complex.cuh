// SPDX-License-Identifier: Apache-2.0
// Complex numbers as CuPy's header of this name has them: complex<T>, also as thrust::complex<T>, with
// arithmetic that mixes float, double and integers.
// They are those of libcu++ (cuda::std::complex), whose layout is the same. Operators for operands of
// different types are here, since libcu++ has none.
#pragma once

#include <cuda/std/complex>
#include <cuda/std/type_traits>

template <typename T>
using complex = ::cuda::std::complex<T>;

namespace thrust {
using ::cuda::std::complex;
using ::cuda::std::abs;
using ::cuda::std::acos;
using ::cuda::std::acosh;
using ::cuda::std::arg;
using ::cuda::std::asin;
using ::cuda::std::asinh;
using ::cuda::std::atan;
using ::cuda::std::atanh;
using ::cuda::std::conj;
using ::cuda::std::cos;
using ::cuda::std::cosh;
using ::cuda::std::exp;
using ::cuda::std::log;
using ::cuda::std::log10;
using ::cuda::std::norm;
using ::cuda::std::polar;
using ::cuda::std::pow;
using ::cuda::std::proj;
using ::cuda::std::sin;
using ::cuda::std::sinh;
using ::cuda::std::sqrt;
using ::cuda::std::tan;
using ::cuda::std::tanh;
}  // namespace thrust

using ::cuda::std::conj;
using ::cuda::std::norm;
using ::cuda::std::polar;

// The type of an operation on complex<T> and the number U, if that is another type.
template <typename T, typename U>
using warpgrade_mixed = ::cuda::std::enable_if_t<
    ::cuda::std::is_arithmetic<U>::value && !::cuda::std::is_same<T, U>::value,
    complex<::cuda::std::conditional_t<::cuda::std::is_integral<U>::value, T,
                                       ::cuda::std::common_type_t<T, U>>>>;

#define WARPGRADE_MIXED(OP)                                                                    \
  template <typename T, typename U>                                                            \
  __host__ __device__ warpgrade_mixed<T, U> operator OP(const complex<T>& a, const U& b) {     \
    using R = typename warpgrade_mixed<T, U>::value_type;                                      \
    return complex<R>(a) OP R(b);                                                              \
  }                                                                                            \
  template <typename T, typename U>                                                            \
  __host__ __device__ warpgrade_mixed<T, U> operator OP(const U& a, const complex<T>& b) {     \
    using R = typename warpgrade_mixed<T, U>::value_type;                                      \
    return R(a) OP complex<R>(b);                                                              \
  }                                                                                            \
  template <typename T, typename U>                                                            \
  __host__ __device__                                                                          \
      ::cuda::std::enable_if_t<!::cuda::std::is_same<T, U>::value,                             \
                               complex<::cuda::std::common_type_t<T, U>>>                      \
      operator OP(const complex<T>& a, const complex<U>& b) {                                  \
    using R = ::cuda::std::common_type_t<T, U>;                                                \
    return complex<R>(a) OP complex<R>(b);                                                     \
  }
WARPGRADE_MIXED(+)
WARPGRADE_MIXED(-)
WARPGRADE_MIXED(*)
WARPGRADE_MIXED(/)
#undef WARPGRADE_MIXED
