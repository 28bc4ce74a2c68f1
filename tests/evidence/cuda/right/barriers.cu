// SPDX-License-Identifier: Apache-2.0
// Barriers, asynchronous copies and groups of threads.

//--- async_copies
// launch: --grid 2 --block 64 --arg out:f32:128 --arg in:f32:1024:iota
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ alignas(16) float own[64], tile[2][64], group[64], tracked[64], staged[2][64];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const int t = threadIdx.x;
  const auto block = cg::this_thread_block();
  __pipeline_memcpy_async(&own[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  float sum = own[t];  // this thread copied it: the wait is enough

  __pipeline_memcpy_async(&tile[0][t], &in[t], 4);
  __pipeline_commit();
  for (int stage = 1; stage < 5; ++stage) {
    if (stage < 4) __pipeline_memcpy_async(&tile[stage % 2][t], &in[64 * stage + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += tile[(stage - 1) % 2][63 - t];
    __syncthreads();
  }

  cg::memcpy_async(block, group, in, sizeof group);
  cg::wait(block);
  sum += group[63 - t];

  if (t == 0) init(&bar, 64);
  __syncthreads();
  cuda::memcpy_async(&tracked[t], &in[t], 4, bar);
  bar.arrive_and_wait();
  sum += tracked[63 - t];

  auto pipe = cuda::make_pipeline(block, &state);
  for (int stage = 0; stage < 2; ++stage) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, staged[stage], in + 64 * stage, sizeof staged[stage], pipe);
    pipe.producer_commit();
  }
  for (int stage = 0; stage < 2; ++stage) {
    pipe.consumer_wait();
    sum += staged[stage][63 - t];
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + t] = sum;
}

//--- barrier_object
// launch: --grid 2 --block 64 --arg out:i32:128
#include <cuda/barrier>
extern "C" __global__ void k(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  __shared__ int data[64];
  if (threadIdx.x == 0) init(&met, 64);
  __syncthreads();
  for (int step = 0; step < 3; ++step) {
    data[threadIdx.x] = threadIdx.x + step;
    met.arrive_and_wait();
    out[blockIdx.x * 64 + threadIdx.x] = data[63 - threadIdx.x];
    met.arrive_and_wait();
  }
}

//--- early_return
// launch: --grid 1 --block 96 --arg out:f32:80 --arg in:f32:80:iota --arg i32:80
extern "C" __global__ void k(float* out, const float* in, int n) {
  __shared__ float tile[96];
  const int i = threadIdx.x;
  if (i >= n) return;
  tile[i] = in[i];
  __syncthreads();
  out[i] = tile[n - 1 - i];
}

//--- global_stages
// launch: --grid 2 --block 96 --arg out:i32:192
extern "C" __global__ void k(int* out) {
  int* mine = out + 96 * blockIdx.x;
  mine[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int other = mine[95 - threadIdx.x];
  __syncthreads();
  mine[threadIdx.x] = other;
}

//--- last_block
// launch: --grid 8 --block 64 --arg out:f32:1 --arg in:f32:512:iota
__device__ float partial[8];
__device__ unsigned done;
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float sum[64];
  __shared__ bool is_last;
  const int i = threadIdx.x;
  sum[i] = in[blockIdx.x * 64 + i];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (i < half) sum[i] += sum[i + half];
    __syncthreads();
  }
  if (i == 0) {
    partial[blockIdx.x] = sum[0];
    __threadfence();
    is_last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && i == 0) {
    float total = 0;
    for (int b = 0; b < gridDim.x; ++b) total += partial[b];
    *out = total;
  }
}

//--- last_block_of_many_writers
// launch: --grid 8 --block 64 --arg out:i32:512
__device__ int values[512];
__device__ unsigned done;
extern "C" __global__ void k(int* out) {
  __shared__ bool is_last;
  values[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&done, 1) == gridDim.x - 1;
  __syncthreads();
  if (is_last)
    for (int i = threadIdx.x; i < 512; i += 64) out[i] = values[511 - i];
}

//--- matrix_tiles
// launch: --grid 1 --block 64 --arg out:f32:512 --arg in:f16:512:iota
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(float* out, const half* in) {
  __shared__ alignas(32) half tile[256 + 128];
  __shared__ alignas(32) float results[2][16 * 20];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int i = threadIdx.x; i < 256; i += 64) tile[i / 16 * 24 + i % 16] = in[i];
  __syncthreads();
  const int warp = threadIdx.x / 32;
  wmma::load_matrix_sync(fa, tile, 24);
  wmma::load_matrix_sync(fb, in + warp * 256, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] += 1.0f;
  wmma::store_matrix_sync(results[warp], fc, 20, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x % 32; i < 256; i += 32) {
    out[warp * 256 + i] = results[warp][i / 16 * 20 + i % 16];
  }
}

