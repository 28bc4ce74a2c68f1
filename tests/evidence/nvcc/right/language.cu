// SPDX-License-Identifier: Apache-2.0
// C++: statements, variables, literals and the rest of the language. corpus.py describes the parts.

//--- language_alloca
// alloca() with a size known only at run time.
// launch: --kernel stacked --grid 1 --block 32 --arg out:i32:32
__global__ void stacked(int* out) {
  const int n = threadIdx.x + 1;
  int* room = static_cast<int*>(alloca(n * sizeof(int)));
  for (int i = 0; i < n; ++i) room[i] = i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += room[i];
  out[threadIdx.x] = sum;
}

//--- language_assert
// assert() of a true condition.
// launch: --kernel checked --grid 1 --block 32 --arg out:i32:32
#include <cassert>
__global__ void checked(int* out) {
  assert(threadIdx.x < blockDim.x);
  out[threadIdx.x] = blockDim.x - threadIdx.x;
}

//--- language_attributes
// [[nodiscard]], [[maybe_unused]] and __attribute__ in device code.
// launch: --kernel attributed --grid 1 --block 32 --arg out:i32:32
[[nodiscard]] __device__ int twice(int x) { return 2 * x; }
__global__ void attributed(int* out) {
  [[maybe_unused]] const int unused = 3;
  int __attribute__((aligned(8))) x = twice(threadIdx.x);
  out[threadIdx.x] = x;
}

//--- language_clock
// clock64() never goes backwards.
// launch: --kernel ticks --grid 1 --block 32 --arg out:i32:32
__global__ void ticks(int* out) {
  const long long begin = clock64();
  out[threadIdx.x] = 1;
  const long long end = clock64();
  if (end < begin) out[threadIdx.x] = 2;
}

//--- language_comma_and_conditional
// Comma, nested conditional operators, and compound assignments.
// launch: --kernel mixed --grid 1 --block 32 --arg out:i32:32
__global__ void mixed(int* out) {
  int a = threadIdx.x, b;
  b = (a += 3, a *= 2, a % 7);
  b |= a > 40 ? 64 : a > 20 ? 32 : 16;
  b <<= 1, b ^= a;
  out[threadIdx.x] = b;
}

//--- language_const_cast
// const_cast, reinterpret_cast and pointer arithmetic over bytes.
// launch: --kernel bytes --grid 1 --block 32 --arg in:u32:32:iota --arg out:u32:32
__global__ void bytes(const unsigned* in, unsigned* out) {
  const unsigned char* p = reinterpret_cast<const unsigned char*>(in) + 4 * threadIdx.x;
  unsigned* q = const_cast<unsigned*>(in);
  out[threadIdx.x] = p[0] * 3 + p[1] + static_cast<unsigned>(reinterpret_cast<const unsigned*>(p) - q);
}

//--- language_constant_memory
// Initialized constant memory, read with uniform and with divergent indices.
// launch: --kernel weigh --grid 1 --block 32 --arg out:f32:32
__constant__ float weights[8] = {0.5f, 1, 1.5f, 2, 2.5f, 3, 3.5f, 4};
__constant__ int offset = 3;
__global__ void weigh(float* out) { out[threadIdx.x] = weights[threadIdx.x % 8] * weights[2] + offset; }

//--- language_deferred_throw_free
// A noexcept conversion operator.
// launch: --kernel converted --grid 1 --block 32 --arg out:f32:32
struct Celsius {
  float degrees;
  __device__ operator float() const noexcept { return degrees * 1.8f + 32; }
};
__global__ void converted(float* out) { out[threadIdx.x] = Celsius{1.0f * threadIdx.x}; }

//--- language_device_variable
// A __device__ array, and a counter that the kernel changes.
// launch: --kernel looked_up --grid 1 --block 32 --arg out:i32:33
__device__ int table[4] = {10, 20, 30, 40};
__device__ int counter;
__global__ void looked_up(int* out) {
  out[threadIdx.x] = table[threadIdx.x % 4];
  atomicAdd(&counter, 2);
  __syncthreads();
  if (threadIdx.x == 0) out[32] = counter;
}

