// SPDX-License-Identifier: Apache-2.0
// A const array in a namespace, used in a kernel.
namespace stencil {
const float kWeights[3] = {1, 2, 1};
}
__global__ void kernel(float* out) { out[threadIdx.x] = stencil::kWeights[threadIdx.x % 3]; }
