// SPDX-License-Identifier: Apache-2.0
// Seven-point stencil with a halo in shared memory.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ float row[256 + 6];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const auto value = [&](int at) {
    return at < 0 ? 0.0F : static_cast<float>(in[at] & 0xffff) / 65536.0F;
  };
  row[threadIdx.x + 3] = value(i);
  if (threadIdx.x < 3) {
    row[threadIdx.x] = value(i - 3);
    row[threadIdx.x + 259] = value(i + 256);
  }
  __syncthreads();
  float sum = 0;
  for (int k = -3; k <= 3; ++k) sum += row[static_cast<int>(threadIdx.x) + 3 + k] / 7.0F;
  out[i] = __float_as_uint(sum);
}
