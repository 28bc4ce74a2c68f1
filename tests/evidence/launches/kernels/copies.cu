// SPDX-License-Identifier: Apache-2.0
// Copies. In one dimension: words of all widths, with several pieces per thread or a grid-stride
// loop. In two dimensions: tiles of 32 x 32, traversed like in the labs' kernels.
//
// Pointers have no __restrict__ unless the kernel's name contains it. Without it, the compiler
// cannot move a load ahead of earlier stores.

template <class T>
__global__ void plain(T* out, const T* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

template <class T>
__global__ void over_the_grid(T* out, const T* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = in[i];
  }
}

template <class T>
__global__ void over_the_grid_restrict(T* __restrict__ out, const T* __restrict__ in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = in[i];
  }
}

// Pieces are a block apart; all loads come first. n is a multiple of Pieces * blockDim.x.
template <class T, int Pieces>
__global__ void pieces(T* out, const T* in, int n) {
  const int first = blockIdx.x * blockDim.x * Pieces + threadIdx.x;
  T word[Pieces];
#pragma unroll
  for (int k = 0; k < Pieces; ++k) word[k] = in[first + k * blockDim.x];
#pragma unroll
  for (int k = 0; k < Pieces; ++k) out[first + k * blockDim.x] = word[k];
}

// The same, one piece at a time.
template <class T, int Pieces>
__global__ void pieces_in_turn(T* out, const T* in, int n) {
  const int first = blockIdx.x * blockDim.x * Pieces + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < Pieces; ++k) out[first + k * blockDim.x] = in[first + k * blockDim.x];
}

// Consecutive words per thread: adjacent lanes are `Pieces` words apart.
template <class T, int Pieces>
__global__ void consecutive(T* out, const T* in, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * Pieces;
#pragma unroll 1
  for (int k = 0; k < Pieces; ++k) {
    if (first + k < n) out[first + k] = in[first + k];
  }
}

// A 32 x 32 tile per block of 32 x 8; the guard is in the loop, which the compiler unrolls.
__global__ void rows_guarded(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < width && y + j < height) out[(y + j) * width + x] = in[(y + j) * width + x];
  }
}

// The same with blockDim.y as the step, so that the compiler cannot unroll.
__global__ void rows_by_block(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int r = threadIdx.y; r < 32; r += blockDim.y) {
    const int y = blockIdx.y * 32 + r;
    if (x < width && y < height) out[y * width + x] = in[y * width + x];
  }
}

__global__ void one_element(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = in[y * width + x];
}

// Lanes walk down columns.
__global__ void columns(float* out, const float* in, int width, int height) {
  const int y = blockIdx.y * 32 + threadIdx.x;
  const int x = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (y < height && x + j < width) out[y * width + x + j] = in[y * width + x + j];
  }
}

// Through a tile of shared memory.
__global__ void through_tile(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][32];
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  }
  __syncthreads();
  for (int j = 0; j < 32; j += 8) {
    if (x < width && y + j < height) out[(y + j) * width + x] = tile[threadIdx.y + j][threadIdx.x];
  }
}

// Reads and writes a buffer that fits in L2 `times` times; the addend keeps the passes apart.
__global__ void again(float* out, const float* in, int n, int times) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int t = 0; t < times; ++t) {
    for (int i = first; i < n; i += threads) out[i] = in[i] + static_cast<float>(t);
  }
}

// The same, reading only.
__global__ void read_again(float* out, const float* in, int n, int times) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < times; ++t) {
    for (int i = first; i < n; i += threads) sum += in[i] * static_cast<float>(t + 1);
  }
  out[first] = sum;
}

// Writes only.
__global__ void fill(float* out, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}

__global__ void saxpy(float* out, const float* x, const float* y, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}
