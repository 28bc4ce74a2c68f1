// SPDX-License-Identifier: Apache-2.0
// An unterminated comment.
__global__ void copy(int* out, const int* in) {
  /* one element per thread
  out[threadIdx.x] = in[threadIdx.x];
}
