// SPDX-License-Identifier: Apache-2.0
// Kernels with a typical mistake.

//--- an_int_on_the_way.cu
// exercise: coalescing/copy
// says: every wrong value is the expected one without its fraction: does it pass through an int?
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    if (column < width && row < height) {
      const int value = in[row * width + column];
      out[row * width + column] = value;
    }
  }
}

//--- barrier_after_a_return.cu
// exercise: coalescing/copy
// exit: 0
// says: warning: the __syncthreads() in line 14 is reached by only 88 of the 256 threads of block
// says: (2, 0, 0): 168 threads, the first of them (11, 0, 0), ended without it.
// says: Since Volta, a barrier does not wait for threads that have
// says: ended; on older GPUs the behaviour is undefined.
// Right all the same: the barrier has no use.
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  if (column >= width) return;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    __syncthreads();
    if (row < height) out[row * width + column] = in[row * width + column];
  }
}

//--- copy.cuh
// The kernel of kernel_elsewhere.cu.
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}

//--- forgotten_shared.cu
// exercise: coalescing/transpose
// says: tile is an array of each thread (line 6): is __shared__ missing before it?
// Each thread has a tile of its own.
__global__ void transpose(float* out, const float* in, int width, int height) {
  float tile[32][33];
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    if (column < width && row < height) {
      tile[threadIdx.y + j][threadIdx.x] = in[row * width + column];
    }
  }
  __syncthreads();
  const int out_column = blockIdx.y * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int out_row = blockIdx.x * 32 + threadIdx.y + j;
    if (out_column < height && out_row < width) {
      out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}

//--- in_past_the_last_row.cu
// exercise: coalescing/copy
// says: reads in[8][0], but in has 1 row of
// Nothing asks for the row.
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    if (column < width) out[row * width + column] = in[row * width + column];
  }
}

//--- kernel_elsewhere.cu
// exercise: coalescing/copy
// exit: 0
// says: This file has no kernel of its own: copy is taken from a file that it includes.
// says: left out as host code: main (line 11)
// A whole program, whose kernel is in a header beside it.
#include <cuda_runtime.h>
#include <vector>
#include "copy.cuh"

int main() {
  std::vector<float> host(1024);
  float* device = nullptr;
  cudaMalloc(&device, 4096);
  copy<<<1, dim3(32, 8)>>>(device, device, 32, 32);
  return host[0] != 0;
}

//--- printf_of_the_wrong_element.cu
// exercise: coalescing/copy
// says: by thread (5, 3, 0) of block (0, 0, 0), which writes out[3][5]
// says: | element 5 of row 3
// says: by the other threads
// One element is wrong, and every thread prints.
#include <cstdio>
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    if (column >= width || row >= height) continue;
    out[row * width + column] = in[row * width + column] + (row == 3 && column == 5);
    printf("element %d of row %d\n", column, row);
  }
}

//--- sum_without_a_start.cu
// exercise: coarsening/reduce_many
// says: sum_without_a_start.cu:10:3: uninitialized_read: a variable is read here before it has a
// says: initialize it in its declaration, for example float sum = 0
// The thread's own sum starts with whatever its register holds.
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[512];
  float sum;
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

//--- tile_of_64_kilobytes.cu
// exercise: coalescing/transpose
// says: tile_of_64_kilobytes.cu:9
// says: declares 65,536 bytes of static shared memory, more than the limit of 49,152 bytes (48 KB)
// says: tile[128][128] uses 65,536 of them
// Unused, and still too large.
__global__ void transpose(float* out, const float* in, int width, int height) {

  __shared__ float tile[128][128];
  for (int i = threadIdx.x; i < 128; i += 32) tile[i][threadIdx.y] = in[0];
  out[0] = tile[height % 128][width % 128];
}

//--- tile_too_short.cu
// exercise: coalescing/transpose
// says: writes tile[8][0], but tile is declared as [8][32]
// The tile has a row for each row of threads, and not for each row of elements.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[8][32];
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    const bool is_inside = column < width && row < height;
    tile[threadIdx.y + j][threadIdx.x] = is_inside ? in[row * width + column] : 0;
  }
  __syncthreads();
  const int out_column = blockIdx.y * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int out_row = blockIdx.x * 32 + threadIdx.y + j;
    if (out_column < height && out_row < width) {
      out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}

//--- unused_result.cu
// exercise: coalescing/copy
// says: unused_result.cu:8: variable "value" was declared but never referenced
// The loaded value is never stored.
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  float value;
  if (column < width && row < height) out[row * width + column] = in[column];
}

//--- with_thrust.cu
// exercise: coarsening/reduce_many
// says: thrust is called by the host, and only device code is graded
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
__global__ void reduce_many(float* partial, const float* in, unsigned n) { partial[0] = in[0]; }
float all(const thrust::device_vector<float>& in) { return thrust::reduce(in.begin(), in.end()); }
