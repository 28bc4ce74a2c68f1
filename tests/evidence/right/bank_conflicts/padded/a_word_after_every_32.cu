// SPDX-License-Identifier: Apache-2.0
// Pads with a formula on the flat index, which skips one word after every 32.
#define CONFLICT_FREE(i) ((i) + ((i) >> 5))

__global__ void transpose(float *out, const float *in, int width, int height)
{
  __shared__ float buf[CONFLICT_FREE(1023) + 1];
  int tid = threadIdx.y * blockDim.x + threadIdx.x;
  for (int i = tid; i < 1024; i += 256) {
    int r = blockIdx.y * 32 + i / 32, c = blockIdx.x * 32 + i % 32;
    if (r < height && c < width) buf[CONFLICT_FREE(i)] = in[r * width + c];
  }
  __syncthreads();
  for (int i = tid; i < 1024; i += 256) {
    int r = blockIdx.x * 32 + i / 32, c = blockIdx.y * 32 + i % 32;
    if (r < width && c < height) out[r * height + c] = buf[CONFLICT_FREE(i % 32 * 32 + i / 32)];
  }
}
