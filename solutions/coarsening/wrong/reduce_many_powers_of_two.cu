// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=ragged
// cause: missing_edge
// Gives each block n / gridDim.x elements and adds the two halves of that part. The last element of
// an odd part is lost, and so is the remainder of the division.
constexpr unsigned kMostThreads = 1024;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[kMostThreads];

  const unsigned part = n / gridDim.x;
  const float* mine = in + blockIdx.x * part;
  float sum = 0;
  for (unsigned i = threadIdx.x; i < part / 2; i += blockDim.x) sum += mine[i] + mine[i + part / 2];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
