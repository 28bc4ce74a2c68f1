// SPDX-License-Identifier: Apache-2.0
// exercise: coalescing/copy
// exit: 0
// says: warning: the __syncthreads() in line 14 is reached by only 88 of the 256 threads of block
// says: (2, 0, 0): 168 threads, the first of them (11, 0, 0), returned before it.
// says: Since Volta, a barrier does not wait for threads that have
// says: returned; on older GPUs the behaviour is undefined.
// Right all the same: the barrier has no use.
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  if (column >= width) return;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    __syncthreads();
    if (row < height) out[row * width + column] = in[row * width + column];
  }
}
