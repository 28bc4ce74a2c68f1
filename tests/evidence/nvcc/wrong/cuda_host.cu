// SPDX-License-Identifier: Apache-2.0
// Code and constants of the host in device code. corpus.py describes the parts.

//--- cuda_constexpr_case
// A case label that calls a constexpr host function.
constexpr int twice(int n) { return 2 * n; }
__global__ void kernel(int* out) {
  switch (threadIdx.x) {
    case twice(4):
      out[0] = 1;
  }
}

//--- cuda_constexpr_class
// A class with constexpr functions that are host-only.
struct Scale {
  int by;
  constexpr Scale(int n) : by(n) {}
  constexpr int of(int x) const { return by * x; }
};
__global__ void kernel(int* out) {
  Scale scale(3);
  out[threadIdx.x] = scale.of(threadIdx.x);
}

//--- cuda_constexpr_function_at_run_time
// A constexpr function without __device__, called outside a constant expression.
constexpr int power(int base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}
__global__ void tables(int* out) {
  __shared__ int table[power(2, 5)];
  table[threadIdx.x] = threadIdx.x * power(3, 4);
  __syncthreads();
  out[threadIdx.x] = table[31 - threadIdx.x];
}

//--- cuda_constexpr_function_in_kernel
// A constexpr function without __device__, called in a kernel.
constexpr int power(int base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}
__global__ void tables(int* out) {
  __shared__ int table[power(2, 5)];
  constexpr int factor = power(3, 4);
  table[threadIdx.x] = threadIdx.x * factor;
  __syncthreads();
  out[threadIdx.x] = table[31 - threadIdx.x];
}

//--- cuda_constexpr_limits
// A constexpr variable initialized from std::numeric_limits in a kernel.
#include <limits>
__global__ void kernel(int* out) {
  constexpr int most = std::numeric_limits<int>::max();
  out[threadIdx.x] = most;
}

//--- cuda_constexpr_static_assert
// A static_assert that calls a constexpr host function.
constexpr int power(int base, int n) { return n == 0 ? 1 : base * power(base, n - 1); }
__global__ void kernel(int* out) {
  static_assert(power(2, 5) == 32);
  out[threadIdx.x] = 1;
}

//--- cuda_constexpr_template_argument
// A template argument that calls a constexpr host function.
constexpr int twice(int n) { return 2 * n; }
template <int N>
__device__ int shifted(int x) {
  return x << N;
}
__global__ void kernel(int* out) { out[threadIdx.x] = shifted<twice(2)>(threadIdx.x); }

//--- cuda_device_function_in_both
// A __host__ __device__ function that calls a __device__ function.
__device__ float square(float x) { return x * x; }
__host__ __device__ float norm(float x, float y) { return sqrtf(square(x) + square(y)); }
__global__ void kernel(float* out) { out[threadIdx.x] = norm(3, threadIdx.x); }

//--- cuda_dynamic_cast
// dynamic_cast in a kernel.
struct Shape {
  __device__ virtual int kind() const { return 1; }
};
struct Square : Shape {
  __device__ int kind() const override { return 2; }
};
__global__ void kernel(int* out) {
  Square s;
  Shape* p = &s;
  out[threadIdx.x] = dynamic_cast<Square*>(p) != nullptr;
}

//--- cuda_extended_lambda
// An extended lambda without --extended-lambda.
template <typename F>
__global__ void map(int* out, F f) {
  out[threadIdx.x] = f(threadIdx.x);
}
void run(int* out) {
  map<<<1, 32>>>(out, [] __device__(int x) { return x + 1; });
}

//--- cuda_extended_lambda_in_kernel
// A __device__ lambda inside a kernel.
template <typename F>
__device__ int apply(F f, int x) {
  return f(x);
}
__global__ void kernel(int* out) {
  out[threadIdx.x] = apply([] __device__(int x) { return x + 1; }, threadIdx.x);
}

//--- cuda_forceinline_twice
// A misspelt __forceinline__.
__device__ __force_inline__ int twice(int x) { return 2 * x; }
__global__ void kernel(int* out) { out[threadIdx.x] = twice(4); }

//--- cuda_host_array
// A global host array used in a kernel.
float weights[4] = {1, 2, 3, 4};
__global__ void kernel(float* out) { out[threadIdx.x] = weights[threadIdx.x % 4]; }

//--- cuda_host_const_address
// The address of a const host number.
const int kSteps = 4;
__global__ void kernel(int* out) {
  const int* p = &kSteps;
  out[threadIdx.x] = *p;
}

//--- cuda_host_const_array
// A const array at file scope used in a kernel.
const int kDx[4] = {1, 0, -1, 0};
__global__ void kernel(int* out) { out[threadIdx.x] = kDx[threadIdx.x % 4]; }

//--- cuda_host_const_by_reference
// The address of a const number at file scope.
const int kSize = 12;
__global__ void kernel(int* out) {
  const int* p = &kSize;
  out[threadIdx.x] = *p;
}

//--- cuda_host_const_double
// A host pointer to a const double, used in a kernel.
const double kHalf = 0.5;
const double* kPointer = &kHalf;
__global__ void kernel(double* out) { out[threadIdx.x] = *kPointer; }

//--- cuda_host_const_in_namespace
// A const array in a namespace, used in a kernel.
namespace stencil {
const float kWeights[3] = {1, 2, 1};
}
__global__ void kernel(float* out) { out[threadIdx.x] = stencil::kWeights[threadIdx.x % 3]; }

//--- cuda_host_const_lambda
// A const host array used in a lambda of a kernel.
const float kScale[2] = {1, 2};
__global__ void kernel(float* out) {
  auto scale = [](int i) { return kScale[i & 1]; };
  out[threadIdx.x] = scale(threadIdx.x);
}

