// SPDX-License-Identifier: Apache-2.0
// Untiled product of two 32 x 32 matrices of doubles; folds each result into one word.
// launch: grid 4,4 block 8,8

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * 8 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  double sum = 0;
  for (int k = 0; k < 32; ++k) {
    sum +=
        (static_cast<double>(in[y * 32 + k]) / 3.0) * (static_cast<double>(in[k * 32 + x]) / 7.0);
  }
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(sum));
  out[y * 32 + x] = static_cast<unsigned>(bits) ^ static_cast<unsigned>(bits >> 32);
}
