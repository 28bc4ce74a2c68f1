// SPDX-License-Identifier: Apache-2.0
// __launch_bounds__ with a variable.
int threads = 256;
__global__ void __launch_bounds__(threads) kernel(int* out) { out[threadIdx.x] = 1; }
