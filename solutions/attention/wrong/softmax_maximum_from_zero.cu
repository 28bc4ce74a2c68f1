// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_start
// Starts the maximum at 0: exp underflows if all numbers of a row are far below.
constexpr int kThreads = 256, kOwn = 8, kKept = 4;

struct Pair {
  float most, sum;
};

__device__ Pair combine(Pair x, Pair y) {
  const float most = fmaxf(x.most, y.most);
  if (most == -INFINITY) return {most, 0};
  return {most, x.sum * exp2f(x.most - most) + y.sum * exp2f(y.most - most)};
}

__global__ void softmax(float* out, const float* in, float scale, int rows, int width) {
  __shared__ Pair of_warp[kThreads / 32];
  const int t = threadIdx.x, lane = t % 32;
  const float* row = in + (long long)blockIdx.x * width;
  float* to = out + (long long)blockIdx.x * width;
  const float factor = scale * 1.44269504f;
  float kept[kKept][kOwn];
  Pair own = {0, 0};
  const auto add = [&](const float (&x)[kOwn]) {
    float most = own.most;
#pragma unroll
    for (int j = 0; j < kOwn; ++j) most = fmaxf(most, x[j]);
    if (most == -INFINITY) return;
    float sum = own.sum * exp2f(own.most - most);
#pragma unroll
    for (int j = 0; j < kOwn; ++j) sum += exp2f(x[j] - most);
    own = {most, sum};
  };
  const auto load = [&](int first, float (&x)[kOwn]) {
#pragma unroll
    for (int j = 0; j < kOwn; ++j) {
      const int i = first + t + j * kThreads;
      x[j] = i < width ? factor * row[i] : -INFINITY;
    }
  };
  const bool keeps = width <= kKept * kOwn * kThreads;
  if (keeps) {
#pragma unroll
    for (int part = 0; part < kKept; ++part) {
      if (part * kOwn * kThreads < width) {
        load(part * kOwn * kThreads, kept[part]);
        add(kept[part]);
      }
    }
  } else {
    for (int first = 0; first < width; first += kOwn * kThreads) {
      load(first, kept[0]);
      add(kept[0]);
    }
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    const Pair other = {__shfl_xor_sync(~0u, own.most, step), __shfl_xor_sync(~0u, own.sum, step)};
    own = combine(own, other);
  }
  if (lane == 0) of_warp[t / 32] = own;
  __syncthreads();
  own = of_warp[lane % 8];
#pragma unroll
  for (int step = 4; step > 0; step /= 2) {
    const Pair other = {__shfl_xor_sync(~0u, own.most, step), __shfl_xor_sync(~0u, own.sum, step)};
    own = combine(own, other);
  }
  const float share = 1 / own.sum;
  const auto store = [&](int first, const float (&x)[kOwn]) {
#pragma unroll
    for (int j = 0; j < kOwn; ++j) {
      const int i = first + t + j * kThreads;
      if (i < width) to[i] = exp2f(x[j] - own.most) * share;
    }
  };
  if (keeps) {
#pragma unroll
    for (int part = 0; part < kKept; ++part) {
      if (part * kOwn * kThreads < width) store(part * kOwn * kThreads, kept[part]);
    }
  } else {
    for (int first = 0; first < width; first += kOwn * kThreads) {
      load(first, kept[0]);
      store(first, kept[0]);
    }
  }
}