//--- language_divergent_return
// A warp that returns early; the other warp exchanges values with __syncwarp().
// launch: --kernel leave --grid 1 --block 64 --arg out:i32:64
__global__ void leave(int* out) {
  out[threadIdx.x] = -1;
  if (threadIdx.x >= 32) return;
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

//--- language_do_while
// do-while with break and continue.
// launch: --kernel digits --grid 1 --block 32 --arg out:i32:32
__global__ void digits(int* out) {
  int n = 7919 * (threadIdx.x + 1), sum = 0;
  do {
    const int digit = n % 10;
    n /= 10;
    if (digit == 3) continue;
    if (digit == 9 && sum > 20) break;
    sum += digit;
  } while (n > 0);
  out[threadIdx.x] = sum;
}

//--- language_float_conversions
// Conversions between float, double and integers, including out-of-range values.
// launch: --kernel converted --grid 1 --block 32 --arg out:i32:32
__global__ void converted(int* out) {
  const float x = (threadIdx.x - 16.0f) * 3e8f;
  out[threadIdx.x] = int(x) / 16 + int(unsigned(fabsf(x)) >> 8) + int(double(x) * 1e-3);
}

//--- language_goto
// goto out of nested loops.
// launch: --kernel factors --grid 1 --block 32 --arg out:i32:32
__global__ void factors(int* out) {
  const int n = 60 + threadIdx.x;
  int found = 0;
  for (int a = 2; a < n; ++a)
    for (int b = a; a * b <= n; ++b)
      if (a * b == n) {
        found = a * 1000 + b;
        goto done;
      }
done:
  out[threadIdx.x] = found;
}

//--- language_grid_constant
// A __grid_constant__ struct parameter whose address is used.
// launch: --kernel pick --grid 1 --block 32 --arg struct:01000000020000000300000004000000 --arg out:i32:32
struct Table {
  int values[4];
};
__global__ void pick(const __grid_constant__ Table table, int* out) {
  const int* p = &table.values[threadIdx.x % 4];
  out[threadIdx.x] = *p * 10;
}

//--- language_grid_stride
// A grid-stride loop over more elements than threads.
// launch: --kernel saxpy --grid 2 --block 32 --arg in:f32:200:iota --arg out:f32:200 --arg i32:200
__global__ void saxpy(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] * 1.25f + 2;
}

//--- language_init_statement
// if and switch with an initializer.
// launch: --kernel classes --grid 1 --block 32 --arg out:i32:32
__global__ void classes(int* out) {
  int kind = 0;
  if (const int t = threadIdx.x; t % 3 == 0) kind = 10 + t;
  switch (const int rest = threadIdx.x % 4; rest) {
    case 0: kind += 100; break;
    case 1: kind += 200; [[fallthrough]];
    case 2: kind += 300; break;
    default: kind -= rest;
  }
  out[threadIdx.x] = kind;
}

//--- language_int128
// __int128 arithmetic in device code.
// launch: --kernel products --grid 1 --block 32 --arg out:u64:64
__global__ void products(unsigned long long* out) {
  const unsigned __int128 a = 0xfedcba9876543210ull + threadIdx.x;
  const unsigned __int128 b = a * a / 7;
  out[2 * threadIdx.x] = static_cast<unsigned long long>(b);
  out[2 * threadIdx.x + 1] = static_cast<unsigned long long>(b >> 64);
}

//--- language_literals
// Binary, octal and hexadecimal literals, digit separators, suffixes.
// launch: --kernel literals --grid 1 --block 32 --arg out:u64:32
__global__ void literals(unsigned long long* out) {
  out[threadIdx.x] = 0b1010'1010 + 0xFF'FFull + 017 + 1'000'000ll * threadIdx.x + 'A' + sizeof("text");
}

//--- language_macros
// Function-like macros, stringizing and token pasting.
// launch: --kernel squares --grid 1 --block 32 --arg out:i32:32
#define MAKE_SQUARE(type) \
  __device__ type square_##type(type x) { return x * x; }
#define LENGTH(x) (sizeof(#x) - 1)
MAKE_SQUARE(int)
MAKE_SQUARE(short)
__global__ void squares(int* out) { out[threadIdx.x] = square_int(threadIdx.x) + square_short(3) + LENGTH(four); }

//--- language_managed_variable
// A __managed__ variable read in a kernel.
// launch: --kernel read_base --grid 1 --block 32 --arg out:i32:32
__managed__ int base = 40;
__global__ void read_base(int* out) { out[threadIdx.x] = base + threadIdx.x; }

//--- language_memcpy_memset
// memcpy and memset of local memory in device code.
// launch: --kernel copied --grid 1 --block 32 --arg out:u32:32
__global__ void copied(unsigned* out) {
  unsigned words[4];
  unsigned char bytes[16];
  memset(bytes, 0x11, sizeof bytes);
  bytes[threadIdx.x % 16] = 0xAB;
  memcpy(words, bytes, sizeof words);
  out[threadIdx.x] = words[0] ^ words[1] ^ words[2] ^ words[3];
}

