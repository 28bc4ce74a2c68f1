// SPDX-License-Identifier: Apache-2.0
// A struct with padding, copied as a whole through shared memory.
// launch: --kernel nearest --grid 1 --block 32 --arg out:i32:32
struct Nearest {
  double distance;
  short index;
};
__global__ void nearest(int* out) {
  __shared__ Nearest best[32];
  const int t = threadIdx.x;
  best[t] = {double((t * 13) % 32), short(t)};
  __syncthreads();
  for (int step = 16; step > 0; step /= 2) {
    if (t < step && best[t + step].distance < best[t].distance) best[t] = best[t + step];
    __syncthreads();
  }
  out[t] = best[0].index + int(best[0].distance);
}
