// SPDX-License-Identifier: Apache-2.0
// Races with asynchronous copies, barrier objects and tiles.

//--- race_barrier_object
// launch: --grid 1 --block 64 --arg out:i32:64
// | race_barrier_object.cu:17:3: race: thread (32, 0, 0) writes data[32], which thread (31, 0, 0) reads in line 19, with no barrier in between: their order is undefined. Put a __syncthreads() between line 17 and line 19. This happened 64 times.
// |    17 |   data[threadIdx.x] = threadIdx.x;
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
// | race_barrier_object.cu:19:3: uninitialized_read: thread (0, 0, 0) reads data[63], which no thread of the block has written yet. Shared memory is not zero-initialized: store to it first, with a __syncthreads() in between if another thread stores. This happened 32 times.
// |    19 |   out[threadIdx.x] = data[63 - threadIdx.x];  // should wait first
// |       |                      ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cuda/barrier>
extern "C" __global__ void k(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  __shared__ int data[64];
  if (threadIdx.x == 0) init(&met, 64);
  __syncthreads();
  data[threadIdx.x] = threadIdx.x;
  auto token = met.arrive();
  out[threadIdx.x] = data[63 - threadIdx.x];  // should wait first
  met.wait(std::move(token));
}

//--- race_copy_barrier_before_wait
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | race_copy_barrier_before_wait.cu:17:3: race: thread (0, 0, 0) reads tile[63] while an asynchronous copy may still write there, which thread (63, 0, 0) has started in line 13. Put a __pipeline_commit() and a __pipeline_wait_prior(0), which wait for the thread's own copies, and then a __syncthreads() between line 13 and line 17. This happened 32 times.
// |    17 |   out[threadIdx.x] = tile[63 - threadIdx.x];
// |       |                      ^
// |       block (0, 0, 0), thread (0, 0, 0)
// | race_copy_barrier_before_wait.cu:16:3: race: thread (32, 0, 0) writes tile[32], which thread (31, 0, 0) reads in line 17, with no barrier in between: their order is undefined. Put a __syncthreads() between line 16 and line 17. This happened 64 times.
// |    16 |   __pipeline_wait_prior(0);  // waits for the thread's own copy alone
// |       block (0, 0, 0), thread (32, 0, 0)
#include <cuda_pipeline.h>
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);  // waits for the thread's own copy alone
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

//--- race_copy_of_own_without_wait
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | race_copy_of_own_without_wait.cu:12:3: race: thread (0, 0, 0) reads tile[0] while an asynchronous copy may still write there, which it has started in line 10. Put a __pipeline_commit() and a __pipeline_wait_prior(0) between line 10 and line 12. This happened 64 times.
// |    12 |   out[threadIdx.x] = tile[threadIdx.x];
// |       |                      ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cuda_pipeline.h>
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  out[threadIdx.x] = tile[threadIdx.x];
}

