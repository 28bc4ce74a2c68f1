// SPDX-License-Identifier: Apache-2.0
// sqrt() of an int is a function of the host.
__global__ void roots(double* out) { out[threadIdx.x] = sqrt(int(threadIdx.x)); }
