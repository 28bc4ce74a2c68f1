// SPDX-License-Identifier: Apache-2.0
// cause: barriers|few_loads_in_flight line=15
// says: Each pass of the loop adds one element per thread in a whole tree with its barriers: add
//   in a register over all passes, and make one tree at the end.
// never: Neighbouring lanes must load
__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[1024];
  const unsigned t = threadIdx.x, threads = gridDim.x * blockDim.x;
  float total = 0;
  for (unsigned first = blockIdx.x * blockDim.x; first < n; first += threads) {
    sums[t] = first + t < n ? in[first + t] : 0;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
      if (t < half) sums[t] += sums[t + half];
      __syncthreads();
    }
    total += sums[0];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = total;
}
