// SPDX-License-Identifier: Apache-2.0
// Division and remainder of signed, unsigned and 64-bit integers.
// launch: --kernel divided --grid 1 --block 32 --arg out:i64:32
__global__ void divided(long long* out) {
  const int i = int(threadIdx.x) * 37 - 500, d = int(threadIdx.x) % 7 - 10;
  const unsigned u = 4000000000u - threadIdx.x;
  const long long l = -123456789012345ll * (threadIdx.x + 1);
  out[threadIdx.x] = i / d + i % d + u / 7 + u % 1000 + l / 1000003 + l % d;
}
