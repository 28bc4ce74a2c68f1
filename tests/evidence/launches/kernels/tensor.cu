// SPDX-License-Identifier: Apache-2.0
// Matrix products with tensor cores through nvcuda::wmma: tiles from global memory, through shared
// memory, with several tiles per warp; halves, bytes and tf32. Matrices are row-major,
// their sizes multiples of the tiles.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

using LeftTile = wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>;
using RightTile = wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major>;
using Sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

// One warp per 16 x 16 tile of c; a block of 4 warps has four tiles of a row.
__global__ void wmma_global(float* c, const __half* a, const __half* b, int n, int k) {
  const int column = (blockIdx.x * 4 + threadIdx.x / 32) * 16;
  const int row = blockIdx.y * 16;
  Sums sum;
  wmma::fill_fragment(sum, 0.0F);
  for (int i = 0; i < k; i += 16) {
    LeftTile left;
    RightTile right;
    wmma::load_matrix_sync(left, a + row * k + i, k);
    wmma::load_matrix_sync(right, b + i * n + column, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

// b is stored by columns (n x k), as weights of a linear layer are.
__global__ void wmma_global_columns(float* c, const __half* a, const __half* b, int n, int k) {
  const int column = (blockIdx.x * 4 + threadIdx.x / 32) * 16;
  const int row = blockIdx.y * 16;
  Sums sum;
  wmma::fill_fragment(sum, 0.0F);
  for (int i = 0; i < k; i += 16) {
    LeftTile left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
    wmma::load_matrix_sync(left, a + row * k + i, k);
    wmma::load_matrix_sync(right, b + column * k + i, k);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

// A warp has 2 x 2 tiles, still from global memory.
__global__ void wmma_global_2x2(float* c, const __half* a, const __half* b, int n, int k) {
  const int column = (blockIdx.x * 4 + threadIdx.x / 32) * 32;
  const int row = blockIdx.y * 32;
  Sums sum[2][2];
#pragma unroll
  for (int t = 0; t < 4; ++t) wmma::fill_fragment(sum[t / 2][t % 2], 0.0F);
  for (int i = 0; i < k; i += 16) {
    LeftTile left[2];
    RightTile right[2];
#pragma unroll
    for (int t = 0; t < 2; ++t) {
      wmma::load_matrix_sync(left[t], a + (row + 16 * t) * k + i, k);
      wmma::load_matrix_sync(right[t], b + i * n + column + 16 * t, n);
    }
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      wmma::mma_sync(sum[t / 2][t % 2], left[t / 2], right[t % 2], sum[t / 2][t % 2]);
    }
  }
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    wmma::store_matrix_sync(c + (row + 16 * (t / 2)) * n + column + 16 * (t % 2), sum[t / 2][t % 2],
                            n, wmma::mem_row_major);
  }
}

// Blocks of 8 warps and 64 x 64 elements: tiles of a and b of 32 columns or rows in shared memory;
// each warp has two tiles. Padding (in halves) avoids bank conflicts.
template <int Padding>
__global__ void wmma_shared(float* c, const __half* a, const __half* b, int n, int k) {
  __shared__ __align__(16) __half left[64][32 + Padding];
  __shared__ __align__(16) __half right[32][64 + Padding];
  const int row = blockIdx.y * 64;
  const int column = blockIdx.x * 64;
  const int warp = threadIdx.x / 32;
  const int y = warp / 2 * 16;
  const int x = warp % 2 * 32;
  Sums sum[2];
  wmma::fill_fragment(sum[0], 0.0F);
  wmma::fill_fragment(sum[1], 0.0F);
  const int left_row = threadIdx.x / 4;
  const int left_column = threadIdx.x % 4 * 8;
  const int right_row = threadIdx.x / 8;
  const int right_column = threadIdx.x % 8 * 8;
  for (int first = 0; first < k; first += 32) {
    *reinterpret_cast<int4*>(&left[left_row][left_column]) =
        *reinterpret_cast<const int4*>(a + (row + left_row) * k + first + left_column);
    *reinterpret_cast<int4*>(&right[right_row][right_column]) =
        *reinterpret_cast<const int4*>(b + (first + right_row) * n + column + right_column);
    __syncthreads();
#pragma unroll
    for (int t = 0; t < 32; t += 16) {
      LeftTile p;
      wmma::load_matrix_sync(p, &left[y][t], 32 + Padding);
#pragma unroll
      for (int s = 0; s < 2; ++s) {
        RightTile q;
        wmma::load_matrix_sync(q, &right[t][x + 16 * s], 64 + Padding);
        wmma::mma_sync(sum[s], p, q, sum[s]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int s = 0; s < 2; ++s) {
    wmma::store_matrix_sync(c + (row + y) * n + column + x + 16 * s, sum[s], n,
                            wmma::mem_row_major);
  }
}

// Blocks of 8 warps and 128 x 128 elements, 32 x 64 per warp. The next tiles are loaded to
// registers meanwhile. Stores halves through shared memory with bias and ReLU.
__global__ void wmma_layer(__half* c, const __half* a, const __half* b, const __half* bias, int n,
                           int k) {
  __shared__ __align__(16) __half left[128][40];
  __shared__ __align__(16) __half right[32][136];
  __shared__ __align__(16) float results[8][16][20];
  const int row = blockIdx.y * 128;
  const int column = blockIdx.x * 128;
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int y = warp / 2 * 32;
  const int x = warp % 2 * 64;
  Sums sum[2][4];
#pragma unroll
  for (int t = 0; t < 8; ++t) wmma::fill_fragment(sum[t / 4][t % 4], 0.0F);
  int4 next_a[2];
  int4 next_b[2];
  const auto load = [&](int first) {
#pragma unroll
    for (int t = 0; t < 2; ++t) {
      const int i = threadIdx.x + 256 * t;
      next_a[t] = *reinterpret_cast<const int4*>(a + (row + i / 4) * k + first + i % 4 * 8);
      next_b[t] = *reinterpret_cast<const int4*>(b + (first + i / 16) * n + column + i % 16 * 8);
    }
  };
  load(0);
  for (int first = 0; first < k; first += 32) {
#pragma unroll
    for (int t = 0; t < 2; ++t) {
      const int i = threadIdx.x + 256 * t;
      *reinterpret_cast<int4*>(&left[i / 4][i % 4 * 8]) = next_a[t];
      *reinterpret_cast<int4*>(&right[i / 16][i % 16 * 8]) = next_b[t];
    }
    __syncthreads();
    if (first + 32 < k) load(first + 32);
#pragma unroll
    for (int t = 0; t < 32; t += 16) {
      LeftTile p[2];
#pragma unroll
      for (int r = 0; r < 2; ++r) wmma::load_matrix_sync(p[r], &left[y + 16 * r][t], 40);
#pragma unroll
      for (int s = 0; s < 4; ++s) {
        RightTile q;
        wmma::load_matrix_sync(q, &right[t][x + 16 * s], 136);
#pragma unroll
        for (int r = 0; r < 2; ++r) wmma::mma_sync(sum[r][s], p[r], q, sum[r][s]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int t = 0; t < 8; ++t) {
    wmma::store_matrix_sync(&results[warp][0][0], sum[t / 4][t % 4], 20, wmma::mem_row_major);
    __syncwarp();
    for (int i = lane; i < 256; i += 32) {
      const int to = column + x + 16 * (t % 4) + i % 16;
      const float value = results[warp][i / 16][i % 16] + __half2float(bias[to]);
      c[(row + y + 16 * (t / 4) + i / 16) * n + to] = __float2half(fmaxf(value, 0));
    }
    __syncwarp();
  }
}

// Bytes with sums of 32 bits, from global memory; b is stored by columns.
__global__ void wmma_bytes(int* c, const signed char* a, const signed char* b, int n, int k) {
  const int column = (blockIdx.x * 4 + threadIdx.x / 32) * 16;
  const int row = blockIdx.y * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
  wmma::fill_fragment(sum, 0);
  for (int i = 0; i < k; i += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> right;
    wmma::load_matrix_sync(left, a + row * k + i, k);
    wmma::load_matrix_sync(right, b + column * k + i, k);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

// Floats as tf32, through shared tiles of 32 x 32 with one 16 x 16 tile per warp; 4 warps.
__global__ void wmma_tf32(float* c, const float* a, const float* b, int n, int k) {
  __shared__ __align__(16) float left[32][36];
  __shared__ __align__(16) float right[32][36];
  const int row = blockIdx.y * 32;
  const int column = blockIdx.x * 32;
  const int y = threadIdx.x / 64 * 16;
  const int x = threadIdx.x / 32 % 2 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  for (int first = 0; first < k; first += 32) {
    for (int t = threadIdx.x; t < 256; t += 128) {
      const int i = t / 8;
      const int j = t % 8 * 4;
      *reinterpret_cast<float4*>(&left[i][j]) =
          *reinterpret_cast<const float4*>(a + (row + i) * k + first + j);
      *reinterpret_cast<float4*>(&right[i][j]) =
          *reinterpret_cast<const float4*>(b + (first + i) * n + column + j);
    }
    __syncthreads();
#pragma unroll
    for (int t = 0; t < 32; t += 8) {
      wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> p;
      wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> q;
      wmma::load_matrix_sync(p, &left[y][t], 36);
      wmma::load_matrix_sync(q, &right[t][x], 36);
#pragma unroll
      for (int e = 0; e < p.num_elements; ++e) p.x[e] = wmma::__float_to_tf32(p.x[e]);
#pragma unroll
      for (int e = 0; e < q.num_elements; ++e) q.x[e] = wmma::__float_to_tf32(q.x[e]);
      wmma::mma_sync(sum, p, q, sum);
    }
    __syncthreads();
  }
  wmma::store_matrix_sync(c + (row + y) * n + column + x, sum, n, wmma::mem_row_major);
}

// Batches of 16 x 16 halves, one product per warp.
__global__ void wmma_batch(float* c, const __half* a, const __half* b, int count) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= count) return;
  const size_t at = static_cast<size_t>(i) * 256;
  LeftTile left;
  RightTile right;
  Sums sum;
  wmma::fill_fragment(sum, 0.0F);
  wmma::load_matrix_sync(left, a + at, 16);
  wmma::load_matrix_sync(right, b + at, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c + at, sum, 16, wmma::mem_row_major);
}
