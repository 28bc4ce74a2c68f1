// SPDX-License-Identifier: Apache-2.0
// Pairs combined by cub::BlockReduce.
#include <cub/block/block_reduce.cuh>

constexpr int kThreads = 256, kOwn = 8, kKept = 4;

struct Pair {
  float most, sum;
};

__device__ Pair combine(const Pair& x, const Pair& y) {
  const float most = fmaxf(x.most, y.most);
  if (most == -INFINITY) return {most, 0};
  return {most, x.sum * exp2f(x.most - most) + y.sum * exp2f(y.most - most)};
}

__global__ void softmax(float* out, const float* in, float scale, int rows, int width) {
  using Reduce = cub::BlockReduce<Pair, kThreads>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ Pair all;
  const int t = threadIdx.x;
  const float* row = in + (long long)blockIdx.x * width;
  float* to = out + (long long)blockIdx.x * width;
  const float factor = scale * 1.44269504f;
  float kept[kKept][kOwn];
  Pair own = {-INFINITY, 0};
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
  own = Reduce(storage).Reduce(own, [](const Pair& x, const Pair& y) { return combine(x, y); });
  if (t == 0) all = own;
  __syncthreads();
  own = all;
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
