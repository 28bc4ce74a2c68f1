// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=7
// says: The swizzle uses four bits of the row, so rows r and r + 16 keep the words of a column in the same bank:
//   two lanes meet in each of 16 banks.

__device__ __forceinline__ int place(int row, int column) {
  return row * 32 + (column ^ (row & 15));
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float t[1024];
  const int2 from = make_int2(blockIdx.x * 32, blockIdx.y * 32);
  int y = threadIdx.y;
  while (y < 32) {
    const int r = from.y + y, c = from.x + threadIdx.x;
    if (r < height && c < width) t[place(y, threadIdx.x)] = in[r * width + c];
    y += blockDim.y;
  }
  __syncthreads();
  y = threadIdx.y;
  while (y < 32) {
    const int r = from.x + y, c = from.y + threadIdx.x;
    if (r < width && c < height) out[r * height + c] = t[place(threadIdx.x, y)];
    y += blockDim.y;
  }
}