//--- cuda_host_const_run_time
// A const number whose value is known only at run time.
#include <cstdlib>
const int kSize = std::atoi("12");
__global__ void kernel(int* out) { out[threadIdx.x] = kSize; }

//--- cuda_host_const_string
// A file-scope pointer to const char, printed by a kernel.
#include <cstdio>
const char* kName = "warp";
__global__ void kernel(int* out) {
  printf("%s\n", kName);
  out[threadIdx.x] = 1;
}

//--- cuda_host_const_struct
// The address of a file-scope constexpr struct.
struct Settings {
  int first, last;
};
constexpr Settings kSettings = {1, 9};
__device__ int length(const Settings& s) { return s.last - s.first; }
__global__ void kernel(int* out) { out[threadIdx.x] = length(kSettings); }

//--- cuda_host_const_template_member
// A static constexpr array in a class template, indexed at run time.
template <class T>
struct Table {
  static constexpr T kValues[2] = {1, 2};
};
__global__ void kernel(float* out) { out[threadIdx.x] = Table<float>::kValues[threadIdx.x & 1]; }

//--- cuda_host_const_unused_function
// A const host array in a device function that no kernel calls.
const int kPrimes[4] = {2, 3, 5, 7};
__device__ int prime(int i) { return kPrimes[i & 3]; }
__global__ void kernel(int* out) { out[threadIdx.x] = 1; }

//--- cuda_host_constexpr_array
// A file-scope constexpr array, indexed at run time.
constexpr float kWeights[3] = {0.25f, 0.5f, 0.25f};
__global__ void kernel(float* out, const float* in) {
  float sum = 0;
  for (int i = 0; i < 3; ++i) sum += kWeights[i] * in[threadIdx.x + i];
  out[threadIdx.x] = sum;
}

//--- cuda_host_constructor
// A constructor without __device__.
struct Cell {
  int value;
  Cell(int v) : value(2 * v) {}
};
__global__ void kernel(int* out) {
  Cell c(threadIdx.x);
  out[threadIdx.x] = c.value;
}

//--- cuda_host_function
// A host function called from a kernel.
int twice(int x) { return 2 * x; }
__global__ void kernel(int* out) { out[threadIdx.x] = twice(threadIdx.x); }

//--- cuda_host_function_explicit
// A __host__ function called from a device function.
__host__ float half_of(float x) { return x / 2; }
__device__ float quarter_of(float x) { return half_of(half_of(x)); }
__global__ void kernel(float* out) { out[threadIdx.x] = quarter_of(threadIdx.x); }

//--- cuda_host_lambda
// A lambda at file scope called in a kernel.
auto twice = [](int x) { return 2 * x; };
__global__ void kernel(int* out) { out[threadIdx.x] = twice(threadIdx.x); }

//--- cuda_host_method
// A host member function called from a kernel.
struct Counter {
  int value = 0;
  void next() { ++value; }
};
__global__ void kernel(int* out) {
  Counter c;
  c.next();
  out[threadIdx.x] = c.value;
}

//--- cuda_host_namespace_variable
// A variable in a namespace without __device__.
namespace settings {
int step = 3;
}
__global__ void kernel(int* out) { out[threadIdx.x] = settings::step; }

//--- cuda_host_operator
// An overloaded operator without __device__.
struct Vector {
  float x, y;
};
Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }
__global__ void kernel(Vector* out, const Vector* in) { out[threadIdx.x] = in[0] + in[threadIdx.x]; }

//--- cuda_host_recursion
// A recursive host function called from a kernel.
int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__global__ void kernel(int* out) { out[threadIdx.x] = factorial(threadIdx.x % 8); }

//--- cuda_host_static_member_array
// A static constexpr array in a class, indexed at run time.
struct Tables {
  static constexpr int kPrimes[4] = {2, 3, 5, 7};
};
__global__ void kernel(int* out) { out[threadIdx.x] = Tables::kPrimes[threadIdx.x % 4]; }

//--- cuda_host_static_variable
// A static variable at file scope without __device__.
static int calls = 0;
__global__ void kernel(int* out) {
  calls += 1;
  out[threadIdx.x] = 1;
}

//--- cuda_host_template
// A host function template called from a kernel.
template <typename T>
T larger(T a, T b) {
  return a > b ? a : b;
}
__global__ void kernel(int* out) { out[threadIdx.x] = larger(int(threadIdx.x), 5); }

//--- cuda_host_variable
// A global host variable used in a kernel.
int count = 5;
__global__ void kernel(int* out) { out[threadIdx.x] = count; }

//--- cuda_inline_device_variable
// An inline __device__ variable in whole program mode.
inline __device__ int shift = 2;
__global__ void primes(int* out) {
  constexpr int kPrimes[] = {2, 3, 5, 7};
  out[threadIdx.x] = kPrimes[threadIdx.x % 4] << shift;
}

//--- cuda_thread_local
// A thread_local variable in a kernel.
__global__ void kernel(int* out) {
  thread_local int calls = 0;
  out[threadIdx.x] = ++calls;
}

//--- cuda_throw
// An exception in a kernel.
__global__ void kernel(int* out, int n) {
  if (n < 0) throw 1;
  out[threadIdx.x] = n;
}

//--- cuda_try
// try and catch in a kernel.
__global__ void kernel(int* out) {
  try {
    out[threadIdx.x] = 1;
  } catch (...) {
    out[threadIdx.x] = 2;
  }
}

//--- cuda_typeid
// typeid in a kernel.
#include <typeinfo>
__global__ void kernel(int* out) { out[threadIdx.x] = typeid(int) == typeid(float); }
