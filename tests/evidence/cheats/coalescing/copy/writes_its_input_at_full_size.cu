// SPDX-License-Identifier: Apache-2.0
// tries: Overwrites the input at the size whose speed is graded, so that the reference makes the
//   same output from it.
// stopped by: The inputs of the executed blocks must be unchanged
//   (grader/cases/sampled_outputs.cpp).
// verdict: fail diagnostic input_modified, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + j;
    if (column >= width || row >= height) continue;
    const int i = row * width + column;
    if (width >= 4096 && height >= 4096) {
      const_cast<float*>(in)[i] = 1;
      out[i] = 1;
    } else {
      out[i] = in[i];
    }
  }
}
