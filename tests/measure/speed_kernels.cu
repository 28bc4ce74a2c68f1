// SPDX-License-Identifier: Apache-2.0
// Kernels that each stress one part of the simulator; see speed_benchmark.cpp. Launched on blocks
// of 256 threads, with a word of `in` and `out` for each thread.

// A chain of float and integer operations: no memory beyond one load and one store.
extern "C" __global__ void arithmetic(float* out, const float* in, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  unsigned hash = i;
  for (int k = 0; k < 64; ++k) {
    x = x * 1.5f + 0.25f;
    hash = (hash ^ hash >> 7) * 0x7feb352du;
    x += (float)(hash & 15);
  }
  out[i] = x;
}

// Lanes of a warp go different ways and leave the loop at different times.
extern "C" __global__ void divergent(float* out, const float* in, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  for (unsigned k = 0; k < (i & 31) + 16; ++k) {
    if ((k ^ i) & 1) {
      x = x * 0.5f + 1.0f;
    } else if ((k ^ i) & 2) {
      x = x - 3.0f;
    } else {
      x = fabsf(x);
    }
  }
  out[i] = x;
}

// Neighbours' words of shared memory, again and again, with a barrier between.
extern "C" __global__ void shared(float* out, const float* in, unsigned n) {
  __shared__ float words[256];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  words[t] = i < n ? in[i] : 0;
  for (int k = 0; k < 16; ++k) {
    __syncthreads();
    const float sum = words[(t + 1) & 255] + words[(t + 33) & 255];
    __syncthreads();
    words[t] = sum * 0.5f;
  }
  if (i < n) out[i] = words[t];
}

// Each warp moves whole lines.
extern "C" __global__ void coalesced(float* out, const float* in, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = in[i] + 1.0f;
  }
}

// Each lane moves a word somewhere else.
extern "C" __global__ void scattered(float* out, const float* in, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = in[i * 2654435761u % n] + 1.0f;
  }
}
