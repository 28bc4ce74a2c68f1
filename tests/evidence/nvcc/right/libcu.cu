// SPDX-License-Identifier: Apache-2.0
// libcu++: cuda::std and cuda. corpus.py describes the parts.

//--- libcu_algorithm
// cuda::std::swap, exchange, and move.
// launch: --kernel swaps --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cuda/std/utility>
__global__ void swaps(const int* in, int* out) {
  int a = in[threadIdx.x] * 3, b = 40;
  if (a > b) cuda::std::swap(a, b);
  const int old = cuda::std::exchange(a, 7);
  out[threadIdx.x] = old * 1000 + cuda::std::move(a) + b;
}

//--- libcu_array
// cuda::std::array and its members.
// launch: --kernel arrays --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cuda/std/array>
__global__ void arrays(const int* in, int* out) {
  cuda::std::array<int, 4> values{1, 2, 3, 4};
  values[in[threadIdx.x] % 4] += 10;
  int sum = 0;
  for (int v : values) sum = sum * 3 + v;
  out[threadIdx.x] = sum + values.front() + static_cast<int>(values.size());
}

//--- libcu_atomic_in_shared
// cuda::atomic in shared memory.
// launch: --kernel counts --grid 2 --block 64 --arg out:i32:2
#include <cuda/atomic>
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void counts(int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> total;
  if (threadIdx.x == 0) total.store(blockIdx.x, cuda::memory_order_relaxed);
  __syncthreads();
  total.fetch_add(threadIdx.x, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = total.load();
}

//--- libcu_atomic_ref
// cuda::atomic_ref over plain memory.
// launch: --kernel counts --grid 4 --block 64 --arg inout:i32:4:zeros
#include <cuda/atomic>
__global__ void counts(int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> total(out[0]);
  total.fetch_add(2, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_device> largest(out[1]);
  largest.fetch_max(static_cast<int>(blockIdx.x * 64 + threadIdx.x), cuda::memory_order_relaxed);
}

//--- libcu_barrier
// A block's cuda::barrier with arrive and wait.
// launch: --kernel halves --grid 1 --block 64 --arg in:i32:64:iota --arg out:i32:64
#include <cuda/barrier>
__global__ void halves(const int* in, int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ int values[64];
  if (threadIdx.x == 0) init(&ready, blockDim.x);
  __syncthreads();
  values[threadIdx.x] = in[threadIdx.x] * 5;
  ready.wait(ready.arrive());
  out[threadIdx.x] = values[threadIdx.x ^ 33];
}

//--- libcu_bit
// cuda::std::popcount, countl_zero, rotl, and bit_cast.
// launch: --kernel bits --grid 1 --block 32 --arg in:u32:32:iota --arg out:u32:128
#include <cuda/std/bit>
__global__ void bits(const unsigned* in, unsigned* out) {
  const unsigned x = in[threadIdx.x] * 2654435761u;
  out[threadIdx.x] = cuda::std::popcount(x);
  out[32 + threadIdx.x] = cuda::std::countl_zero(x);
  out[64 + threadIdx.x] = cuda::std::rotl(x, 7);
  out[96 + threadIdx.x] = cuda::std::bit_cast<unsigned>(static_cast<float>(x));
}

//--- libcu_complex
// Arithmetic of cuda::std::complex.
// launch: --kernel products --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:64
#include <cuda/std/complex>
__global__ void products(const float* in, float* out) {
  const cuda::std::complex<float> z(in[threadIdx.x], 2);
  const auto w = z * z + cuda::std::complex<float>(1, -3);
  out[2 * threadIdx.x] = w.real();
  out[2 * threadIdx.x + 1] = w.imag();
}

//--- libcu_functional
// cuda::std::plus, greater and invoke.
// launch: --kernel calls --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cuda/std/functional>
__global__ void calls(const int* in, int* out) {
  const int sum = cuda::std::plus<>{}(in[threadIdx.x], 5);
  out[threadIdx.x] = cuda::std::greater<int>{}(sum, 20) ? cuda::std::invoke([](int x) { return -x; }, sum) : sum;
}

//--- libcu_limits
// cuda::std::numeric_limits.
// launch: --kernel limits --grid 1 --block 1 --arg out:f64:6
#include <cuda/std/limits>
__global__ void limits(double* out) {
  out[0] = cuda::std::numeric_limits<float>::max();
  out[1] = cuda::std::numeric_limits<float>::epsilon();
  out[2] = cuda::std::numeric_limits<int>::lowest();
  out[3] = cuda::std::numeric_limits<unsigned long long>::digits;
  out[4] = cuda::std::numeric_limits<double>::denorm_min();
  out[5] = cuda::std::numeric_limits<short>::max();
}

//--- libcu_mdspan
// cuda::std::mdspan with two dimensions.
// launch: --kernel transpose --grid 1 --block 8,8 --arg in:i32:64:iota --arg out:i32:64
#include <cuda/std/mdspan>
__global__ void transpose(const int* in, int* out) {
  cuda::std::mdspan<const int, cuda::std::extents<int, 8, 8>> from(in);
  cuda::std::mdspan<int, cuda::std::extents<int, 8, 8>> to(out);
  to(threadIdx.x, threadIdx.y) = from(threadIdx.y, threadIdx.x);
}

//--- libcu_numeric
// cuda::std::accumulate and inner_product.
// launch: --kernel sums --grid 1 --block 8 --arg in:i32:64:iota --arg out:i32:16
#include <cuda/std/numeric>
__global__ void sums(const int* in, int* out) {
  const int* row = in + 8 * threadIdx.x;
  out[threadIdx.x] = cuda::std::accumulate(row, row + 8, 100);
  out[8 + threadIdx.x] = cuda::std::inner_product(row, row + 8, in, 0);
}

//--- libcu_optional
// cuda::std::optional.
// launch: --kernel find --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cuda/std/optional>
__device__ cuda::std::optional<int> halved(int x) {
  if (x % 2 != 0) return cuda::std::nullopt;
  return x / 2;
}
__global__ void find(const int* in, int* out) { out[threadIdx.x] = halved(in[threadIdx.x]).value_or(-1); }

//--- libcu_pair
// cuda::std::pair and make_pair.
// launch: --kernel pairs --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cuda/std/utility>
__global__ void pairs(const int* in, int* out) {
  auto best = cuda::std::make_pair(0, -1);
  for (int i = 0; i < 8; ++i) {
    const auto next = cuda::std::make_pair(in[(threadIdx.x * 7 + i * 5) % 32], i);
    if (best < next) best = next;
  }
  out[threadIdx.x] = best.first * 10 + best.second;
}

//--- libcu_pipeline
// A thread's cuda::pipeline with two stages.
// launch: --kernel staged --grid 1 --block 32 --arg in:i32:128:iota --arg out:i32:128
#include <cuda/pipeline>
__global__ void staged(const int* in, int* out) {
  __shared__ int stage[2][32];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&stage[0][threadIdx.x], in + threadIdx.x, sizeof(int), pipe);
  pipe.producer_commit();
  for (int i = 0; i < 4; ++i) {
    if (i < 3) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stage[(i + 1) % 2][threadIdx.x], in + 32 * (i + 1) + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    }
    out[32 * i + threadIdx.x] = stage[i % 2][threadIdx.x] + 1;
    pipe.consumer_release();
  }
}

