// SPDX-License-Identifier: Apache-2.0
// Streams of doubles, one element per thread: the number of resident threads decides how many loads
// are in flight.

__global__ void write(double* a, const double*, const double*, const double*, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.25;
}

// No sum is equal to the constant, so the kernel stores nothing.
__global__ void read(double* a, const double* b, const double*, const double*, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double value = b[i];
  if (value == 123.0625) a[i] = value;
}

__global__ void scale(double* a, const double* b, const double*, const double*, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] * 1.25;
}

__global__ void triad(double* a, const double* b, const double* c, const double* d, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] * d[i] + c[i];
}

__global__ void stencil3(double* a, const double* b, const double*, const double*, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) a[i] = 0.5 * (b[i - 1] + b[i + 1]) + b[i];
}

__global__ void stencil5(double* a, const double* b, const double*, const double*, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 1 && i < n - 2) a[i] = 0.25 * (b[i - 2] + b[i - 1] + b[i + 1] + b[i + 2]) + b[i];
}
