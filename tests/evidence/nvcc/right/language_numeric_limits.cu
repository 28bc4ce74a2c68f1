// SPDX-License-Identifier: Apache-2.0
// INT_MAX, FLT_MAX and CHAR_BIT in a kernel.
// launch: --kernel limits --grid 1 --block 32 --arg out:i32:32
#include <climits>
#include <cfloat>
__global__ void limits(int* out) {
  int x = threadIdx.x % 2 ? INT_MAX : INT_MIN;
  out[threadIdx.x] = x / 3 + int(FLT_MAX > 1e38f) + CHAR_BIT;
}
