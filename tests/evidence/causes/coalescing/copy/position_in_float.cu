// SPDX-License-Identifier: Apache-2.0
// cause: float_index line=11
// says: The position is computed in float, which has 24 bits: from element 16,777,216 on,
//   several threads get the same position and others get none.
// never: __syncthreads;barrier;atomicAdd
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (column < width && row + j < height) {
      const float position = (row + j) * float(width) + column;
      const int i = static_cast<int>(position);
      out[i] = in[i];
    }
  }
}
