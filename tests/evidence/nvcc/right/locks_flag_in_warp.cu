// SPDX-License-Identifier: Apache-2.0
// One lane waits for a flag that another lane of its warp sets.
// launch: --kernel handed --grid 1 --block 32 --arg out:i32:1
__global__ void handed(int* out) {
  __shared__ volatile int flag, value;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 5) {
    value = 42;
    __threadfence_block();
    flag = 1;
  } else if (threadIdx.x == 9) {
    while (flag == 0) {
    }
    __threadfence_block();
    out[0] = value;
  }
}
