// SPDX-License-Identifier: Apache-2.0
// A kernel uses a const double at file scope, which is not a constant expression.
const double kHalf = 0.5;
const double* kPointer = &kHalf;
__global__ void kernel(double* out) { out[threadIdx.x] = *kPointer; }
