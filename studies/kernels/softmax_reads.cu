// SPDX-License-Identifier: Apache-2.0
// Softmax of rows of `width` floats, a multiple of 256, by a block of 256 threads per row. The three
// kernels differ in how often they read the row.

struct Pair {
  float most, sum;
};

__device__ Pair combine(Pair x, Pair y) {
  const float most = fmaxf(x.most, y.most);
  return {most, x.sum * expf(x.most - most) + y.sum * expf(y.most - most)};
}

// The pair of the whole block.
__device__ Pair of_block(Pair own) {
  __shared__ Pair of_warp[8];
  for (int step = 16; step > 0; step /= 2) {
    own = combine(own, {__shfl_xor_sync(~0u, own.most, step), __shfl_xor_sync(~0u, own.sum, step)});
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = own;
  __syncthreads();
  own = of_warp[0];
  for (int warp = 1; warp < 8; ++warp) own = combine(own, of_warp[warp]);
  return own;
}

__global__ void three_reads(float* out, const float* in, int width) {
  const float* row = in + (size_t)blockIdx.x * width;
  float* to = out + (size_t)blockIdx.x * width;
  float most = row[threadIdx.x];
#pragma unroll 4
  for (int i = threadIdx.x; i < width; i += 256) most = fmaxf(most, row[i]);
  most = of_block({most, 0}).most;
  float sum = 0;
#pragma unroll 4
  for (int i = threadIdx.x; i < width; i += 256) sum += expf(row[i] - most);
  sum = of_block({0, sum}).sum;
#pragma unroll 4
  for (int i = threadIdx.x; i < width; i += 256) to[i] = expf(row[i] - most) / sum;
}

__global__ void two_reads(float* out, const float* in, int width) {
  const float* row = in + (size_t)blockIdx.x * width;
  float* to = out + (size_t)blockIdx.x * width;
  Pair own = {row[threadIdx.x], 0};
  for (int first = threadIdx.x; first < width; first += 1024) {
    float x[4], most = own.most;
#pragma unroll
    for (int j = 0; j < 4; ++j) most = fmaxf(most, x[j] = row[first + 256 * j]);
    own.sum *= expf(own.most - most);
    own.most = most;
#pragma unroll
    for (int j = 0; j < 4; ++j) own.sum += expf(x[j] - most);
  }
  own = of_block(own);
#pragma unroll 4
  for (int i = threadIdx.x; i < width; i += 256) to[i] = expf(row[i] - own.most) / own.sum;
}

template <int Width>
__global__ void one_read(float* out, const float* in, int width) {
  constexpr int kOwn = Width / 256;
  const float* row = in + (size_t)blockIdx.x * width;
  float* to = out + (size_t)blockIdx.x * width;
  float x[kOwn], most = -INFINITY, sum = 0;
#pragma unroll
  for (int j = 0; j < kOwn; ++j) most = fmaxf(most, x[j] = row[threadIdx.x + 256 * j]);
#pragma unroll
  for (int j = 0; j < kOwn; ++j) sum += expf(x[j] - most);
  const Pair all = of_block({most, sum});
#pragma unroll
  for (int j = 0; j < kOwn; ++j) to[threadIdx.x + 256 * j] = expf(x[j] - all.most) / all.sum;
}
