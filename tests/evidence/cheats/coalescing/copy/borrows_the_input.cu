// SPDX-License-Identifier: Apache-2.0
// tries: Uses the input as scratch memory and restores it afterwards.
// stopped by: Every store to an input is a diagnostic, whatever its value
//   (common/check/read_only_data.cpp).
// verdict: fail diagnostic input_modified, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) {
      volatile float* scratch = const_cast<float*>(in) + row * width + column;
      const float value = *scratch;
      *scratch = 1;
      *scratch = value;
      out[row * width + column] = value;
    }
  }
}
