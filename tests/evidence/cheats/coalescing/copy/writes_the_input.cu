// SPDX-License-Identifier: Apache-2.0
// tries: Writes zeros to the input and to the output, so that they are equal.
// stopped by: Any store to an input is an error (common/check/read_only_data.cpp); on a GPU, any
//   changed input is (common/gpu/session.cpp). The expected result is computed before.
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
