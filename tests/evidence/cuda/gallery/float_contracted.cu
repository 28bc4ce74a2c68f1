// SPDX-License-Identifier: Apache-2.0
// Float products and sums separated by branches and loops, and products used twice.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto value = [&](unsigned at) { return __uint_as_float(0x3f800000 | (in[at] & 0x7fffff)); };
  const float far = value(i) * value(i + 1);
  float r = 1;
  if (in[i] & 1) r = far + value(i + 2);
  float p = value(i + 3);
  if (in[i] & 2) p = value(i + 4) * value(i + 5);
  r = p + r;
  const float twice = value(i + 6) * value(i + 7);
  r = r * (twice + 0.1F) + (twice - 0.3F);
  double d = static_cast<double>(value(i)) * static_cast<double>(value(i + 1)) / 3.0;
  for (unsigned k = 0; k < (in[i] & 7); ++k) d = d * static_cast<double>(value(i + k)) + 1.0 / 3.0;
  float product = 1;
  for (unsigned k = 0; k < 4; ++k) product *= value(i + k);
  r = product + r;
  out[i] = __float_as_uint(r) ^ static_cast<unsigned>(__double_as_longlong(d) >> 13);
}
