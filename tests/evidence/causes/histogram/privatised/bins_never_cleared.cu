// SPDX-License-Identifier: Apache-2.0
// cause: uninitialised line=5
// says: Shared memory has no initial value, so set the bins to 0 and wait at a barrier before counting.
__device__ void count4(unsigned* table, unsigned word) {
  atomicAdd(&table[word & 255u], 1u);
  atomicAdd(&table[(word >> 8) & 255u], 1u);
  atomicAdd(&table[(word >> 16) & 255u], 1u);
  atomicAdd(&table[word >> 24], 1u);
}

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned table[256];
  const uint4* v = reinterpret_cast<const uint4*>(in);
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = me; i < (n >> 4); i += gridDim.x * blockDim.x) {
    const uint4 q = v[i];
    count4(table, q.x);
    count4(table, q.y);
    count4(table, q.z);
    count4(table, q.w);
  }
  if (me < (n & 15u)) atomicAdd(&table[in[(n & ~15u) + me]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], table[threadIdx.x]);
}
