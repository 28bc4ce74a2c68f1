// SPDX-License-Identifier: Apache-2.0
// cause: compile_error line=13
// says: __shfl_down_sync needs the mask of lanes as its first argument.
template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  __shared__ float of_warps[16];
  const unsigned threads = 512 / Factor, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = 0;
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = blockIdx.x * 512 + c * threads + threadIdx.x;
    if (i < n) sum += in[i];
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(sum, step);
  if (lane == 0) of_warps[warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (unsigned w = 0; w < threads / 32; ++w) total += of_warps[w];
    partial[blockIdx.x] = total;
  }
}
