// SPDX-License-Identifier: Apache-2.0
// Each thread handles four neighbouring outputs and four of the 16 rows of indices, so it has four
// 16-byte loads in flight. The four groups of 16 threads add their sums in shared memory.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  extern __shared__ float part[];  // four rows of 64 sums
  const unsigned quad = threadIdx.x % 16, group = threadIdx.x / 16;
  const unsigned base = blockIdx.x * 64;
  if (n % 4 == 0 && base + 64 <= n) {
    uint4 four[4];
#pragma unroll
    for (unsigned r = 0; r < 4; ++r) {
      four[r] = *reinterpret_cast<const uint4*>(index + (group * 4 + r) * n + base + quad * 4);
    }
    float4 sum = {0, 0, 0, 0};
#pragma unroll
    for (unsigned r = 0; r < 4; ++r) {
      sum.x += in[four[r].x];
      sum.y += in[four[r].y];
      sum.z += in[four[r].z];
      sum.w += in[four[r].w];
    }
    reinterpret_cast<float4*>(part)[threadIdx.x] = sum;
    __syncthreads();
    const unsigned t = threadIdx.x;
    out[base + t] = part[t] + part[64 + t] + part[128 + t] + part[192 + t];
  } else if (base + threadIdx.x < n) {
    const unsigned i = base + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (unsigned j = 0; j < 16; ++j) sum += in[index[i + j * n]];
    out[i] = sum;
  }
}