//--- language_multidimensional_array
// Shared and local arrays of two and three dimensions.
// launch: --kernel planes --grid 1 --block 8,4 --arg out:i32:32
__global__ void planes(int* out) {
  __shared__ int tile[4][9];
  int cube[2][3][4];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) cube[i][j][k] = i * 100 + j * 10 + k + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = cube[threadIdx.y % 2][threadIdx.x % 3][threadIdx.y];
  __syncthreads();
  out[threadIdx.y * 8 + threadIdx.x] = tile[threadIdx.y][7 - threadIdx.x];
}

//--- language_nested_namespaces
// Nested namespaces, an alias of one, and a using declaration.
// launch: --kernel mixed --grid 1 --block 32 --arg out:i32:32
namespace course::week2 {
__device__ int mix(int x) { return x * 31 + 7; }
}  // namespace course::week2
namespace w2 = course::week2;
using course::week2::mix;
__global__ void mixed(int* out) { out[threadIdx.x] = w2::mix(threadIdx.x) ^ mix(1); }

//--- language_numeric_limits
// INT_MAX, FLT_MAX and CHAR_BIT in a kernel.
// launch: --kernel limits --grid 1 --block 32 --arg out:i32:32
#include <climits>
#include <cfloat>
__global__ void limits(int* out) {
  int x = threadIdx.x % 2 ? INT_MAX : INT_MIN;
  out[threadIdx.x] = x / 3 + int(FLT_MAX > 1e38f) + CHAR_BIT;
}

//--- language_pointer_differences
// Pointer comparison and subtraction, and an array of pointers.
// launch: --kernel search --grid 1 --block 32 --arg in:i32:64:iota --arg out:i32:32
__global__ void search(const int* in, int* out) {
  const int* parts[2] = {in, in + 32};
  const int* p = parts[threadIdx.x & 1];
  const int* end = p + 32;
  while (p < end && *p % 13 != int(threadIdx.x % 13)) ++p;
  out[threadIdx.x] = p == end ? -1 : int(p - in);
}

//--- language_predefined_macros
// __LINE__, __CUDACC__, __cplusplus and __func__ in device code.
// launch: --kernel where --grid 1 --block 32 --arg out:i32:32
__global__ void where(int* out) {
#if defined(__CUDACC__) && __cplusplus >= 201703L
  out[threadIdx.x] = __LINE__ + int(sizeof(__func__)) * threadIdx.x;
#else
  out[threadIdx.x] = -1;
#endif
}

//--- language_printf
// printf with several types, from one thread at a time.
// launch: --kernel report --grid 1 --block 32 --arg out:i32:32
#include <cstdio>
__global__ void report(int* out) {
  if (threadIdx.x == 3) printf("%d %u %5.2f %s %c %x %lld\n", -1, 7u, 2.5, "text", 'c', 255, 1ll << 40);
  out[threadIdx.x] = threadIdx.x;
}

//--- language_range_for
// A range-based for loop over a local array.
// launch: --kernel weighted --grid 1 --block 32 --arg out:i32:32
__global__ void weighted(int* out) {
  const int weights[] = {1, 4, 6, 4, 1};
  int sum = 0, place = 0;
  for (const int weight : weights) sum += weight * (threadIdx.x + place++);
  out[threadIdx.x] = sum;
}

//--- language_restrict
// __restrict__ pointers and const data through the read-only cache.
// launch: --kernel saxpy --grid 2 --block 32 --arg in:f32:64:iota --arg in:f32:64:iota --arg out:f32:64
__global__ void saxpy(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2.5f * x[i] + __ldg(y + i);
}

//--- language_signed_shift
// Shifts and divisions of negative integers, and conversions to narrow types.
// launch: --kernel narrowed --grid 1 --block 32 --arg out:i32:32
__global__ void narrowed(int* out) {
  const int x = -1000 * int(threadIdx.x);
  const signed char c = static_cast<signed char>(x);
  const short s = static_cast<short>(x * 7);
  out[threadIdx.x] = (x >> 3) + x / 7 + x % 7 + c + s;
}

