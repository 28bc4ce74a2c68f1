// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=15
// says: The store permutes by its row and the load by the thread: the words come from other places.
// never: barrier
__global__ void transpose(float* dst, const float* src, int w, int h) {
  __shared__ float s[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
  for (int j = 0; j < 32; j += 8)
    s[ty + j][tx ^ (ty + j)] = x < w && y + j < h ? src[(y + j) * w + x] : 0;
  __syncthreads();
  x = blockIdx.y * 32 + tx;
  y = blockIdx.x * 32 + ty;
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) dst[(y + j) * h + x] = s[tx][ty ^ tx]; 
}
