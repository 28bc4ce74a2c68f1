// SPDX-License-Identifier: Apache-2.0
// One closing brace too many.
__global__ void copy(int* out, const int* in) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = in[threadIdx.x];
  }
}
}
