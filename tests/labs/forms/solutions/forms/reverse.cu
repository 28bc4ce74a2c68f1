// SPDX-License-Identifier: Apache-2.0
__global__ void reverse(float* to, const float* from) {
  const int t = threadIdx.x;
  const float moved = from[256 * blockIdx.x + 255 - t];
  __syncthreads();
  to[256 * blockIdx.x + t] = moved;
}
