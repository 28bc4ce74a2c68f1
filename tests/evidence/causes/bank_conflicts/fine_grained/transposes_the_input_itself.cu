// SPDX-License-Identifier: Apache-2.0
// cause: writes_input line=15
// says: The const_cast lets you store the transposed tile into in, which must stay as it is; store it only into
//   out.

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  float* matrix = const_cast<float*>(in);
  const int start = (blockIdx.y * 32 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x;

  for (int i = 0; i < 4; ++i) tile[threadIdx.y + 8 * i][threadIdx.x] = matrix[start + 8 * i * width];
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    const int at = start + 8 * i * width;
    matrix[at] = tile[threadIdx.x][threadIdx.y + 8 * i];
    out[at] = matrix[at];
  }
}
