// SPDX-License-Identifier: Apache-2.0
// An array whose size is a parameter.
__global__ void kernel(int* out, int n) {
  int room[n];
  room[0] = 1;
  out[threadIdx.x] = room[0];
}
