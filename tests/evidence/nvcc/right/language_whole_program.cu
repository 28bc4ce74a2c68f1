// SPDX-License-Identifier: Apache-2.0
// A file with main(), an error macro, and host containers.
// launch: --kernel scale --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32 --arg i32:32
#include <cstdio>
#include <vector>
#define CHECK(call)                                                       \
  do {                                                                    \
    const cudaError_t error = (call);                                     \
    if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error)); \
  } while (0)
__global__ void scale(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * in[i];
}
int main() {
  std::vector<float> host(32, 1.0f);
  float *in, *out;
  CHECK(cudaMalloc(&in, 128));
  CHECK(cudaMalloc(&out, 128));
  CHECK(cudaMemcpy(in, host.data(), 128, cudaMemcpyHostToDevice));
  scale<<<1, 32>>>(in, out, 32);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  return 0;
}
