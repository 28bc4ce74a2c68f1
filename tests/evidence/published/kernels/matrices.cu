// SPDX-License-Identifier: Apache-2.0
// Products and sums of matrices and vectors, by rows (coalesced) and by columns, as in an
// introduction to CUDA. Blocks have 16 x 16 threads, or 256.

constexpr int kTile = 16;

__global__ void product_rows(float* p, const float* m, const float* n, int width) {
  float sum = 0;
  const int j = blockIdx.x * kTile + threadIdx.x;
  const int i = blockIdx.y * kTile + threadIdx.y;
  for (int k = 0; k < width; ++k) sum += m[i * width + k] * n[k * width + j];
  p[i * width + j] = sum;
}

__global__ void product_columns(float* p, const float* m, const float* n, int width) {
  float sum = 0;
  const int j = blockIdx.x * kTile + threadIdx.x;
  const int i = blockIdx.y * kTile + threadIdx.y;
  for (int k = 0; k < width; ++k) sum += m[j * width + k] * n[k * width + i];
  p[j * width + i] = sum;
}

__global__ void product_tiles(float* p, const float* m, const float* n, int width) {
  __shared__ float a[kTile][kTile];
  __shared__ float b[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int column = blockIdx.x * kTile + tx;
  const int row = blockIdx.y * kTile + ty;
  float sum = 0;
  for (int t = 0; t < width / kTile; ++t) {
    a[ty][tx] = m[row * width + t * kTile + tx];
    b[ty][tx] = n[column + (t * kTile + ty) * width];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  p[row * width + column] = sum;
}

__global__ void product_tiles_columns(float* p, const float* m, const float* n, int width) {
  __shared__ float a[kTile][kTile];
  __shared__ float b[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int column = blockIdx.x * kTile + tx;
  const int row = blockIdx.y * kTile + ty;
  float sum = 0;
  for (int t = 0; t < width / kTile; ++t) {
    a[tx][ty] = m[column * width + t * kTile + ty];
    b[tx][ty] = n[row + (t * kTile + tx) * width];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a[tx][k] * b[k][ty];
    __syncthreads();
  }
  p[column * width + row] = sum;
}

__global__ void sum_rows(float* s, const float* a, const float* b, int n) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int at = i * n + j;
  if (at < n * n) s[at] = a[at] + b[at];
}

__global__ void sum_columns(float* s, const float* a, const float* b, int n) {
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int at = i * n + j;
  if (at < n * n) s[at] = a[at] + b[at];
}

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// A partial sum per block, of one element per thread: the grid has n / 256 blocks.
__global__ void dot(const float* a, const float* b, float* c, int n) {
  __shared__ float part[kTile * kTile];
  float sum = 0;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    sum += a[i] * b[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half != 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) c[blockIdx.x] = part[0];
}
