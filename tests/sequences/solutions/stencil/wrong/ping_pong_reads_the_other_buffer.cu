// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic uninitialized_read
// cause: uninitialised
// Reads the buffer that it is to write: it is uninitialised before the first launch.

__device__ int at(const int* now, int x, int y, int width, int height) {
  return x < 0 || y < 0 || x >= width || y >= height ? 0 : now[y * width + x];
}

__global__ void spread(int* next, const int* now, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  next[y * width + x] = at(next, x, y, width, height) / 2 + at(now, x - 1, y, width, height) / 8 +
                        at(now, x + 1, y, width, height) / 8 +
                        at(now, x, y - 1, width, height) / 8 + at(now, x, y + 1, width, height) / 8;
}
