// SPDX-License-Identifier: Apache-2.0
// tries: Writes zeros into the input and the output, so that the two agree.
// stopped by: Any store to an input is a finding (common/check/input_modified.cpp), on a GPU a
//   changed input (common/gpu/session.cpp); what is right was made before.
// verdict: fail diagnostic input_modified, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) {
      const_cast<float*>(in)[row * width + column] = 0;
      out[row * width + column] = 0;
    }
  }
}
