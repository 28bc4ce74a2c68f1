// SPDX-License-Identifier: Apache-2.0
// printf() with a constant pointer of the host to its format.
#include <cstdio>
static const char* const format = "%d\n";
__global__ void kernel(int n) { printf(format, n); }
