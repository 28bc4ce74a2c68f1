// SPDX-License-Identifier: Apache-2.0
// The same algorithm on the CPU, as an overload and under its own name.
// left out: transpose, transpose_cpu, equal, main
#include <cmath>
#include <iostream>
#include <vector>
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
void transpose(std::vector<float>& out, const std::vector<float>& in, int width) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i % width * (in.size() / width) + i / width] = in[i];
}
void transpose_cpu(float* out, const float* in, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) out[x * height + y] = in[y * width + x];
}
bool equal(const float* a, const float* b, int n, float epsilon = 1e-6f) {
  for (int i = 0; i < n; ++i)
    if (std::fabs(a[i] - b[i]) > epsilon) return false;
  return true;
}
int main() {
  std::vector<float> a(1024), b(1024);
  transpose(b, a, 32);
  transpose_cpu(b.data(), a.data(), 32, 32);
  std::cout << std::boolalpha << equal(a.data(), b.data(), 1024);
}
