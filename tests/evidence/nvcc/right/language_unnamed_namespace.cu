// SPDX-License-Identifier: Apache-2.0
// Device functions and variables in an unnamed namespace.
// launch: --kernel follow --grid 1 --block 32 --arg out:i32:32
namespace {
__device__ int calls = 100;
__device__ int next(int x) { return x + calls; }
}  // namespace
__global__ void follow(int* out) { out[threadIdx.x] = next(next(threadIdx.x)); }
