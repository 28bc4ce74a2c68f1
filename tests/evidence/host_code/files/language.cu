// SPDX-License-Identifier: Apache-2.0
// The language: templates, namespaces, functions.

//--- anonymous_namespace
// Host and device helpers in an anonymous namespace.
// left out: host_clamp, launch
#include <algorithm>
namespace {
constexpr int kBlock = 128;
__device__ int clamp_to(int v, int high) { return v < 0 ? 0 : v > high ? high : v; }
int host_clamp(int v, int high) { return std::min(std::max(v, 0), high); }
}  // namespace
__global__ void blur(const unsigned char* in, unsigned char* out, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  out[i] = (in[clamp_to(i - 1, n - 1)] + in[i] + in[clamp_to(i + 1, n - 1)]) / 3;
}
void launch(const unsigned char* in, unsigned char* out, int n) {
  blur<<<(host_clamp(n, 1 << 20) + kBlock - 1) / kBlock, kBlock>>>(in, out, n);
}

//--- attributes_and_trailing_types
// Attributes, default arguments, noexcept and trailing return types.
// left out: blocks_for, launch, give_up, old_style
#include <cstdlib>
[[nodiscard]] inline auto blocks_for(int n, int threads = 256) noexcept -> int {
  return (n + threads - 1) / threads;
}
__global__ void __launch_bounds__(256, 2) fast(float* __restrict__ out, const float* __restrict__ in, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = rsqrtf(in[i]);
}
template <int Blocks = 1, bool Sync = (Blocks > 0)>
auto launch(float* out, const float* in, int n) -> decltype(cudaGetLastError()) {
  fast<<<blocks_for(n), 256>>>(out, in, n);
  return Sync ? cudaDeviceSynchronize() : cudaGetLastError();
}
[[noreturn]] void give_up() { std::exit(1); }
__attribute__((unused)) static int old_style() { return 1; }

//--- constexpr_helpers
// constexpr functions without __device__, used in kernel constants and in host code.
// left out: main
#include <cstdio>
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
template <typename T>
constexpr T power_of_two(T n) {
  return n <= 1 ? T(1) : 2 * power_of_two((n + 1) / 2);
}
constexpr int kWidth = ceil_div(100, 32) * 32;
constexpr int kSteps = ceil_div(kWidth, 32);
static constexpr unsigned kPadded = power_of_two(100u);
__global__ void pad(float* out, const float* in) {
  __shared__ float row[kWidth + 1];
  for (int s = 0; s < kSteps; ++s) row[s * 32 + threadIdx.x] = in[s * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = row[(threadIdx.x * 5) % kPadded];
}
int main() {
  pad<<<ceil_div(1000, 32), 32>>>(nullptr, nullptr);
  printf("%d\n", power_of_two(77));
}

//--- extern_c_wrappers
// extern "C" blocks and single wrappers for another language.
// left out: run_triple, run_halve, sizes
extern "C" {
__global__ void triple(int* x) { x[threadIdx.x] *= 3; }
void run_triple(int* x) { triple<<<1, 32>>>(x); }
}
extern "C" __global__ void halve(int* x) { x[threadIdx.x] /= 2; }
extern "C" int run_halve(int* x) {
  halve<<<1, 32>>>(x);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : -1;
}
extern "C" const char* sizes[];
const char* const names[] = {"triple", "halve"};

//--- function_pointers
// A table of host functions and an alias of their type.
// left out: run_a, run_b, entries
#include <cstdio>
__global__ void kernel_a(int* x) { x[threadIdx.x] += 1; }
__global__ void kernel_b(int* x) { x[threadIdx.x] += 2; }
static void run_a(int* x) { kernel_a<<<1, 64>>>(x); }
static void run_b(int* x) { kernel_b<<<1, 64>>>(x); }
typedef void (*Runner)(int*);
struct Entry {
  const char* name;
  Runner run;
};
static Entry entries[] = {
    {"a {", run_a},
    {"b }", run_b},
};

//--- function_try_blocks
// Function-try-blocks, of a function and of a constructor.
// left out: Guard, Guard, careful, main
#include <exception>
#include <iostream>
#include <string>
struct Guard {
  std::string name;
  explicit Guard(const char* n) try : name{n} {
    if (name.empty()) throw 1;
  } catch (...) {
    std::cerr << "guard";
  }
};
void careful(int* x) try {
  Guard guard("x");
  cudaMemset(x, 0, 4);
} catch (const std::exception& error) {
  std::cerr << error.what();
} catch (...) {
  std::cerr << "unknown";
}
__global__ void zero(int* x) { x[threadIdx.x] = 0; }
int main() try { zero<<<1, 32>>>(nullptr); } catch (...) { return 1; }

//--- generic_lambda_in_a_kernel
// A lambda with auto parameters in a kernel, next to host code.
// left out: helper, main
#include <vector>
std::vector<int> helper(int n) { return std::vector<int>(n); }
__global__ void map(float* x, int n) {
  auto each = [&](auto f) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = f(x[i]);
  };
  each([](float v) { return v + 1; });
  each([](auto v) { return v * 3; });
}
int main() { map<<<1, 32>>>(nullptr, helper(3).size()); }