//--- race_copy_source_overwritten
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | race_copy_source_overwritten.cu:13:3: race: thread (0, 0, 0) writes out[0] while an asynchronous copy may still have to read that, which it has started in line 11. Put a __pipeline_commit() and a __pipeline_wait_prior(0) between line 11 and line 13. This happened 64 times.
// |    13 |   out[threadIdx.x] = 0;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cuda_pipeline.h>
extern "C" __global__ void k(float* out, const float*) {
  __shared__ float tile[64];
  out[threadIdx.x] = threadIdx.x;
  __pipeline_memcpy_async(&tile[threadIdx.x], &out[threadIdx.x], 4);
  __pipeline_commit();
  out[threadIdx.x] = 0;
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

//--- race_copy_wait_for_too_few
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:256:iota
// | race_copy_wait_for_too_few.cu:16:5: race: thread (0, 0, 0) reads tile[0][63] while an asynchronous copy may still write there, which thread (63, 0, 0) has started in line 12. The wait in line 14 leaves the newest group pending, and the copy is in there: let it leave fewer. This happened 256 times.
// |    16 |     sum += tile[stage % 2][63 - threadIdx.x];
// |       |            ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cuda_pipeline.h>
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[2][64];
  float sum = 0;
  for (int stage = 0; stage < 4; ++stage) {
    __pipeline_memcpy_async(&tile[stage % 2][threadIdx.x], &in[64 * stage + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);  // this stage's copy stays in flight
    __syncthreads();
    sum += tile[stage % 2][63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

//--- race_copy_without_commit
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | race_copy_without_commit.cu:13:3: race: thread (0, 0, 0) reads tile[63] while an asynchronous copy may still write there, which thread (63, 0, 0) has started in line 10. The wait in line 11 covers committed groups only, and the copy is in none: put a __pipeline_commit() between the two. This happened 64 times.
// |    13 |   out[threadIdx.x] = tile[63 - threadIdx.x];
// |       |                      ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cuda_pipeline.h>
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

//--- race_copy_without_wait
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | race_copy_without_wait.cu:13:3: race: thread (0, 0, 0) reads tile[63] while an asynchronous copy may still write there, which thread (63, 0, 0) has started in line 10. Put a __pipeline_commit() and a __pipeline_wait_prior(0), which wait for the thread's own copies, and then a __syncthreads() between line 10 and line 13. This happened 64 times.
// |    13 |   out[threadIdx.x] = tile[63 - threadIdx.x];
// |       |                      ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cuda_pipeline.h>
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __syncthreads();  // does not wait for copies in flight
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

//--- race_matrix_tile
// launch: --grid 1 --block 64 --arg out:f32:512 --arg in:f16:512:iota
// | race_matrix_tile.cu:19:3: race: thread (32, 0, 0) writes tile[32], which thread (2, 0, 0) reads in line 21, with no barrier in between: their order is undefined. Put a __syncthreads() between line 19 and line 21 (in a loop, also between line 21 and the next iteration of line 19). This happened 1,008 times.
// |    19 |   for (int i = threadIdx.x; i < 256; i += 64) tile[i] = in[i];
// |       |                                               ^
// |       block (0, 0, 0), thread (32, 0, 0)
// | race_matrix_tile.cu:21:3: uninitialized_read: thread (2, 0, 0) reads tile[32] to tile[39], which no thread of the block has written yet. Shared memory is not zero-initialized: store to it first, with a __syncthreads() in between if another thread stores. This happened 16 times.
// |    21 |   wmma::load_matrix_sync(fa, tile, 16);
// |       |                              ^
// |       block (0, 0, 0), thread (2, 0, 0)
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(float* out, const half* in) {
  __shared__ alignas(32) half tile[256];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int i = threadIdx.x; i < 256; i += 64) tile[i] = in[i];
  // No __syncthreads(): the other warp may not have written its half yet.
  wmma::load_matrix_sync(fa, tile, 16);
  wmma::load_matrix_sync(fb, in, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(out + threadIdx.x / 32 * 256, fc, 16, wmma::mem_row_major);
}

//--- race_missing_barrier
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | race_missing_barrier.cu:13:3: race: thread (32, 0, 0) writes tile[32], which thread (31, 0, 0) reads in line 14, with no barrier in between: their order is undefined. Put a __syncthreads() between line 13 and line 14. This happened 64 times.
// |    13 |   tile[threadIdx.x] = in[threadIdx.x];
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
// | race_missing_barrier.cu:14:3: uninitialized_read: thread (0, 0, 0) reads tile[63], which no thread of the block has written yet. Shared memory is not zero-initialized: store to it first, with a __syncthreads() in between if another thread stores. This happened 32 times.
// |    14 |   out[threadIdx.x] = tile[63 - threadIdx.x];
// |       |                      ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

//--- race_named_barrier
// launch: --grid 1 --block 96 --arg out:i32:32
// | race_named_barrier.cu:14:5: race: thread (64, 0, 0) reads data[0], which thread (0, 0, 0) writes in line 11, with no barrier in between: their order is undefined. Put a __syncthreads() between line 11 and line 14. This happened 32 times.
// |    14 |     out[lane] = data[lane];  // warp 2
// |       |                 ^
// |       block (0, 0, 0), thread (64, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ int data[64];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp < 2) {
    data[threadIdx.x] = threadIdx.x;
    asm volatile("bar.sync 1, 64;" ::: "memory");  // warps 0 and 1
  } else {
    out[lane] = data[lane];  // warp 2
  }
}

//--- race_reduction_in_a_loop
// launch: --grid 1 --block 256 --arg out:f32:1 --arg in:f32:256:iota
// | race_reduction_in_a_loop.cu:12:5: race: thread (32, 0, 0) writes sum[32], which thread (0, 0, 0) reads in the same line, with no barrier in between: their order is undefined. Put a __syncthreads() between two iterations of line 12. If one iteration does both: read into a variable, call __syncthreads(), then store. This happened 127 times.
// |    12 |     if (i < half) sum[i] += sum[i + half];
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float sum[256];
  const int i = threadIdx.x;
  sum[i] = in[i];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2)
    if (i < half) sum[i] += sum[i + half];
  if (i == 0) out[0] = sum[0];
}

