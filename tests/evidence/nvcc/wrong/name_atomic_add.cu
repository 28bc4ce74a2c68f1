// SPDX-License-Identifier: Apache-2.0
// atomicadd instead of atomicAdd.
__global__ void kernel(int* count) { atomicadd(count, 1); }
