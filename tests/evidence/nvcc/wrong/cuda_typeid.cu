// SPDX-License-Identifier: Apache-2.0
// typeid in a kernel.
#include <typeinfo>
__global__ void kernel(int* out) { out[threadIdx.x] = typeid(int) == typeid(float); }
