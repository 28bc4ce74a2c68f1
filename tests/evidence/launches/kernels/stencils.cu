// SPDX-License-Identifier: Apache-2.0
// Stencils in one, two and three dimensions, directly from global memory (neighbours come from L1)
// or through tiles with halos. Cells outside count as zero.

template <int Radius>
__global__ void line(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = -Radius; k <= Radius; ++k) {
    if (i + k >= 0 && i + k < n) sum += in[i + k];
  }
  out[i] = sum;
}

// Threads near the ends return, so the loop needs no guards.
template <int Radius>
__global__ void line_inside(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Radius || i >= n - Radius) return;
  float sum = 0;
#pragma unroll
  for (int k = -Radius; k <= Radius; ++k) sum += in[i + k];
  out[i] = sum;
}

// blockDim.x is 256.
template <int Radius>
__global__ void line_tiled(float* out, const float* in, int n) {
  __shared__ float cells[256 + 2 * Radius];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int at = threadIdx.x + Radius;
  cells[at] = i < n ? in[i] : 0;
  if (threadIdx.x < Radius) {
    cells[threadIdx.x] = i >= Radius ? in[i - Radius] : 0;
    cells[at + 256] = i + 256 < n ? in[i + 256] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = -Radius; k <= Radius; ++k) sum += cells[at + k];
  if (i < n) out[i] = sum;
}

__global__ void five_points(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  out[i] = 0.5F * in[i] + 0.125F * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

__global__ void nine_points_clamped(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int b = -1; b <= 1; ++b) {
    for (int a = -1; a <= 1; ++a) {
      const int column = min(max(x + a, 0), width - 1);
      const int row = min(max(y + b, 0), height - 1);
      sum += in[row * width + column];
    }
  }
  out[y * width + x] = sum / 9;
}

// Blocks of Columns x Rows threads; a tile with a one-cell halo.
template <int Columns, int Rows>
__global__ void five_points_tiled(float* out, const float* in, int width, int height) {
  __shared__ float cells[Rows + 2][Columns + 2];
  const int x = blockIdx.x * Columns + threadIdx.x;
  const int y = blockIdx.y * Rows + threadIdx.y;
  const int i = y * width + x;
  const int a = threadIdx.x + 1;
  const int b = threadIdx.y + 1;
  const bool inside = x < width && y < height;
  cells[b][a] = inside ? in[i] : 0;
  if (threadIdx.x == 0) cells[b][0] = inside && x > 0 ? in[i - 1] : 0;
  if (threadIdx.x == Columns - 1) cells[b][a + 1] = y < height && x + 1 < width ? in[i + 1] : 0;
  if (threadIdx.y == 0) cells[0][a] = inside && y > 0 ? in[i - width] : 0;
  if (threadIdx.y == Rows - 1) cells[b + 1][a] = x < width && y + 1 < height ? in[i + width] : 0;
  __syncthreads();
  if (!inside) return;
  out[i] = 0.5F * cells[b][a] +
           0.125F * (cells[b][a - 1] + cells[b][a + 1] + cells[b - 1][a] + cells[b + 1][a]);
}

// Each thread walks down a column and keeps three rows in registers.
template <int Rows>
__global__ void five_points_marching(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int top = blockIdx.y * Rows;
  if (x < 1 || x >= width - 1) return;
  float above = top > 0 ? in[(top - 1) * width + x] : 0;
  float here = in[top * width + x];
  for (int r = 0; r < Rows && top + r < height; ++r) {
    const int i = (top + r) * width + x;
    const float below = top + r + 1 < height ? in[i + width] : 0;
    out[i] = 0.5F * here + 0.125F * (in[i - 1] + in[i + 1] + above + below);
    above = here;
    here = below;
  }
}

template <class T>
__global__ void seven_points(T* out, const T* in, int width, int height, int depth) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= width - 1 || y >= height - 1 || z >= depth - 1) return;
  const int plane = width * height;
  const int i = z * plane + y * width + x;
  out[i] = in[i] * static_cast<T>(0.4) +
           (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] + in[i - plane] + in[i + plane]) *
               static_cast<T>(0.1);
}

// Blocks of 32 x 8 walk through all planes; shared memory holds a tile of the current plane.
__global__ void seven_points_tiled(float* out, const float* in, int width, int height, int depth) {
  __shared__ float cells[10][34];
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  const int plane = width * height;
  const int a = threadIdx.x + 1;
  const int b = threadIdx.y + 1;
  const int at = y * width + x;  // width is a multiple of 32, height of 8
  float behind = 0;
  float here = in[at];
  for (int z = 0; z < depth; ++z) {
    const int i = z * plane + at;
    const float ahead = z + 1 < depth ? in[i + plane] : 0;
    cells[b][a] = here;
    if (threadIdx.x == 0) cells[b][0] = x > 0 ? in[i - 1] : 0;
    if (threadIdx.x == 31) cells[b][33] = x + 1 < width ? in[i + 1] : 0;
    if (threadIdx.y == 0) cells[0][a] = y > 0 ? in[i - width] : 0;
    if (threadIdx.y == 7) cells[9][a] = y + 1 < height ? in[i + width] : 0;
    __syncthreads();
    out[i] = 0.4F * here + 0.1F * (cells[b][a - 1] + cells[b][a + 1] + cells[b - 1][a] +
                                   cells[b + 1][a] + behind + ahead);
    __syncthreads();
    behind = here;
    here = ahead;
  }
}
