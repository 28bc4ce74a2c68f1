// SPDX-License-Identifier: Apache-2.0
// float4 for global memory if the sizes allow it, single words for the tile. A warp covers four
// rows, which do not conflict with a pitch of 33 words.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int thread = threadIdx.y * 32 + threadIdx.x;
  const int y = thread >> 3, x = (thread & 7) << 2;
  int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
  float4 v = {0, 0, 0, 0};
  if (row < height && column < width) {
    const float* p = in + row * width + column;
    if ((width & 3) == 0) {
      v = *reinterpret_cast<const float4*>(p);
    } else {
      v.x = p[0];
      if (column + 1 < width) v.y = p[1];
      if (column + 2 < width) v.z = p[2];
      if (column + 3 < width) v.w = p[3];
    }
  }
  tile[y][x] = v.x;
  tile[y][x + 1] = v.y;
  tile[y][x + 2] = v.z;
  tile[y][x + 3] = v.w;
  __syncthreads();
  v = make_float4(tile[x][y], tile[x + 1][y], tile[x + 2][y], tile[x + 3][y]);
  row = blockIdx.x * 32 + y;
  column = blockIdx.y * 32 + x;
  if (row < width && column < height) {
    float* p = out + row * height + column;
    if ((height & 3) == 0) {
      *reinterpret_cast<float4*>(p) = v;
    } else {
      p[0] = v.x;
      if (column + 1 < height) p[1] = v.y;
      if (column + 2 < height) p[2] = v.z;
      if (column + 3 < height) p[3] = v.w;
    }
  }
}
