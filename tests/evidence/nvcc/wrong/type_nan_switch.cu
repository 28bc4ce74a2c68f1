// SPDX-License-Identifier: Apache-2.0
// A switch over a float.
__global__ void kernel(int* out, const float* in) {
  switch (in[threadIdx.x]) {
    case 1: out[threadIdx.x] = 1; break;
  }
}
