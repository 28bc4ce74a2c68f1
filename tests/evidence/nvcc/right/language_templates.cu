// SPDX-License-Identifier: Apache-2.0
// C++: templates, lambdas and constants of the compiler. corpus.py describes the parts.

//--- language_auto_template_parameter
// A template parameter of type auto.
// launch: --kernel added --grid 1 --block 32 --arg out:i32:32
template <auto Value>
__device__ auto plus(int x) {
  return x + Value;
}
__global__ void added(int* out) { out[threadIdx.x] = plus<5>(threadIdx.x) + plus<'a'>(1) + plus<true>(0); }

//--- language_constexpr_function
// A constexpr function in constant expressions.
// launch: --kernel tables --grid 1 --block 32 --arg out:i32:32
__host__ __device__ constexpr int power(int base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}
__global__ void tables(int* out) {
  __shared__ int table[power(2, 5)];
  constexpr int factor = power(3, 4);
  table[threadIdx.x] = threadIdx.x * factor;
  __syncthreads();
  out[threadIdx.x] = table[31 - threadIdx.x];
}

//--- language_constexpr_scalar
// File-scope constexpr and const numbers, used by value in a kernel.
// launch: --kernel scaled --grid 1 --block 32 --arg out:f32:32
constexpr float kScale = 1.5f;
constexpr int kOffset = 7;
const int kSteps = 3;
__global__ void scaled(float* out) {
  float x = threadIdx.x;
  for (int i = 0; i < kSteps; ++i) x = x * kScale + kOffset;
  out[threadIdx.x] = x;
}

//--- language_decltype
// decltype, trailing return types and type aliases.
// launch: --kernel products --grid 1 --block 32 --arg out:f64:32
template <typename A, typename B>
__device__ auto product(A a, B b) -> decltype(a * b) {
  return a * b;
}
using Result = decltype(product(1, 1.0));
__global__ void products(double* out) {
  static_assert(sizeof(Result) == 8);
  out[threadIdx.x] = product(int(threadIdx.x), 0.1) + product(2.5f, 2);
}

//--- language_deduction_guide
// Class template argument deduction with a guide.
// launch: --kernel filled --grid 1 --block 32 --arg out:f32:32
template <typename T>
struct Span {
  T* data;
  int size;
  __device__ Span(T* d, int n) : data(d), size(n) {}
};
template <typename T>
Span(T*, int) -> Span<T>;
__global__ void filled(float* out) {
  Span span(out, 32);
  span.data[threadIdx.x] = 1.0f / (1 + span.size - int(threadIdx.x));
}

