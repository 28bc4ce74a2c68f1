// SPDX-License-Identifier: Apache-2.0
// Clocks of __match_any_sync in a chain: each result determines the next value. Lane i holds the
// value i % `values`. Compiled with NVRTC for sm_90 and launched through CuPy 14.2 with rounds =
// 1024, as <<<1, 32>>> and, for 32 warps on every SM, as <<<132, 1024>>>. `clocks` has one element
// per warp; the maximum of the second launch counts.
extern "C" __global__ void match(unsigned* clocks, int values, int rounds) {
  unsigned value = threadIdx.x % values, sum = 0;
  const long long begin = clock64();
  for (int i = 0; i < rounds; ++i) {
    const unsigned same = __match_any_sync(~0u, value);
    value += same == 0x12345678u;
    sum += same;
  }
  const long long end = clock64();
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (threadIdx.x % 32 == 0) clocks[warp] = unsigned(end - begin) + (sum == 1);
}
