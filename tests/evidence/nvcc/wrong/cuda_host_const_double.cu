// SPDX-License-Identifier: Apache-2.0
// A host pointer to a const double, used in a kernel.
const double kHalf = 0.5;
const double* kPointer = &kHalf;
__global__ void kernel(double* out) { out[threadIdx.x] = *kPointer; }
