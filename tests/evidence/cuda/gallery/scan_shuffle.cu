// SPDX-License-Identifier: Apache-2.0
// Inclusive prefix sum of a block by warp shuffles, with one value per warp in shared memory.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned warps[8];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  unsigned value = in[i] & 0xffff;
  for (int step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffff, value, step);
    if (lane >= static_cast<unsigned>(step)) value += left;
  }
  if (lane == 31) warps[threadIdx.x / 32] = value;
  __syncthreads();
  for (unsigned w = 0; w < threadIdx.x / 32; ++w) value += warps[w];
  out[i] = value;
}
