// SPDX-License-Identifier: Apache-2.0
// cause: divergence line=12
// says: Lanes take four different cases in each step, so the warp executes all of them one after another; let
//   all lanes do the same.

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float s[32];
  float a = 0, b = 0, c = 0, d = 0;
  const unsigned all = gridDim.x * blockDim.x;
#pragma unroll 1
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all) {
    switch (threadIdx.x & 7) {
      case 0: a += in[i]; break;
      case 1: b -= in[i]; break;
      case 2: c = fmaf(2.f, in[i], c); break;
      case 3: d = fmaf(4.f, in[i], d); break;
      case 4: a = fmaf(-1.f, -in[i], a); break;
      case 5: b = fmaf(-1.f, in[i], b); break;
      case 6: c += in[i] + in[i]; break;
      default: d += 4.f * in[i];
    }
  }
  float v = a - b + c / 2 + d / 4;
  for (int o = 16; o; o /= 2) v += __shfl_down_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    v = 0;
    for (unsigned k = 0; k < blockDim.x / 32; ++k) v += s[k];
    partial[blockIdx.x] = v;
  }
}
