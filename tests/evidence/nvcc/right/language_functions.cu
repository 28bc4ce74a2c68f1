// SPDX-License-Identifier: Apache-2.0
// C++: functions, kernels and code of the host. corpus.py describes the parts.

//--- language_both_call_host_in_a_branch
// __host__ __device__ functions that call host functions in a branch that no thread takes.
// launch: --kernel fill --grid 1 --block 32 --arg out:i32:32
#include <algorithm>
#include <cstdlib>
int noise(int x) { return x + 1; }
__host__ __device__ int noisy(int x) { return x < 100 ? x : noise(x); }
__host__ __device__ int rolled(int x) { return x < 100 ? x : rand(); }
__host__ __device__ int limited(int x) { return x < 100 ? x : std::min(x, 200); }
__global__ void fill(int* out) {
  const int x = threadIdx.x;
  out[x] = noisy(x) + 2 * rolled(x) + 3 * limited(x);
}

//--- language_both_calls_host
// __host__ __device__ functions that call host functions, unused by the kernel.
// launch: --kernel fill --grid 1 --block 32 --arg out:i32:32
#include <cstdlib>
int seed(int x) { return x + 1; }
__host__ __device__ int seeded(int x) { return seed(x); }
struct Range {
  int low, high;
  __host__ __device__ int width() const { return high - low; }
  __host__ __device__ int any() const { return low + rand() % width(); }
};
__global__ void fill(int* out) {
  Range range{2, 7};
  out[threadIdx.x] = range.width() + threadIdx.x;
}

//--- language_both_exits
// A __host__ __device__ check that calls exit().
// launch: --kernel checked --grid 1 --block 32 --arg out:i32:32
#include <cstdio>
#include <cstdlib>
__host__ __device__ int at_least(int x, int least) {
  if (x < least) {
    printf("too small");
    exit(1);
  }
  return x - least;
}
__global__ void checked(int* out) { out[threadIdx.x] = at_least(threadIdx.x + 3, 2); }

//--- language_default_arguments
// Default arguments and overloads of a device function.
// launch: --kernel clamped --grid 1 --block 32 --arg out:f32:32
__device__ float clamp_to(float x, float low = 0.0f, float high = 10.0f) { return fminf(fmaxf(x, low), high); }
__device__ float clamp_to(int x) { return clamp_to(static_cast<float>(x), 5.0f); }
__global__ void clamped(float* out) {
  const int t = threadIdx.x;
  out[t] = clamp_to(t - 3.0f) + clamp_to(t) + clamp_to(t * 1.0f, 2.0f);
}

//--- language_device_and_host_variable
// A __host__ qualifier on a variable.
__host__ int count = 1;
__global__ void kernel(int* out) { out[threadIdx.x] = 1; }

//--- language_extern_shared
// Dynamic shared memory split into two arrays.
// launch: --kernel cut --grid 1 --block 32 --shared 384 --arg in:f32:32:iota --arg out:f32:32
extern __shared__ unsigned char room[];
__global__ void cut(const float* in, float* out) {
  double* sums = reinterpret_cast<double*>(room);
  float* values = reinterpret_cast<float*>(room + 32 * sizeof(double));
  const int t = threadIdx.x;
  values[t] = in[t];
  sums[t] = in[t] * 0.5;
  __syncthreads();
  out[t] = values[31 - t] + float(sums[(t + 1) % 32]);
}

//--- language_function_pointer_parameter
// A device function passed as a template argument.
// launch: --kernel composed --grid 1 --block 32 --arg out:f32:32
__device__ float square(float x) { return x * x; }
__device__ float cube(float x) { return x * x * x; }
template <float (*F)(float)>
__device__ float twice(float x) {
  return F(F(x));
}
__global__ void composed(float* out) { out[threadIdx.x] = twice<square>(threadIdx.x) - twice<cube>(1.0f); }

//--- language_function_pointers
// A __device__ const table of device function pointers.
// launch: --kernel apply --grid 1 --block 32 --arg out:i32:32
__device__ int add(int a, int b) { return a + b; }
__device__ int sub(int a, int b) { return a - b; }
__device__ int mul(int a, int b) { return a * b; }
typedef int (*Operation)(int, int);
__device__ const Operation kOperations[] = {add, sub, mul};
__global__ void apply(int* out) {
  const int t = threadIdx.x;
  out[t] = kOperations[t % 3](t, 5);
}

