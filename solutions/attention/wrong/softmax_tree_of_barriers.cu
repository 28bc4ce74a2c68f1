// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed_h200
// A tree over 256 threads with a barrier per step, in each round of 256 elements.
struct Pair {
  float most, sum;
};

__device__ Pair combine(Pair x, Pair y) {
  const float most = fmaxf(x.most, y.most);
  if (most == -INFINITY) return {most, 0};
  return {most, x.sum * expf(x.most - most) + y.sum * expf(y.most - most)};
}

__global__ void softmax(float* out, const float* in, float scale, int rows, int width) {
  __shared__ Pair pairs[256];
  const int t = threadIdx.x;
  const float* row = in + (long long)blockIdx.x * width;
  float* to = out + (long long)blockIdx.x * width;
  Pair all = {-INFINITY, 0};
  for (int first = 0; first < width; first += 256) {
    pairs[t] = first + t < width ? Pair{scale * row[first + t], 1} : Pair{-INFINITY, 0};
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
      if (t < half) pairs[t] = combine(pairs[t], pairs[t + half]);
      __syncthreads();
    }
    all = combine(all, pairs[0]);
    __syncthreads();
  }
  for (int i = t; i < width; i += 256) to[i] = expf(scale * row[i] - all.most) / all.sum;
}
