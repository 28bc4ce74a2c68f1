// SPDX-License-Identifier: Apache-2.0
// A __managed__ variable read in a kernel.
// launch: --kernel read_base --grid 1 --block 32 --arg out:i32:32
__managed__ int base = 40;
__global__ void read_base(int* out) { out[threadIdx.x] = base + threadIdx.x; }