//--- named_barrier_of_two_warps
// launch: --grid 1 --block 96 --arg out:i32:96
extern "C" __global__ void k(int* out) {
  __shared__ int data[64];
  if (threadIdx.x < 64) {
    data[threadIdx.x] = threadIdx.x;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = data[63 - threadIdx.x];
  } else {
    out[threadIdx.x] = 1;
  }
}

//--- named_barrier_pipeline
// launch: --grid 1 --block 64 --arg out:i32:64
extern "C" __global__ void k(int* out) {
  __shared__ int data[32];
  const int lane = threadIdx.x % 32;
  for (int step = 0; step < 2; ++step) {
    if (threadIdx.x < 32) {  // producer warp
      if (step > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
      data[lane] = lane + 100 * step;
      __threadfence_block();
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {  // consumer warp
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[32 * step + lane] = data[31 - lane];
      if (step == 0) asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
  }
}

//--- syncwarp_of_half
// launch: --grid 1 --block 32 --arg out:i32:32
extern "C" __global__ void k(int* out) {
  __shared__ int data[32];
  const int i = threadIdx.x;
  if (i < 16) {
    data[i] = i;
    __syncwarp(0x0000ffff);
    out[i] = data[15 - i];
  } else {
    data[i] = -i;
    __syncwarp(0xffff0000);
    out[i] = data[47 - i];
  }
}

//--- tiles
// launch: --grid 1 --block 64 --arg out:i32:64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* out) {
  __shared__ int data[64];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int first = threadIdx.x / 8 * 8;
  data[threadIdx.x] = threadIdx.x;
  tile.sync();
  out[threadIdx.x] = data[first + 7 - threadIdx.x % 8];
}

//--- tiles_and_coalesced_groups
// launch: --grid 1 --block 256 --arg out:i32:256 --arg in:i32:256:iota
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cuda/atomic>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[256];
  __shared__ cuda::atomic<int, cuda::thread_scope_block> total;
  auto b = cg::this_thread_block();
  if (b.thread_rank() == 0) total.store(0);
  b.sync();
  auto t = cg::tiled_partition<32>(b);
  int v = in[threadIdx.x];
  s[threadIdx.x] = v;
  t.sync();
  int w = s[threadIdx.x ^ 5];
  t.sync();
  if (v & 1) {
    auto c = cg::coalesced_threads();
    s[threadIdx.x] = v + c.size();
    c.sync();
    w += s[(threadIdx.x & ~31) + (threadIdx.x ^ 2) % 32];
  }
  cg::reduce_update_async(t, total, w, cg::plus<int>());
  b.sync();
  o[threadIdx.x] = total.load() + w;
}

//--- tiles_of_several_warps
// launch: --device k40 --grid 1 --block 256 --arg out:i32:256 --arg in:i32:256:iota
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ cg::block_tile_memory<256> mem;
  auto b = cg::this_thread_block(mem);
  auto t = cg::tiled_partition<128>(b);
  int v = in[threadIdx.x];
  int s = cg::reduce(t, v, cg::plus<int>());
  int a = t.any(v == 3);
  int x = t.shfl(v, 7);
  t.sync();
  s += cg::inclusive_scan(t, v);
  auto u = cg::tiled_partition<16>(b);
  s += cg::reduce(u, v, cg::greater<int>());
  auto c = cg::coalesced_threads();
  s += cg::exclusive_scan(c, v);
  auto l = cg::labeled_partition(u, v & 3);
  s += cg::reduce(l, v, cg::plus<int>());
  l.sync();
  o[threadIdx.x] = s + a + x;
}

//--- two_shared_arrays
// launch: --grid 2 --block 64 --shared 256 --arg out:f32:128 --arg in:f32:128:iota
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float a[64];
  __shared__ double b[64];
  extern __shared__ float c[];
  const int i = threadIdx.x;
  a[i] = b[63 - i] = c[i] = in[blockIdx.x * 64 + i];
  __syncthreads();
  out[blockIdx.x * 64 + i] = a[63 - i] + static_cast<float>(b[i]) + c[63 - i];
}
