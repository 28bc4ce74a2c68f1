// SPDX-License-Identifier: Apache-2.0
// The expected results of this lab, computed in the simplest way. A block of one warp makes each
// partial sum.

constexpr unsigned kPart = 512;  // elements of a partial sum

__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

// Partial p is the sum of the elements 512 p to 512 p + 511; elements past the end do not count.
__global__ void parts_reference(float* partial, const float* in, unsigned n) {
  const unsigned first = blockIdx.x * kPart;
  float sum = 0;
  for (unsigned k = threadIdx.x; k < kPart; k += 32) sum += first + k < n ? in[first + k] : 0.0f;
  partial[blockIdx.x] = warp_sum(sum);
}

// One valid choice of partial sums; only their total is compared.
__global__ void total_reference(float* partial, const float* in, unsigned n) {
  const unsigned threads = gridDim.x * 32;
  float sum = 0;
  for (unsigned i = blockIdx.x * 32 + threadIdx.x; i < n; i += threads) sum += in[i];
  partial[blockIdx.x] = warp_sum(sum);
}

// Thread t makes element t of the output, which has `height` columns.
__global__ void transpose_reference(float* out, const float* in, int width, int height) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = t / height, column = t % height;
  if (row < width) out[t] = in[column * width + row];
}
