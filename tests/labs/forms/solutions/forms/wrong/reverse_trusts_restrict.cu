// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: race
// The barrier is there, but loads through the read-only cache may be moved past it.
__global__ void reverse(float* __restrict__ to, const float* __restrict__ from) {
  const float moved = __ldg(&from[256 * blockIdx.x + 255 - threadIdx.x]);
  __syncthreads();
  to[256 * blockIdx.x + threadIdx.x] = moved;
}