//--- language_host_const_numbers
// Host constants used by value, and host arrays in constant expressions.
const int kSteps = 4;
const float kHalf = 0.5f;
const float kQuarter = kHalf * kHalf;
constexpr int kSizes[3] = {4, 5, 6};
constexpr int kLast = kSizes[2];
struct Settings {
  int first, last;
};
constexpr Settings kSettings = {1, 9};
__global__ void kernel(float* out) {
  __shared__ float part[kSizes[0]];
  if (threadIdx.x < kSteps) part[threadIdx.x] = kQuarter;
  __syncthreads();
  constexpr int second = kSizes[1];
  const Settings copy = kSettings;
  out[threadIdx.x] = kSteps * threadIdx.x + part[0] + kLast + second + copy.last +
                     sizeof(kSizes) / sizeof(kSizes[0]);
}

//--- language_host_device_function
// A __host__ __device__ function that tests __CUDA_ARCH__.
// launch: --kernel places --grid 1 --block 32 --arg out:i32:32
__host__ __device__ inline int which() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__ >= 700 ? 7 : 3;
#else
  return -1;
#endif
}
__global__ void places(int* out) { out[threadIdx.x] = which() + threadIdx.x; }

//--- language_host_headers
// Host headers in a file whose device code uses none of them.
// launch: --kernel plain --grid 1 --block 32 --arg out:i32:32
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>
__global__ void plain(int* out) { out[threadIdx.x] = threadIdx.x + 2; }

//--- language_inline_variable
// A static __device__ variable and a constexpr array inside a function.
// launch: --kernel primes --grid 1 --block 32 --arg out:i32:32
static __device__ int shift = 2;
__global__ void primes(int* out) {
  constexpr int kPrimes[] = {2, 3, 5, 7};
  out[threadIdx.x] = kPrimes[threadIdx.x % 4] << shift;
}

//--- language_kernel_in_namespace
// A kernel in a namespace, launched by its qualified name.
// launch: --kernel course::squares --grid 1 --block 32 --arg out:i32:32
namespace course {
__global__ void squares(int* out) { out[threadIdx.x] = threadIdx.x * threadIdx.x; }
}  // namespace course

//--- language_kernel_reference_parameter
// A kernel with a reference parameter.
__global__ void kernel(int* out, int& n) { out[threadIdx.x] = n; }

//--- language_launch_bounds
// __launch_bounds__ with two arguments, and __maxnreg__ on another kernel.
// launch: --kernel bounded --grid 1 --block 64 --arg out:i32:64
__global__ void __launch_bounds__(256, 2) bounded(int* out) { out[threadIdx.x] = threadIdx.x * 3; }
__global__ void __maxnreg__(32) limited(int* out) { out[threadIdx.x] = threadIdx.x; }

//--- language_mutual_recursion
// Two functions that call each other, with a forward declaration.
// launch: --kernel parities --grid 1 --block 32 --arg out:i32:32
__device__ bool is_odd(int n);
__device__ bool is_even(int n) { return n == 0 || is_odd(n - 1); }
__device__ bool is_odd(int n) { return n != 0 && is_even(n - 1); }
__global__ void parities(int* out) { out[threadIdx.x] = is_even(threadIdx.x) * 2 + is_odd(threadIdx.x); }

//--- language_overloads
// Overloaded kernels; the launch selects one by its parameters.
// launch: --kernel 'fill(float*)' --grid 1 --block 4 --arg out:f32:4
__global__ void fill(int* out) { out[threadIdx.x] = 3; }
__global__ void fill(float* out) { out[threadIdx.x] = 4.5f; }

//--- language_recursion
// A device function that calls itself twice.
// launch: --kernel numbers --grid 1 --block 16 --arg out:i32:16
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void numbers(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x); }

//--- language_references
// References to elements of arrays and to struct members.
// launch: --kernel exchanged --grid 1 --block 32 --arg inout:i32:32:iota
struct Pair {
  int first, second;
};
__device__ void exchange(int& a, int& b) {
  const int keep = a;
  a = b;
  b = keep;
}
__global__ void exchanged(int* data) {
  Pair pair = {data[threadIdx.x], 100};
  exchange(pair.first, pair.second);
  int& element = data[threadIdx.x];
  element = pair.first + 2 * pair.second;
}

//--- language_shared_parameter
// __shared__ on a parameter.
__device__ int first(__shared__ int* tile) { return tile[0]; }
__global__ void kernel(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = first(tile);
}

//--- language_static_functions
// static and inline device functions, forceinline and noinline.
// launch: --kernel chained --grid 1 --block 32 --arg out:i32:32
static __device__ int a(int x) { return x + 1; }
inline __device__ int b(int x) { return x * 2; }
__device__ __forceinline__ int c(int x) { return x - 3; }
__device__ __noinline__ int d(int x) { return x ^ 4; }
__global__ void chained(int* out) { out[threadIdx.x] = d(c(b(a(threadIdx.x)))); }
