// SPDX-License-Identifier: Apache-2.0
// Branches that diverge by lane, by warp or by data; loops of different lengths, switches, early
// returns. The work in a branch is a chain of `steps` multiply-adds, so that its cost shows.

__device__ float worked(float v, int steps) {
  for (int s = 0; s < steps; ++s) v = v * 0.75F + 0.25F;
  return v;
}

// `Ways` branches, selected by `threadIdx.x / Lanes`: 1 differs by lane, 32 by warp.
template <int Ways, int Lanes>
__global__ void ways(float* out, const float* in, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  switch (threadIdx.x / Lanes % Ways) {
    case 0:
      v = worked(v, steps);
      break;
    case 1:
      v = worked(v + 1, steps) * 2;
      break;
    case 2:
      v = worked(v + 2, steps) - 1;
      break;
    case 3:
      v = worked(v * 3, steps) + 1;
      break;
    case 4:
      v = worked(v + 4, steps) * v;
      break;
    case 5:
      v = worked(v - 5, steps) * 0.5F;
      break;
    case 6:
      v = worked(v + 6, steps) - v;
      break;
    default:
      v = worked(v * 7, steps);
      break;
  }
  out[i] = v;
}

// Branches on random data: each lane works with the given probability.
__global__ void by_data(float* out, const float* in, float probability, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (v < probability) v = worked(v, steps);
  out[i] = v;
}

// Loops of random lengths up to `most`.
__global__ void lengths(float* out, const float* in, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = in[i];
  out[i] = worked(v, static_cast<int>(v * most));
}

// Lanes load from one of two buffers, depending on the data.
__global__ void loads_by_data(float* out, const float* in, const float* a, const float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] < 0.5F) {
    out[i] = a[i] * 2;
  } else {
    out[i] = b[i] + 1;
  }
}

// Most threads return immediately.
__global__ void early_return(float* out, const float* in, int every, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % every != 0) return;
  out[i] = worked(in[i], steps);
}

// A binary search for each of n keys in a sorted table: 2^bits numbers 0, 1, 2, ...
__global__ void binary_search(int* out, const float* keys, const int* table, int bits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int key = static_cast<int>(keys[i] * (1 << bits));
  int low = 0;
  int high = 1 << bits;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (table[middle] <= key) {
      low = middle;
    } else {
      high = middle;
    }
  }
  out[i] = low;
}

// Collatz sequences: loops of unpredictable length.
__global__ void collatz(int* out, int first, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = first + i;
  int steps = 0;
  while (v != 1 && steps < most) {
    v = v % 2 == 0 ? v / 2 : 3 * v + 1;
    ++steps;
  }
  out[i] = steps;
}
