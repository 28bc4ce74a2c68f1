// SPDX-License-Identifier: Apache-2.0
// cause: missing_edge line=9
// says: Only whole groups of 16 bytes are counted: the last size % 16 bytes are left out.
__global__ void histogram(unsigned* hist, const unsigned char* data, unsigned size) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  const uint4* v = reinterpret_cast<const uint4*>(data);
  const unsigned groups = size >> 4; 
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < groups; i += gridDim.x * 256) {
    const uint4 q = v[i];
    const unsigned part[4] = {q.x, q.y, q.z, q.w};
    for (int k = 0; k < 4; ++k)
      for (int s = 0; s < 32; s += 8) atomicAdd(local + (part[k] >> s & 255), 1);
  }
  __syncthreads();
  atomicAdd(hist + threadIdx.x, local[threadIdx.x]);
}
