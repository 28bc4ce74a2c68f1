// SPDX-License-Identifier: Apache-2.0
// A struct with overloaded operators, one of them a friend.
// launch: --kernel polynomial --grid 1 --block 32 --arg out:f32:64
struct Complex {
  float re, im;
  __device__ Complex operator+(Complex b) const { return {re + b.re, im + b.im}; }
  __device__ friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  __device__ Complex& operator+=(Complex b) { return *this = *this + b; }
};
__global__ void polynomial(float* out) {
  const Complex z = {0.5f * threadIdx.x, 1};
  Complex sum = {1, 0}, power = z;
  for (int i = 0; i < 3; ++i) {
    sum += power;
    power = power * z;
  }
  out[2 * threadIdx.x] = sum.re;
  out[2 * threadIdx.x + 1] = sum.im;
}
