// SPDX-License-Identifier: Apache-2.0
// A comment that does not end.
__global__ void copy(int* out, const int* in) {
  /* one element per thread
  out[threadIdx.x] = in[threadIdx.x];
}
