// SPDX-License-Identifier: Apache-2.0
// A table of host functions and an alias of their type.
// left out: run_a, run_b, entries
#include <cstdio>
__global__ void kernel_a(int* x) { x[threadIdx.x] += 1; }
__global__ void kernel_b(int* x) { x[threadIdx.x] += 2; }
static void run_a(int* x) { kernel_a<<<1, 64>>>(x); }
static void run_b(int* x) { kernel_b<<<1, 64>>>(x); }
typedef void (*Runner)(int*);
struct Entry {
  const char* name;
  Runner run;
};
static Entry entries[] = {
    {"a {", run_a},
    {"b }", run_b},
};
