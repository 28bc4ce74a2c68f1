// SPDX-License-Identifier: Apache-2.0
// Kernels that wait within a block: copies of 8,448 x 8,096 floats, and sums of 16 gathered
// elements. README.md describes their launches; waits.csv contains their times on an H200.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

// Lanes of a warp read `kDistinct` different constants, `kApart` words apart. All are 0.
__constant__ int zeros[4096];

template <int kDistinct, int kApart>
__global__ void constant_copy(float* out, const float* in, int width, int height) {
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    const int x = blockIdx.x * 32 + threadIdx.x + zeros[(threadIdx.x % kDistinct + j) * kApart];
    const int y = blockIdx.y * 32 + threadIdx.y + j;
    if (x < width && y < height) out[y * width + x] = in[y * width + x];
  }
}

// `kWindow` groups of one asynchronous copy are in flight per thread.
template <int kWindow>
__global__ void async_gather(float* out, const float* in, const unsigned* index, unsigned n) {
  extern __shared__ unsigned slot[];  // [kWindow][blockDim.x]
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (unsigned j = 0; j < kWindow; ++j) {
    __pipeline_memcpy_async(&slot[j * blockDim.x + threadIdx.x], &index[i + j * n], 4);
    __pipeline_commit();
  }
#pragma unroll 1
  for (unsigned j = 0; j < 16; ++j) {
    __pipeline_wait_prior(kWindow - 1);
    const unsigned place = j % kWindow * blockDim.x + threadIdx.x;
    sum += in[slot[place]];
    if (j + kWindow < 16) __pipeline_memcpy_async(&slot[place], &index[i + (j + kWindow) * n], 4);
    __pipeline_commit();
  }
  out[i] = sum;
}

template <unsigned kNanoseconds>
__global__ void nap_copy(float* out, const float* in, int width, int height) {
  __nanosleep(kNanoseconds);
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int y = blockIdx.y * 32 + j;
    if (x < width && y < height) out[y * width + x] = in[y * width + x];
  }
}

// Each thread waits for a clock: kClocks of its multiprocessor, or kNanoseconds of the card.
template <int kClocks, int kNanoseconds>
__global__ void clock_copy(float* out, const float* in, int width, int height) {
  const auto now = [] {
    long long time;
    if constexpr (kNanoseconds != 0) {
      asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    } else {
      time = clock64();
    }
    return time;
  };
  for (const long long begin = now(); now() - begin < kClocks + kNanoseconds;) {
  }
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int y = blockIdx.y * 32 + j;
    if (x < width && y < height) out[y * width + x] = in[y * width + x];
  }
}

// Two warps meet at a barrier whose number is variable, so a block holds all 16.
template <int kWarps>
__global__ void numbered_copy(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int y = blockIdx.y * 32 + j;
    asm volatile("bar.sync %0, %1;" ::"r"(1 + (int)threadIdx.y / kWarps), "n"(32 * kWarps)
                 : "memory");
    if (x < width && y < height) out[y * width + x] = in[y * width + x];
  }
}

enum Order { kBlockFence, kDeviceFence, kSystemFence, kRelease };

// A fence after each store, or stores that release.
template <int kOrder>
__global__ void fence_copy(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int y = blockIdx.y * 32 + j;
    if (x >= width || y >= height) continue;
    float* to = &out[y * width + x];
    const float value = in[y * width + x];
    if constexpr (kOrder == kRelease) {
      asm volatile("st.release.gpu.global.f32 [%0], %1;" ::"l"(to), "f"(value) : "memory");
    } else {
      *to = value;
    }
    if constexpr (kOrder == kBlockFence) __threadfence_block();
    if constexpr (kOrder == kDeviceFence) __threadfence();
    if constexpr (kOrder == kSystemFence) __threadfence_system();
  }
}

// Each block copies `pieces` pieces of 256 floats, by a pipeline of each thread.
template <int kStages>
__global__ void pipeline_copy(float* out, const float* in, int pieces) {
  __shared__ float buffer[kStages][256];
  auto pipe = cuda::make_pipeline();
  const size_t base = size_t(blockIdx.x) * pieces * 256 + threadIdx.x;
  int next = 0;
  for (int p = 0; p < pieces; ++p) {
    for (; next < pieces && next < p + kStages; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[next % kStages][threadIdx.x], &in[base + size_t(next) * 256],
                         cuda::aligned_size_t<4>(4), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[base + size_t(p) * 256] = buffer[p % kStages][threadIdx.x];
    pipe.consumer_release();
  }
}

// The same by a pipeline of the block; each thread stores what another one has copied.
template <int kStages>
__global__ void block_pipeline_copy(float* out, const float* in, int pieces) {
  __shared__ float buffer[kStages][256];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  const size_t base = size_t(blockIdx.x) * pieces * 256;
  int next = 0;
  for (int p = 0; p < pieces; ++p) {
    for (; next < pieces && next < p + kStages; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[next % kStages][threadIdx.x],
                         &in[base + size_t(next) * 256 + threadIdx.x], cuda::aligned_size_t<4>(4),
                         pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    const int i = threadIdx.x ^ 32;
    out[base + size_t(p) * 256 + i] = buffer[p % kStages][i];
    pipe.consumer_release();
  }
}

__global__ void barrier_copy(float* out, const float* in, int pieces) {
  __shared__ float buffer[2][256];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  const size_t base = size_t(blockIdx.x) * pieces * 256;
  for (int p = 0; p < pieces; ++p) {
    buffer[p % 2][threadIdx.x] = in[base + size_t(p) * 256 + threadIdx.x];
    barrier.arrive_and_wait();
    const int i = threadIdx.x ^ 32;
    out[base + size_t(p) * 256 + i] = buffer[p % 2][i];
  }
}
