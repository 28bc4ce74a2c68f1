// SPDX-License-Identifier: Apache-2.0
// sqrt() of an int, which is a host function.
__global__ void roots(double* out) { out[threadIdx.x] = sqrt(int(threadIdx.x)); }
