// SPDX-License-Identifier: Apache-2.0
// printf() with a format from a const host pointer.
#include <cstdio>
static const char* const format = "%d\n";
__global__ void kernel(int n) { printf(format, n); }
