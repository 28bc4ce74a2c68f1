// SPDX-License-Identifier: Apache-2.0
// min() and max() of signed and unsigned 64-bit integers.
// launch: --kernel ends --grid 1 --block 32 --arg out:i64:32
__global__ void ends(long long* out) {
  const long long x = (1ll << 40) - (1ll << 36) * threadIdx.x;
  const unsigned long long y = threadIdx.x * 1000000000000ull;
  out[threadIdx.x] = min(x, 3ll) + max(x, -5ll) + (long long)max(y, 77ull);
}
