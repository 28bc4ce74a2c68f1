// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed_h200
// cause: issue_bound
// One load in flight per thread: each waits for the exponential before it.
struct Pair {
  float most, sum;
};

__device__ Pair combine(Pair x, Pair y) {
  const float most = fmaxf(x.most, y.most);
  if (most == -INFINITY) return {most, 0};
  return {most, x.sum * expf(x.most - most) + y.sum * expf(y.most - most)};
}

__global__ void softmax(float* out, const float* in, float scale, int rows, int width) {
  __shared__ Pair of_warp[8];
  const int t = threadIdx.x;
  const float* row = in + (long long)blockIdx.x * width;
  float* to = out + (long long)blockIdx.x * width;
  Pair own = {-INFINITY, 0};
#pragma unroll 1
  for (int i = t; i < width; i += 256) own = combine(own, {scale * row[i], 1});
  for (int step = 16; step > 0; step /= 2) {
    own = combine(own, {__shfl_xor_sync(~0u, own.most, step), __shfl_xor_sync(~0u, own.sum, step)});
  }
  if (t % 32 == 0) of_warp[t / 32] = own;
  __syncthreads();
  own = of_warp[0];
  for (int warp = 1; warp < 8; ++warp) own = combine(own, of_warp[warp]);
#pragma unroll 1
  for (int i = t; i < width; i += 256) to[i] = expf(scale * row[i] - own.most) / own.sum;
}
