// SPDX-License-Identifier: Apache-2.0
// cause: missing_guard|out_of_bounds line=21
// says: The last block has threads with i >= n, which read past `index` and write past `out`; return if i >= n.
struct Batch {
  unsigned slot[16];
  __device__ void fetch(const unsigned* p, unsigned n) {
#pragma unroll
    for (int k = 0; k < 16; ++k, p += n) slot[k] = *p;
  }
  __device__ float sum(const float* in) const {
    float v = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) v += in[slot[k]];
    return v;
  }
};

__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Batch b;
  b.fetch(index + i, n);
  out[i] = b.sum(in);
}
