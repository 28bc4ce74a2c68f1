// SPDX-License-Identifier: Apache-2.0
// malloc without a cast.
__global__ void kernel(int* out) {
  int* p = malloc(16);
  out[threadIdx.x] = p != nullptr;
  free(p);
}
