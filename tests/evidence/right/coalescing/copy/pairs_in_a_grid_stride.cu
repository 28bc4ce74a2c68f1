// SPDX-License-Identifier: Apache-2.0
// Copies float2 in a grid-stride loop; the first thread copies the last element of an odd total.
__global__ void copy(float* out, const float* in, int width, int height) {
  const unsigned total = unsigned(width) * unsigned(height);
  const unsigned threadsPerBlock = blockDim.x * blockDim.y;
  const unsigned block = blockIdx.x + blockIdx.y * gridDim.x;
  const unsigned id = block * threadsPerBlock + threadIdx.y * blockDim.x + threadIdx.x;
  const unsigned stride = threadsPerBlock * gridDim.x * gridDim.y;
  float2* out2 = reinterpret_cast<float2*>(out);
  const float2* in2 = reinterpret_cast<const float2*>(in);
  for (unsigned i = id; i < total / 2; i += stride) out2[i] = in2[i];
  if (id == 0 && total % 2 == 1) out[total - 1] = in[total - 1];
}
