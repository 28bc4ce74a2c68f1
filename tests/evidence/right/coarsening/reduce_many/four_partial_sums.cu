// SPDX-License-Identifier: Apache-2.0
// Each thread keeps four sums, each over every fourth of its words, and finally adds them in pairs.
#define WARP 32
__global__ void reduce_many(float *partial, const float *in, unsigned n)
{
  __shared__ float s[WARP];
  const int lane = threadIdx.x % WARP, wid = threadIdx.x / WARP;
  float a = 0, b = 0, c = 0, d = 0;
  const unsigned tile = 4 * blockDim.x;
  for (unsigned base = blockIdx.x * tile; base < n; base += gridDim.x * tile) {
    const unsigned i = base + threadIdx.x;
    if (n - base >= tile) {
      a += in[i];
      b += in[i + blockDim.x];
      c += in[i + 2 * blockDim.x];
      d += in[i + 3 * blockDim.x];
    } else {
      for (unsigned j = i; j < n; j += blockDim.x) a += in[j];
    }
  }
  a = (a + b) + (c + d);
  for (int o = WARP / 2; o; o /= 2) a += __shfl_down_sync(~0, a, o);
  if (lane == 0) s[wid] = a;
  __syncthreads();
  if (wid) return;
  a = lane < blockDim.x / WARP ? s[lane] : 0;
  for (int o = WARP / 2; o; o /= 2) a += __shfl_down_sync(~0, a, o);
  if (lane == 0) partial[blockIdx.x] = a;
}
