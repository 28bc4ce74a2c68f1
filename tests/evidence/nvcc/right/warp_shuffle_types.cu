// SPDX-License-Identifier: Apache-2.0
// Shuffles of double, long long, unsigned and half-width segments.
// launch: --kernel moved --grid 1 --block 32 --arg out:f64:32
__global__ void moved(double* out) {
  const unsigned all = 0xffffffff;
  const double d = __shfl_sync(all, threadIdx.x * 0.1, 7);
  const long long l = __shfl_xor_sync(all, (long long)threadIdx.x << 34, 1);
  const unsigned u = __shfl_down_sync(all, threadIdx.x, 3, 8);
  const float f = __shfl_up_sync(all, 1.5f * threadIdx.x, 2, 16);
  out[threadIdx.x] = d + double(l) + u + f;
}
