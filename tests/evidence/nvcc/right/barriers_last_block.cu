// SPDX-License-Identifier: Apache-2.0
// The last block adds up the results of all blocks, found by a counter and fences.
// launch: --kernel total --grid 4 --block 32 --arg in:i32:128:iota --arg out:i32:4 --arg inout:i32:2:zeros
__global__ void total(const int* in, volatile int* part, int* state) {
  __shared__ bool is_last;
  int sum = in[blockIdx.x * 32 + threadIdx.x];
  sum = __reduce_add_sync(0xffffffff, sum);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicAdd(&state[0], 1) == int(gridDim.x) - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    __threadfence();
    int all = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) all += part[i];
    state[1] = all;
  }
}
