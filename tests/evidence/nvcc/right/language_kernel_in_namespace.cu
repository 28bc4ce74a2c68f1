// SPDX-License-Identifier: Apache-2.0
// A kernel in a namespace, launched by its qualified name.
// launch: --kernel course::squares --grid 1 --block 32 --arg out:i32:32
namespace course {
__global__ void squares(int* out) { out[threadIdx.x] = threadIdx.x * threadIdx.x; }
}  // namespace course
