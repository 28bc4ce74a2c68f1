// SPDX-License-Identifier: Apache-2.0
// atomicMin of a double.
__global__ void kernel(double* out, const double* in) { atomicMin(out, in[threadIdx.x]); }
