// SPDX-License-Identifier: Apache-2.0
// The maximum of doubles, by atomicCAS of 64 bits.
// launch: --kernel largest --grid 1 --block 64 --arg in:f64:64:iota --arg inout:f64:1:zeros
__global__ void largest(const double* in, double* out) {
  auto* bits = reinterpret_cast<unsigned long long*>(out);
  unsigned long long old = atomicAdd(bits, 0ull);
  const double mine = in[threadIdx.x] * 1.5;
  while (__longlong_as_double(old) < mine) {
    const unsigned long long seen = old;
    old = atomicCAS(bits, seen, __double_as_longlong(mine));
    if (old == seen) break;
  }
}
