// SPDX-License-Identifier: Apache-2.0
// A __device__ variable whose constructor runs at run time.
struct Value {
  int x;
  __host__ __device__ Value(int v) : x(v * v) {}
};
int start();
__device__ Value value(start());
__global__ void kernel(int* out) { out[threadIdx.x] = value.x; }
