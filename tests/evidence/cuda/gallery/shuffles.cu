// SPDX-License-Identifier: Apache-2.0
// All shuffles, widths below 32, 64-bit and double values.
// launch: grid 4 block 128

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[i];
  unsigned r = __shfl_sync(0xffffffff, v, threadIdx.x + 3);
  r += __shfl_sync(0xffffffff, v, 5, 8);
  r ^= __shfl_up_sync(0xffffffff, v, 3, 16);
  r += __shfl_down_sync(0xffffffff, v, 9);
  r ^= __shfl_xor_sync(0xffffffff, v, 17);
  r += __shfl_xor_sync(0xffffffff, v, 3, 4);
  const double d = __shfl_down_sync(0xffffffff, static_cast<double>(v) / 3.0, 1);
  const unsigned long long w =
      __shfl_xor_sync(0xffffffff, static_cast<unsigned long long>(v) << 9, 1);
  out[i] = r + static_cast<unsigned>(__double_as_longlong(d) >> 17) + static_cast<unsigned>(w >> 8);
}
