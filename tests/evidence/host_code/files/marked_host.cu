// SPDX-License-Identifier: Apache-2.0
// Functions marked __host__, and functions marked __host__ __device__.
// left out: on_host, declared, both_marked, run
__host__ float on_host(float x) { return x + 1; }
__host__ int declared(int);
static __host__ inline int both_marked(int x) { return x; }
__host__ __device__ float shared_helper(float x) { return x * 3; }
__device__ __host__ static int swapped(int x) { return x - 1; }
__global__ void use(float* x) { x[threadIdx.x] = shared_helper(x[swapped(threadIdx.x + 1)]); }
__host__ void run(float* x) { use<<<1, both_marked(32)>>>(x); }
