// SPDX-License-Identifier: Apache-2.0
// A static __device__ member.
struct Config {
  static __device__ int step;
};
__device__ int Config::step = 6;
__global__ void stepped(int* out) { out[threadIdx.x] = Config::step * threadIdx.x; }
