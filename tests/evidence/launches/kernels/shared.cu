// SPDX-License-Identifier: Apache-2.0
// Shared memory: loads and stores with 1- to 32-way conflicts, words of 4, 8 and 16 bytes,
// broadcasts, and table look-ups. The accesses are a dependent chain, or `times` independent ones
// that are added up.

// Lanes are `stride` words apart in an array of 1056 words; four independent loads per round.
// blockDim.x is 256, and all warps use the same words.
template <class T>
__global__ void load_strided(T* out, const T* in, int stride, int times) {
  __shared__ T words[1056];
  for (int i = threadIdx.x; i < 1056; i += blockDim.x) words[i] = in[i];
  __syncthreads();
  const int lane = threadIdx.x % 32;
  int at = lane * stride % 1024;
  T sum = 0;
  for (int t = 0; t < times; ++t) {
    sum += words[at] + words[at + 1] + words[at + 2] + words[at + 3];
    at = (at + 4) & 1023;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Each address depends on the previous value, to measure latency. `in` holds zeros.
__global__ void chase_strided(unsigned* out, const unsigned* in, int stride, int times) {
  __shared__ unsigned words[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = in[i];
  __syncthreads();
  unsigned at = threadIdx.x % 32 * stride % 1024;
  for (int t = 0; t < times; ++t) at = (at + words[at] + 32) & 1023;
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

// Each warp stores to its own 1024 words; blockDim.x is 256, with 32 KiB of dynamic shared memory.
__global__ void store_strided(float* out, float value, int stride, int times) {
  extern __shared__ float words[];
  float* mine = words + threadIdx.x / 32 * 1024;
  const int lane = threadIdx.x % 32;
  const int first = lane * stride % 1024;
  for (int i = lane; i < 1024; i += 32) mine[i] = 0;
  __syncwarp();
  for (int t = 0; t < times; ++t) {
    mine[(first + t / 32 * 32) & 1023] = value + static_cast<float>(t);
    __syncwarp();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine[lane];
}

// 16 bytes per lane.
__global__ void load_fours(float4* out, const float4* in, int stride, int times) {
  __shared__ float4 words[512];
  for (int i = threadIdx.x; i < 512; i += blockDim.x) words[i] = in[i];
  __syncthreads();
  int at = threadIdx.x % 32 * stride % 512;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int t = 0; t < times; ++t) {
    const float4 v = words[at];
    sum.x += v.x;
    sum.y += v.y;
    sum.z += v.z;
    sum.w += v.w;
    at = (at + 32) & 511;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Looks up bytes of the input in a table of 256 words.
__global__ void look_up(unsigned* out, const unsigned* in, const unsigned* table, int n) {
  __shared__ unsigned own[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = table[i];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned v = in[i];
    out[i] = own[v & 255] ^ own[(v >> 8) & 255] ^ own[(v >> 16) & 255] ^ own[v >> 24];
  }
}

// Rotates each block's elements through shared memory, with two barriers per round.
__global__ void rounds(float* out, const float* in, int times) {
  extern __shared__ float words[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int t = 0; t < times; ++t) {
    words[threadIdx.x] = v;
    __syncthreads();
    v = words[(threadIdx.x + 33) % blockDim.x] + 1.0F;
    __syncthreads();
  }
  out[i] = v;
}