//--- language_extern_shared_template
// Dynamic shared memory of a kernel template through one untyped array.
// launch: --kernel 'reverse<double>' --grid 1 --block 32 --shared 256 --arg out:f64:32
template <typename T>
__device__ T* shared_memory() {
  extern __shared__ double pool[];
  return reinterpret_cast<T*>(pool);
}
template <typename T>
__global__ void reverse(T* out) {
  T* tile = shared_memory<T>();
  tile[threadIdx.x] = T(threadIdx.x) / 3;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
template __global__ void reverse<double>(double*);

//--- language_fold_expression
// A fold expression that sums a parameter pack.
// launch: --kernel sums --grid 1 --block 32 --arg out:i32:32
template <typename... Ts>
__device__ auto sum_of(Ts... values) {
  return (values + ... + 0);
}
__global__ void sums(int* out) {
  const int t = threadIdx.x;
  out[t] = sum_of(t, 2 * t, short(3), 'a', t == 5);
}

//--- language_function_objects
// A functor with state as a template argument.
// launch: --kernel 'map<Affine>' --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
struct Affine {
  int a = 3, b = 1;
  __device__ int operator()(int x) const { return a * x + b; }
};
template <typename F>
__global__ void map(const int* in, int* out) {
  F f;
  out[threadIdx.x] = f(in[threadIdx.x]);
}
template __global__ void map<Affine>(const int*, int*);

//--- language_generic_lambda
// A generic lambda with a capture by value, called with two types.
// launch: --kernel scaled --grid 1 --block 64 --arg out:f32:64
__global__ void scaled(float* out) {
  const float factor = 0.25f;
  const auto scale = [factor](auto x) { return factor * x; };
  out[threadIdx.x] = scale(threadIdx.x) + scale(1.5);
}

//--- language_if_constexpr
// if constexpr selects an operation by type.
// launch: --kernel halves --grid 1 --block 32 --arg out:f32:32
template <typename T>
__device__ T half_of(T x) {
  if constexpr (sizeof(T) == 4 && T(0.5f) != T(0)) {
    return x * T(0.5f);
  } else {
    return x >> 1;
  }
}
__global__ void halves(float* out) {
  out[threadIdx.x] = half_of(3.0f + threadIdx.x) + half_of(int(threadIdx.x));
}

//--- language_integer_sequence
// std::integer_sequence expanded in a fold expression.
// launch: --kernel dots --grid 1 --block 32 --arg out:i32:32
#include <utility>
template <int... Is>
__device__ int dot(int x, std::integer_sequence<int, Is...>) {
  return ((Is * x + Is) + ...);
}
__global__ void dots(int* out) { out[threadIdx.x] = dot(threadIdx.x, std::make_integer_sequence<int, 6>()); }

//--- language_lambda_as_argument
// A lambda passed to a template function in device code.
// launch: --kernel areas --grid 1 --block 32 --arg out:f32:32
template <typename F>
__device__ float integrate(F f, float from, float to, int steps) {
  const float width = (to - from) / steps;
  float sum = 0;
  for (int i = 0; i < steps; ++i) sum += f(from + i * width) * width;
  return sum;
}
__global__ void areas(float* out) {
  const int t = threadIdx.x;
  out[t] = integrate([t](float x) { return x * x + t; }, 0, 1, 64);
}

//--- language_lambda_by_reference
// A lambda that changes a captured variable.
// launch: --kernel counted --grid 1 --block 32 --arg out:i32:32
__global__ void counted(int* out) {
  int steps = 0;
  const auto step = [&](int n) {
    ++steps;
    return n % 2 ? 3 * n + 1 : n / 2;
  };
  int n = threadIdx.x + 1;
  while (n != 1) n = step(n);
  out[threadIdx.x] = steps;
}

//--- language_literal_compare
// GCC's built-in functions that compare literals.
// launch: --kernel compare --grid 1 --block 1 --arg out:i32:8
__global__ void compare(int* out) {
  out[0] = __builtin_memcmp("abc", "abf", 3);
  out[1] = __builtin_strcmp("az", "ab");
  out[2] = __builtin_strcmp("a", "ab");
  out[3] = __builtin_strncmp("abc", "abz", 2);
  out[4] = *__builtin_strchr("abc", 'b');
  out[5] = __builtin_strlen("four");
  out[6] = __builtin_memcmp("ab", "ab", 2);
  out[7] = __builtin_strcmp("b", "a");
}

//--- language_sfinae
// std::enable_if and type traits choose an overload.
// launch: --kernel converted --grid 1 --block 32 --arg out:f32:32
#include <type_traits>
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
__device__ float as_float(T x) {
  return x + 0.5f;
}
template <typename T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
__device__ float as_float(T x) {
  return static_cast<float>(x * 2);
}
__global__ void converted(float* out) { out[threadIdx.x] = as_float(threadIdx.x) + as_float(1.25); }

//--- language_static_assert
// static_assert on sizes and alignment.
// launch: --kernel sizes --grid 1 --block 32 --arg out:i32:32
struct Pixel {
  unsigned char r, g, b;
};
static_assert(sizeof(Pixel) == 3);
static_assert(sizeof(void*) == 8 && alignof(double) == 8, "64-bit device code");
__global__ void sizes(int* out) {
  static_assert(sizeof(long) == 8);
  out[threadIdx.x] = sizeof(Pixel) * threadIdx.x + offsetof(Pixel, b);
}

//--- language_template_kernel
// A kernel template with a type and a value parameter.
// launch: --kernel 'shift<float,3>' --grid 2 --block 32 --arg in:f32:64:iota --arg out:f32:64
template <typename T, int Distance>
__global__ void shift(const T* in, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  out[i] = in[(i + Distance) % n];
}
template __global__ void shift<float, 3>(const float*, float*);

//--- language_template_specialization
// A full and a partial specialization of a class template.
// launch: --kernel kinds --grid 1 --block 32 --arg out:i32:32
template <typename T, int N>
struct Kind {
  static constexpr int kValue = 1;
};
template <typename T, int N>
struct Kind<T*, N> {
  static constexpr int kValue = 2 * N;
};
template <>
struct Kind<float, 4> {
  static constexpr int kValue = 100;
};
__global__ void kinds(int* out) {
  out[threadIdx.x] = Kind<int, 3>::kValue + Kind<int*, 5>::kValue + Kind<float, 4>::kValue + threadIdx.x;
}

//--- language_variable_template
// A constexpr variable template.
// launch: --kernel thirds --grid 1 --block 32 --arg out:f32:32
template <typename T>
constexpr T kThird = T(1) / T(3);
__global__ void thirds(float* out) { out[threadIdx.x] = threadIdx.x * kThird<float> + float(kThird<double>); }

//--- language_variadic_recursion
// A recursive variadic template that finds the largest argument.
// launch: --kernel maxima --grid 1 --block 32 --arg out:i32:32
__device__ int largest(int a) { return a; }
template <typename... Ts>
__device__ int largest(int a, Ts... rest) {
  const int b = largest(rest...);
  return a > b ? a : b;
}
__global__ void maxima(int* out) {
  const int t = threadIdx.x;
  out[t] = largest(t ^ 5, 31 - t, (t * 7) % 13, 9);
}
