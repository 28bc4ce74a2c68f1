// SPDX-License-Identifier: Apache-2.0
// Softmax and layer norm of rows: one warp, block or thread per row. They take three passes, two,
// or one that keeps the row in registers.

__device__ float warp_max(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value = fmaxf(value, __shfl_xor_sync(~0U, value, offset));
  }
  return value;
}

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(~0U, value, offset);
  return value;
}

// Reduces over a block of at most 1024 threads; all threads get the result.
template <bool Max>
__device__ float over_block(float value) {
  __shared__ float warps[32];
  value = Max ? warp_max(value) : warp_sum(value);
  __syncthreads();  // Waits for the last use of `warps`.
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  value = lane < static_cast<int>(blockDim.x) / 32 ? warps[lane] : (Max ? -3e38F : 0.0F);
  return Max ? warp_max(value) : warp_sum(value);
}

__global__ void softmax_thread(float* out, const float* in, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* from = in + static_cast<size_t>(row) * columns;
  float* to = out + static_cast<size_t>(row) * columns;
  float most = -3e38F;
  for (int k = 0; k < columns; ++k) most = fmaxf(most, from[k]);
  float sum = 0;
  for (int k = 0; k < columns; ++k) sum += expf(from[k] - most);
  for (int k = 0; k < columns; ++k) to[k] = expf(from[k] - most) / sum;
}

__global__ void softmax_warp(float* out, const float* in, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* from = in + static_cast<size_t>(row) * columns;
  float* to = out + static_cast<size_t>(row) * columns;
  float most = -3e38F;
  for (int k = lane; k < columns; k += 32) most = fmaxf(most, from[k]);
  most = warp_max(most);
  float sum = 0;
  for (int k = lane; k < columns; k += 32) sum += __expf(from[k] - most);
  sum = warp_sum(sum);
  for (int k = lane; k < columns; k += 32) to[k] = __expf(from[k] - most) / sum;
}

// Keeps the row in registers; columns is 32 * Pieces.
template <int Pieces>
__global__ void softmax_registers(float* out, const float* in, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* from = in + static_cast<size_t>(row) * 32 * Pieces;
  float* to = out + static_cast<size_t>(row) * 32 * Pieces;
  float v[Pieces];
  float most = -3e38F;
#pragma unroll
  for (int k = 0; k < Pieces; ++k) v[k] = from[lane + 32 * k];
#pragma unroll
  for (int k = 0; k < Pieces; ++k) most = fmaxf(most, v[k]);
  most = warp_max(most);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < Pieces; ++k) sum += v[k] = __expf(v[k] - most);
  const float scale = 1 / warp_sum(sum);
#pragma unroll
  for (int k = 0; k < Pieces; ++k) to[lane + 32 * k] = v[k] * scale;
}

__global__ void softmax_block(float* out, const float* in, int columns) {
  const float* from = in + static_cast<size_t>(blockIdx.x) * columns;
  float* to = out + static_cast<size_t>(blockIdx.x) * columns;
  float most = -3e38F;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) most = fmaxf(most, from[k]);
  most = over_block<true>(most);
  float sum = 0;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) sum += expf(from[k] - most);
  sum = over_block<false>(sum);
  for (int k = threadIdx.x; k < columns; k += blockDim.x) to[k] = expf(from[k] - most) / sum;
}

// Computes maximum and sum in one pass over the row.
__global__ void softmax_online(float* out, const float* in, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* from = in + static_cast<size_t>(row) * columns;
  float* to = out + static_cast<size_t>(row) * columns;
  float most = -3e38F;
  float sum = 0;
  for (int k = lane; k < columns; k += 32) {
    const float now = fmaxf(most, from[k]);
    sum = sum * __expf(most - now) + __expf(from[k] - now);
    most = now;
  }
  const float all = warp_max(most);
  sum = warp_sum(sum * __expf(most - all));
  for (int k = lane; k < columns; k += 32) to[k] = __expf(from[k] - all) / sum;
}

__global__ void layer_norm_block(float* out, const float* in, const float* scale,
                                 const float* shift, int columns) {
  const float* from = in + static_cast<size_t>(blockIdx.x) * columns;
  float* to = out + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) sum += from[k];
  const float mean = over_block<false>(sum) / columns;
  float squares = 0;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) {
    squares += (from[k] - mean) * (from[k] - mean);
  }
  const float inverse = rsqrtf(over_block<false>(squares) / columns + 1e-5F);
  for (int k = threadIdx.x; k < columns; k += blockDim.x) {
    to[k] = (from[k] - mean) * inverse * scale[k] + shift[k];
  }
}

// One warp per row of 32 * Pieces columns, kept in registers.
template <int Pieces>
__global__ void layer_norm_registers(float* out, const float* in, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* from = in + static_cast<size_t>(row) * 32 * Pieces;
  float* to = out + static_cast<size_t>(row) * 32 * Pieces;
  float v[Pieces];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < Pieces; ++k) v[k] = from[lane + 32 * k];
#pragma unroll
  for (int k = 0; k < Pieces; ++k) sum += v[k];
  const float mean = warp_sum(sum) / (32 * Pieces);
  float squares = 0;
#pragma unroll
  for (int k = 0; k < Pieces; ++k) squares += (v[k] - mean) * (v[k] - mean);
  const float inverse = rsqrtf(warp_sum(squares) / (32 * Pieces) + 1e-5F);
#pragma unroll
  for (int k = 0; k < Pieces; ++k) to[lane + 32 * k] = (v[k] - mean) * inverse;
}
