// SPDX-License-Identifier: Apache-2.0
// How much is in flight: occupancy from one warp per SM to full (limited by shared memory,
// registers or the grid), dependent and independent loads of a thread, few and very many blocks.

// Dynamic shared memory limits the blocks per SM; it is never used, as n is not negative.
__global__ void copy_limited(float* out, const float* in, int n) {
  extern __shared__ float room[];
  if (n < 0) room[threadIdx.x] = in[0];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i];
  if (n < 0) out[0] = room[0];
}

// `Loads` independent loads per thread before the first addition.
template <int Loads>
__global__ void sum_in_flight(float* out, const float* in, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = first; i < n; i += Loads * threads) {  // n is a multiple of Loads * threads
    float v[Loads];
#pragma unroll
    for (int k = 0; k < Loads; ++k) v[k] = in[i + k * threads];
#pragma unroll
    for (int k = 0; k < Loads; ++k) sum += v[k];
  }
  out[first] = sum;
}

// The loop is not unrolled, so that one load is in flight at a time.
__global__ void sum_one_by_one(float* out, const float* in, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int i = first; i < n; i += threads) sum += in[i];
  out[first] = sum;
}

// Many live values per thread: registers limit the warps per SM. Words are a block apart.
template <int Words>
__global__ void many_registers(float* out, const float* in, int rounds) {
  const int first = blockIdx.x * blockDim.x * Words + threadIdx.x;
  float v[Words];
#pragma unroll
  for (int k = 0; k < Words; ++k) v[k] = in[first + k * blockDim.x];
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int k = 0; k < Words; ++k) v[k] = v[k] * 0.5F + v[(k + 1) % Words];
  }
#pragma unroll
  for (int k = 0; k < Words; ++k) out[first + k * blockDim.x] = v[k];
}

// The launch bounds leave so few registers that values are spilled to local memory.
__global__ void __launch_bounds__(1024, 2) spilled(float* out, const float* in, int rounds) {
  const int first = blockIdx.x * blockDim.x * 48 + threadIdx.x;
  float v[48];
#pragma unroll
  for (int k = 0; k < 48; ++k) v[k] = in[first + k * blockDim.x];
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int k = 0; k < 48; ++k) v[k] = v[k] * 0.5F + v[(k + 7) % 48];
  }
#pragma unroll
  for (int k = 0; k < 48; ++k) out[first + k * blockDim.x] = v[k];
}

// Does almost nothing, to measure the cost of launching blocks.
__global__ void tiny(float* out, float value) {
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

// Blocks of very different lengths: the last ones run alone.
__global__ void uneven(float* out, const float* in, int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int rounds = blockIdx.x % 64 == 63 ? 32 * each : each;
  float sum = 0;
  for (int r = 0; r < rounds; ++r) sum = sum * 0.5F + in[(i + r * 4096) & ((1 << 24) - 1)];
  out[i] = sum;
}
