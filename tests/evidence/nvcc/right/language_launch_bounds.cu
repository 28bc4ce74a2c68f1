// SPDX-License-Identifier: Apache-2.0
// __launch_bounds__ with two arguments, and __maxnreg__ on another kernel.
// launch: --kernel bounded --grid 1 --block 64 --arg out:i32:64
__global__ void __launch_bounds__(256, 2) bounded(int* out) { out[threadIdx.x] = threadIdx.x * 3; }
__global__ void __maxnreg__(32) limited(int* out) { out[threadIdx.x] = threadIdx.x; }
