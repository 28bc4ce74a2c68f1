// SPDX-License-Identifier: Apache-2.0
// tries: Sleeps in a loop that waits for a flag. In the simulator the flag is set before the first
//   test, so nobody sleeps.
// stopped by: The model knows no number of sleeps for such a loop, so the gate on speed is open
//   (common/timing/waits.cpp).
// verdict: inconclusive tool, 9 points
// verdict on a GPU: any, 10 points
// shows: INCONCLUSIVE  9 of 10 points
// shows: NOT DECIDED
__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ volatile int ready;
  const bool is_first = threadIdx.x + threadIdx.y == 0;
  if (is_first) ready = 0;
  __syncthreads();
  if (is_first) {
    __threadfence_block();
    ready = 1;
  }
  while (ready == 0) {
#if __CUDA_ARCH__ >= 700
    __nanosleep(20);
#endif
  }
  __threadfence_block();
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int y = blockIdx.y * 32 + j;
    if (x < width && y < height) out[y * width + x] = in[y * width + x];
  }
}
