// SPDX-License-Identifier: Apache-2.0
// A lambda at file scope called in a kernel.
auto twice = [](int x) { return 2 * x; };
__global__ void kernel(int* out) { out[threadIdx.x] = twice(threadIdx.x); }
