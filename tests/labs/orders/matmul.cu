// SPDX-License-Identifier: Apache-2.0
// A product of matrices whose elements are summed in orders of their own: the products in another order, each
// added to one of eight sums, with one rounding or two, and the sums then added in another order.
constexpr float kError = 0;  // of each sum; the test makes a wrong kernel of it

__device__ unsigned hash(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

__device__ int greatest_divisor(int a, int b) {
  while (b != 0) {
    const int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  const unsigned own = hash(row * n + column + 1);
  int step = 1 + own % k;
  while (greatest_divisor(step, k) != 1) ++step;
  int at = (own >> 8) % k;
  float part[8] = {};
  for (int i = 0; i < k; ++i, at = (at + step) % k) {
    const unsigned choice = hash(own + i);
    float& sum = part[choice % 8];
    const float x = a[row * k + at], y = b[at * n + column];
    sum = choice & 8 ? fmaf(x, y, sum) : __fadd_rn(sum, __fmul_rn(x, y));
  }
  for (int left = 7; left > 0; --left) {
    const int other = hash(own + left) % left;
    part[other] += part[left];
  }
  c[row * n + column] = part[0] + kError;
}