//--- language_static_local
// A static variable in a kernel: one instance for the whole grid.
// launch: --kernel counted --grid 1 --block 32 --arg out:i32:1
__global__ void counted(int* out) {
  static __device__ int calls = 5;
  atomicAdd(&calls, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = calls;
}

//--- language_std_initializer_list
// A struct with default member initialisers, tested with std::is_trivially_copyable.
// launch: --kernel points --grid 1 --block 32 --arg out:i32:32
#include <type_traits>
struct Point {
  int x = 1, y{2};
};
__global__ void points(int* out) {
  static_assert(std::is_trivially_copyable<Point>::value);
  Point p{};
  p.x += threadIdx.x;
  out[threadIdx.x] = p.x * p.y;
}

//--- language_std_strlen
// The host's strlen() in a kernel.
#include <cstring>
__global__ void kernel(int* out) { out[threadIdx.x] = strlen("block"); }

//--- language_switch_fallthrough
// A dense switch with fallthrough, which becomes a branch table.
// launch: --kernel opcodes --grid 1 --block 32 --arg out:i32:32
__global__ void opcodes(int* out) {
  int x = threadIdx.x;
  switch (threadIdx.x % 9) {
    case 0: x += 1; break;
    case 1: x *= 3;
    case 2: x ^= 5; break;
    case 3: x -= 20; break;
    case 4: x <<= 2; break;
    case 5: x = ~x; break;
    case 6: x = -x;
    case 7: x /= 2; break;
    default: x = 77;
  }
  out[threadIdx.x] = x;
}

//--- language_ternary_lvalue
// A conditional expression as an lvalue.
// launch: --kernel assigned --grid 1 --block 32 --arg out:i32:32
__global__ void assigned(int* out) {
  int even = 1, odd = 2;
  (threadIdx.x % 2 ? odd : even) += threadIdx.x;
  out[threadIdx.x] = even * 100 + odd;
}

//--- language_three_dimensions
// Three-dimensional blocks and grids.
// launch: --kernel places --grid 2,2,2 --block 4,2,2 --arg out:i32:128
__global__ void places(int* out) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * 16 + thread] = blockIdx.x * 100 + blockIdx.y * 10 + blockIdx.z + thread * 1000;
}

//--- language_umlaut_identifier
// An identifier with an umlaut.
// launch: --kernel zaehle --grid 1 --block 32 --arg out:i32:32
__global__ void zaehle(int* out) {
  const int größe = 3 * threadIdx.x;
  out[threadIdx.x] = größe + 1;
}

//--- language_unnamed_namespace
// Device functions and variables in an unnamed namespace.
// launch: --kernel follow --grid 1 --block 32 --arg out:i32:32
namespace {
__device__ int calls = 100;
__device__ int next(int x) { return x + calls; }
}  // namespace
__global__ void follow(int* out) { out[threadIdx.x] = next(next(threadIdx.x)); }

//--- language_unroll
// #pragma unroll with and without a number.
// launch: --kernel sums --grid 1 --block 32 --arg in:f32:128:iota --arg out:f32:32
__global__ void sums(const float* in, float* out) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) sum += in[threadIdx.x + 32 * i];
#pragma unroll 2
  for (int i = 0; i < 6; ++i) sum *= 0.5f;
#pragma unroll 1
  for (int i = 0; i < 3; ++i) sum += i;
  out[threadIdx.x] = sum;
}

//--- language_user_literal
// A user-defined literal operator in device code.
// launch: --kernel lengths --grid 1 --block 32 --arg out:f32:32
__host__ __device__ constexpr float operator""_km(long double x) { return float(x * 1000); }
__global__ void lengths(float* out) { out[threadIdx.x] = 1.5_km + threadIdx.x; }

//--- language_volatile
// Volatile shared memory in the last steps of a warp reduction.
// launch: --kernel total --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:1
__global__ void total(const int* in, int* out) {
  __shared__ volatile int part[64];
  const int t = threadIdx.x;
  part[t] = in[t];
  part[t + 32] = 0;
  for (int step = 16; step > 0; step /= 2) {
    __syncwarp();
    const int other = part[t + step];
    __syncwarp();
    part[t] += other;
  }
  if (t == 0) out[0] = part[0];
}

//--- language_whole_program
// A file with main(), an error macro, and host containers.
// launch: --kernel scale --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32 --arg i32:32
#include <cstdio>
#include <vector>
#define CHECK(call)                                                       \
  do {                                                                    \
    const cudaError_t error = (call);                                     \
    if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error)); \
  } while (0)
__global__ void scale(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * in[i];
}
int main() {
  std::vector<float> host(32, 1.0f);
  float *in, *out;
  CHECK(cudaMalloc(&in, 128));
  CHECK(cudaMalloc(&out, 128));
  CHECK(cudaMemcpy(in, host.data(), 128, cudaMemcpyHostToDevice));
  scale<<<1, 32>>>(in, out, 32);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  return 0;
}

//--- language_wide_characters
// Strings in device code: lengths and characters.
// launch: --kernel letters --grid 1 --block 32 --arg out:i32:32
__device__ int length(const char* text) {
  int n = 0;
  while (text[n] != '\0') ++n;
  return n;
}
__global__ void letters(int* out) {
  const char* word = threadIdx.x % 2 ? "warp" : "block of threads";
  out[threadIdx.x] = length(word) * 1000 + word[threadIdx.x % 4];
}