//--- host_template_instantiated
// A host template with explicit instantiations and a specialisation.
// left out: fill, fill, fill, fill, type_name, type_name, type_name
// instances: fill_kernel<int> fill_kernel<float>
#include <string>
#include <vector>
template <typename T>
__global__ void fill_kernel(T* out, T value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}
template __global__ void fill_kernel<int>(int*, int, int);

template <typename T>
void fill(T* out, T value, int n);

template <typename T>
void fill(T* out, T value, int n) {
  fill_kernel<T><<<(n + 255) / 256, 256>>>(out, value, n);
}
template void fill<int>(int*, int, int);
template void fill<float>(float*, float, int);

template <typename T>
std::string type_name() {
  return "?";
}
template <>
std::string type_name<int>() {
  return "int";
}
template <>
std::string type_name<float>() {
  return "float";
}

//--- if_constexpr_and_packs
// Variadic templates and if constexpr, in host and device templates.
// left out: print_all, print_all, run, run
// instances: combine<int,2> combine<float,3>
#include <iostream>
template <typename T, int Mode>
__device__ T apply(T a, T b) {
  if constexpr (Mode == 2) {
    return a + b;
  } else {
    return a * b;
  }
}
template <typename... T>
__device__ auto sum(T... values) {
  return (values + ...);
}
template <typename T, int Mode>
__global__ void combine(T* x, T y) {
  x[threadIdx.x] = apply<T, Mode>(x[threadIdx.x], sum(y, y, T(1)));
}
void print_all() {}
template <typename First, typename... Rest>
void print_all(First&& first, Rest&&... rest) {
  std::cout << first << ' ';
  if constexpr (sizeof...(rest) > 0) print_all(std::forward<Rest>(rest)...);
}
template <class... Pairs>
void run(Pairs... pairs) {
  combine<int, 2><<<1, 32>>>((int*)nullptr, 1);
  combine<float, 3><<<1, 32>>>((float*)nullptr, 1.f);
  print_all(pairs...);
}
template void run<int>(int);

//--- namespaces
// Kernels and host functions in nested and inline namespaces.
// left out: launch, report, main
#include <iostream>
namespace lab {
namespace detail {
__device__ inline float mean(float a, float b) { return 0.5f * (a + b); }
}  // namespace detail
inline namespace v1 {
__global__ void smooth(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) out[i] = detail::mean(in[i], in[i + 1]);
}
void launch(float* out, const float* in, int n) { smooth<<<(n + 63) / 64, 64>>>(out, in, n); }
}  // namespace v1
}  // namespace lab
namespace lab::io {
void report(int n) { std::cout << n << '\n'; }
}
namespace l = lab;
using namespace std;
int main() {
  l::io::report(3);
  cout << "done" << endl;
}

//--- static_assertions
// Assertions at namespace scope and in host functions.
// left out: blocks
#include <type_traits>
#include <cstdint>
struct Cell {
  std::int32_t value;
  std::uint16_t links[2];
};
static_assert(sizeof(Cell) == 8, "a cell is eight bytes {");
static_assert(std::is_trivially_copyable<Cell>::value, "cells are copied");
int blocks(int n) {
  static_assert(sizeof(int) == 4, "");
  return n / 32;
}
__global__ void touch(Cell* c) { c[threadIdx.x].value += c[threadIdx.x].links[1]; }

//--- variables_in_templates
// Variable templates, alias templates and traits for both sides.
// left out: name_of, run, all
// instances: widen<float> widen<int>
template <typename T>
struct Wider {
  using type = T;
};
template <>
struct Wider<float> {
  using type = double;
};
template <typename T>
using wider_t = typename Wider<T>::type;
template <typename T>
constexpr int lanes_v = 16 / sizeof(T);
template <typename T>
const char* name_of() {
  return "T";
}
template <typename T>
__global__ void widen(wider_t<T>* out, const T* in) {
  for (int k = 0; k < lanes_v<T>; ++k) out[threadIdx.x * lanes_v<T> + k] = in[threadIdx.x * lanes_v<T> + k];
}
template <typename T>
void run() {
  widen<T><<<1, 32>>>(nullptr, nullptr);
}
void all() {
  run<float>();
  run<int>();
}
