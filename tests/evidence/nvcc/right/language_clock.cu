// SPDX-License-Identifier: Apache-2.0
// clock64() never goes backwards.
// launch: --kernel ticks --grid 1 --block 32 --arg out:i32:32
__global__ void ticks(int* out) {
  const long long begin = clock64();
  out[threadIdx.x] = 1;
  const long long end = clock64();
  if (end < begin) out[threadIdx.x] = 2;
}
