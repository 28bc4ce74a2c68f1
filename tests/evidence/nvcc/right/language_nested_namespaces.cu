// SPDX-License-Identifier: Apache-2.0
// Nested namespaces, an alias of one, and a using declaration.
// launch: --kernel mixed --grid 1 --block 32 --arg out:i32:32
namespace course::week2 {
__device__ int mix(int x) { return x * 31 + 7; }
}  // namespace course::week2
namespace w2 = course::week2;
using course::week2::mix;
__global__ void mixed(int* out) { out[threadIdx.x] = w2::mix(threadIdx.x) ^ mix(1); }
