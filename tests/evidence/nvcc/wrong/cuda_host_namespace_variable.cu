// SPDX-License-Identifier: Apache-2.0
// A variable in a namespace without __device__.
namespace settings {
int step = 3;
}
__global__ void kernel(int* out) { out[threadIdx.x] = settings::step; }
