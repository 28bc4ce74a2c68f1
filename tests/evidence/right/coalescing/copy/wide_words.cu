// SPDX-License-Identifier: Apache-2.0
// Treats the matrix as one long row of float4. The buffers are aligned to 16 bytes, so every float4
// is aligned for any width. Up to three remaining floats are copied one by one.
__global__ void copy(float* out, const float* in, int width, int height) {
  const int count = width * height;
  const int quads = count / 4;
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  const int thread = (block * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (thread < quads) {
    reinterpret_cast<float4*>(out)[thread] = reinterpret_cast<const float4*>(in)[thread];
  }
  if (thread < count - 4 * quads) out[4 * quads + thread] = in[4 * quads + thread];
}
