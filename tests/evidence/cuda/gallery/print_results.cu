// SPDX-License-Identifier: Apache-2.0
// printf returns the number of conversions in its format, whatever the arguments.
// launch: grid 1 block 1

#include <cstdio>

extern "C" __global__ void kernel(int* out, const unsigned* in) {
  out[0] = printf("");
  out[1] = printf("no argument\n");
  out[2] = printf("%d\n", 1);
  out[3] = printf("%d %f %s %c %%\n", 1, 2.5, "three", '4');
  out[4] = printf("%d\n", 1, 2, 3);
  out[5] = printf("%d %d\n", 1);
  out[6] = printf("%llu %p %x\n", 1ULL, (void*)0, in[0]);
  out[7] = printf("%5.2f|%-8d|%+d|%08x\n", 1.0, 2, 3, 4);
}
