// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// cause: uncoalesced_load
// One pass for maximum and sum, over neighbouring elements of each thread.
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
  const int share = (width + 255) / 256, first = min(t * share, width), end = min(first + share, width);
  Pair own = {-INFINITY, 0};
  for (int i = first; i < end; ++i) own = combine(own, {scale * row[i], 1});
  for (int step = 16; step > 0; step /= 2) {
    own = combine(own, {__shfl_xor_sync(~0u, own.most, step), __shfl_xor_sync(~0u, own.sum, step)});
  }
  if (t % 32 == 0) of_warp[t / 32] = own;
  __syncthreads();
  own = of_warp[0];
  for (int warp = 1; warp < 8; ++warp) own = combine(own, of_warp[warp]);
  for (int i = first; i < end; ++i) to[i] = expf(scale * row[i] - own.most) / own.sum;
}
