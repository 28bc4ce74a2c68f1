// SPDX-License-Identifier: Apache-2.0
// Arithmetic in loops: counters.csv has the additions, multiplications and fused multiply-adds that an H200 counted.
// Launches: 64 blocks of 256 threads on 16,384 elements.

extern "C" __global__ void nbody(float* out, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float xi = x[i], sum = 0;
  for (int j = 0; j < n; ++j) { float d = x[j] - xi; sum += d * rsqrtf(d * d + 0.01f); }
  out[i] = sum;
}
extern "C" __global__ void doubles(double* out, const double* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double a = x[i], b = 1.0;
  for (int j = 0; j < n; ++j) { b = b * a + 0.5; b = b + a; b = b * 0.999; }
  out[i] = b;
}
extern "C" __global__ void quotients(float* out, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = x[i] + 1.5f, b = 0;
  for (int j = 0; j < n; ++j) { b += a / (b + 2.0f); }
  out[i] = b;
}
extern "C" __global__ void roots(float* out, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = x[i] + 1.5f;
  for (int j = 0; j < n; ++j) { a = sqrtf(a) + 0.25f; a = a * sinf(a); a = a + expf(-a); }
  out[i] = a;
}
extern "C" __global__ void odd(float* out, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = x[i];
  for (int j = 0; j < n; ++j) { if (threadIdx.x & 1) a = a * 1.5f + 1.0f; else a = a + 2.0f; }
  out[i] = a;
}
