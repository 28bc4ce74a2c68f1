// SPDX-License-Identifier: Apache-2.0
// atomicadd in place of atomicAdd.
__global__ void kernel(int* count) { atomicadd(count, 1); }