//--- race_shuffle_is_no_barrier
// launch: --grid 1 --block 32 --arg out:i32:32
// | race_shuffle_is_no_barrier.cu:12:3: race: thread (0, 0, 0) reads tile[31], which thread (31, 0, 0) writes in line 10, with no barrier in between: their order is undefined. Put a __syncthreads() between line 10 and line 12. Inside a branch use __syncwarp() instead. This happened 32 times.
// |    12 |   out[i] = tile[31 - i] + first;
// |       |            ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ int tile[32];
  const int i = threadIdx.x;
  tile[i] = i;
  const int first = __shfl_sync(~0u, i, 0);
  out[i] = tile[31 - i] + first;
}

//--- race_syncwarp_of_others
// launch: --grid 1 --block 32 --arg out:f32:32 --arg in:f32:32:iota
// | race_syncwarp_of_others.cu:12:3: race: thread (0, 0, 0) reads tile[31], which thread (31, 0, 0) writes in line 10, with no barrier in between: their order is undefined. Put a __syncthreads() between line 10 and line 12. Inside a branch use __syncwarp() instead. This happened 32 times.
// |    12 |   out[i] = tile[31 - i];
// |       |            ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[32];
  const int i = threadIdx.x;
  tile[i] = in[i];
  __syncwarp(i < 16 ? 0x0000ffffu : 0xffff0000u);  // each half-warp syncs by itself
  out[i] = tile[31 - i];
}

//--- race_tiles
// launch: --grid 1 --block 32 --arg out:i32:32
// | race_tiles.cu:14:3: race: thread (0, 0, 0) reads data[31], which thread (31, 0, 0) writes in line 12, with no barrier in between: their order is undefined. Put a __syncthreads() between line 12 and line 14. Inside a branch use __syncwarp() instead. This happened 32 times.
// |    14 |   out[threadIdx.x] = data[31 - threadIdx.x];  // another tile's
// |       |                      ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* out) {
  __shared__ int data[32];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  data[threadIdx.x] = threadIdx.x;
  tile.sync();
  out[threadIdx.x] = data[31 - threadIdx.x];  // another tile's
}

//--- race_warp_without_syncwarp
// launch: --grid 1 --block 32 --arg out:f32:1 --arg in:f32:32:iota
// | race_warp_without_syncwarp.cu:13:3: race: thread (0, 0, 0) reads sum[16], which thread (16, 0, 0) writes in line 12, with no barrier in between: their order is undefined. Put a __syncthreads() between line 12 and line 13. Inside a branch use __syncwarp() instead. This happened 16 times.
// |    13 |   if (i < 16) sum[i] += sum[i + 16];  // as before Volta
// |       block (0, 0, 0), thread (0, 0, 0)
// | race_warp_without_syncwarp.cu:14:3: race: thread (0, 0, 0) reads sum[8], which thread (8, 0, 0) writes in line 13, with no barrier in between: their order is undefined. Put a __syncthreads() between line 13 and line 14. Inside a branch use __syncwarp() instead. This happened 8 times.
// |    14 |   if (i < 8) sum[i] += sum[i + 8];
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ volatile float sum[32];
  const int i = threadIdx.x;
  sum[i] = in[i];
  if (i < 16) sum[i] += sum[i + 16];  // as before Volta
  if (i < 8) sum[i] += sum[i + 8];
  if (i == 0) out[0] = sum[0];
}
