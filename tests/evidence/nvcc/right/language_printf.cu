// SPDX-License-Identifier: Apache-2.0
// printf with several types, from one thread at a time.
// launch: --kernel report --grid 1 --block 32 --arg out:i32:32
#include <cstdio>
__global__ void report(int* out) {
  if (threadIdx.x == 3) printf("%d %u %5.2f %s %c %x %lld\n", -1, 7u, 2.5, "text", 'c', 255, 1ll << 40);
  out[threadIdx.x] = threadIdx.x;
}
