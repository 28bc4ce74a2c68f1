// SPDX-License-Identifier: Apache-2.0
// Float functions built on approximate instructions, compared with the accurate double ones.
// launch: grid 4 block 256

__device__ unsigned near(float got, double want, double relative) {
  return fabs(static_cast<double>(got) - want) <= relative * fabs(want) + 1e-30 ? 1 : 0;
}
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = static_cast<float>(in[i] & 0xffffff) * 1e-6F + 0.01F;
  const double d = x;
  unsigned r = near(expf(x), exp(d), 5e-7);
  r = r * 2 + near(exp2f(x), exp2(d), 5e-7);
  r = r * 2 + near(powf(x, 1.3F), pow(d, static_cast<double>(1.3F)), 1e-6);
  r = r * 2 + near(rsqrtf(x), 1 / sqrt(d), 5e-7);
  r = r * 2 + near(tanhf(x), tanh(d), 5e-7);
  r = r * 2 + near(__fdividef(x, 3.0F), d / 3, 5e-7);
  r = r * 2 + near(__expf(x), exp(d), 1e-5);
  r = r * 2 + (fabs(__sinf(x * 0.1F) - sin(static_cast<double>(x * 0.1F))) < 1e-6 ? 1 : 0);
  r = r * 2 + (fabs(__cosf(x * 0.1F) - cos(static_cast<double>(x * 0.1F))) < 1e-6 ? 1 : 0);
  r = r * 2 + (fabs(__logf(x) - log(d)) < 1e-5 ? 1 : 0);
  out[i] = r;
}
