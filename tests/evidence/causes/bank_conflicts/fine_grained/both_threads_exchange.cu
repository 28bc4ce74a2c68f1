// SPDX-License-Identifier: Apache-2.0
// cause: race line=8
// says: Element (y, x) and its mirror image are exchanged by two threads at once, each of which
//   reads what the other writes: only the thread with x > y may do it.
// reports: race line=7
__device__ void exchange(float& a, float& b) {
  const float c = a;
  a = b;
  b = c;
}

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float t[32][33];
  const int x = threadIdx.x;
  const int base = blockIdx.y * 32 * width + blockIdx.x * 32 + x;

  for (int y = threadIdx.y; y < 32; y += 8) t[y][x] = in[base + y * width];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) exchange(t[y][x], t[x][y]);
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) out[base + y * width] = t[y][x];
}
