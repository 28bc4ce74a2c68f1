// SPDX-License-Identifier: Apache-2.0
// One block takes all steps, and copies the field back if their number is odd.

__device__ int at(const int* from, int x, int y, int width, int height) {
  return x < 0 || y < 0 || x >= width || y >= height ? 0 : from[y * width + x];
}

__global__ void spread_reference(int* field, int* next, int width, int height, int steps) {
  int* from = field;
  int* to = next;
  for (int step = 0; step < steps; ++step) {
    for (int i = threadIdx.x; i < width * height; i += blockDim.x) {
      const int x = i % width;
      const int y = i / width;
      to[i] = from[i] / 2 + at(from, x - 1, y, width, height) / 8 +
              at(from, x + 1, y, width, height) / 8 + at(from, x, y - 1, width, height) / 8 +
              at(from, x, y + 1, width, height) / 8;
    }
    __syncthreads();
    int* const other = from;
    from = to;
    to = other;
  }
  if (from == field) return;
  for (int i = threadIdx.x; i < width * height; i += blockDim.x) field[i] = from[i];
}
