// SPDX-License-Identifier: Apache-2.0
// Divisions by constants, upper halves of 64-bit products, variable shifts.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = in[i];
  const unsigned long long low = (static_cast<unsigned long long>(a) << 29) * in[i + 1];
  const unsigned long long high = __umul64hi(~low, low << 7 | in[i + 1]);
  const long long far = __mul64hi(static_cast<long long>(low), -static_cast<long long>(high));
  unsigned r = a / 7 + a % 1000 + static_cast<unsigned>(static_cast<int>(a) / 10);
  r += static_cast<unsigned>(static_cast<long long>(static_cast<unsigned long long>(a) << 31) /
                             12345);
  r ^= static_cast<unsigned>(high) ^ static_cast<unsigned>(far >> 3);
  r += static_cast<unsigned>(static_cast<int>(a) >> (a & 31)) + (a << (in[i + 2] & 31));
  out[i] = r;
}