//--- libcu_semaphore
// A binary semaphore guards a sum.
// launch: --kernel sums --grid 1 --block 128 --arg out:i32:1
#include <cuda/semaphore>
__global__ void sums(int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::binary_semaphore<cuda::thread_scope_block> one;
  __shared__ int total;
  if (threadIdx.x == 0) {
    new (&one) cuda::binary_semaphore<cuda::thread_scope_block>(1);
    total = 0;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    one.acquire();
    total += threadIdx.x;
    one.release();
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = total;
}

//--- libcu_span
// cuda::std::span over part of an array.
// launch: --kernel parts --grid 1 --block 8 --arg in:i32:64:iota --arg out:i32:8
#include <cuda/std/span>
__device__ int sum(cuda::std::span<const int> values) {
  int total = 0;
  for (int v : values) total += v;
  return total;
}
__global__ void parts(const int* in, int* out) {
  out[threadIdx.x] = sum(cuda::std::span<const int>(in + 8 * threadIdx.x, 8).subspan(threadIdx.x % 4));
}

//--- libcu_tuple
// cuda::std::tuple, tie, and structured bindings.
// launch: --kernel tuples --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
#include <cuda/std/tuple>
__device__ cuda::std::tuple<float, float> bounds(float x) { return {x - 1, x * 2}; }
__global__ void tuples(const float* in, float* out) {
  float low, high;
  cuda::std::tie(low, high) = bounds(in[threadIdx.x]);
  auto [a, b] = bounds(low);
  out[threadIdx.x] = high + a * b;
}

//--- libcu_type_traits
// cuda::std type traits select a branch.
// launch: --kernel traits --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
#include <cuda/std/type_traits>
template <typename T>
__device__ float halved(T x) {
  if constexpr (cuda::std::is_integral_v<T>) return x / 2;
  else return x / 2;
}
__global__ void traits(const float* in, float* out) {
  out[threadIdx.x] = halved(in[threadIdx.x]) * 100 + halved(static_cast<int>(in[threadIdx.x]));
}

//--- libcu_variant
// cuda::std::variant and visit.
// launch: --kernel visits --grid 1 --block 32 --arg in:i32:32:iota --arg out:f32:32
#include <cuda/std/variant>
struct Twice {
  __device__ float operator()(int x) const { return 2 * x; }
  __device__ float operator()(float x) const { return x / 2; }
};
__global__ void visits(const int* in, float* out) {
  cuda::std::variant<int, float> value = in[threadIdx.x];
  if (in[threadIdx.x] % 2 == 1) value = 0.5f * in[threadIdx.x];
  out[threadIdx.x] = cuda::std::visit(Twice{}, value);
}
