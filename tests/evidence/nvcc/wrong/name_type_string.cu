// SPDX-License-Identifier: Apache-2.0
// The type string does not exist.
__global__ void kernel(int* out) {
  string text = "warp";
  out[threadIdx.x] = 1;
}
