// SPDX-License-Identifier: Apache-2.0
// No padding: an XOR swizzle within rows of 32 doubles, with macros for the rest.
#define WORD(r, c) tile[(r) * 32 + ((c) ^ (r))]
#define IN_RANGE(r, c, rows, columns) ((r) < (rows) && (c) < (columns))

__global__ void transpose(double *out, const double *in, int width, int height)
{
  __shared__ double tile[32 * 32];
  int id = blockIdx.x + gridDim.x * blockIdx.y;
  int by = id % gridDim.y;
  int bx = (id / gridDim.y + by) % gridDim.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    int r = by * 32 + k, c = bx * 32 + threadIdx.x;
    if (IN_RANGE(r, c, height, width)) WORD(k, (int)threadIdx.x) = in[r * width + c];
  }
  __syncthreads();
  for (int k = threadIdx.y; k < 32; k += 8) {
    int r = bx * 32 + k, c = by * 32 + threadIdx.x;
    if (IN_RANGE(r, c, width, height)) out[r * height + c] = WORD((int)threadIdx.x, k);
  }
}
