// SPDX-License-Identifier: Apache-2.0
// Kernels that were timed on older cards, as their sources print them: a lecture's transposes in
// blocks of 32 x 32 (Tesla K40), a post's transposes of doubles (Tesla C1060), and the reductions of
// Harris, "Optimizing Parallel Reduction in CUDA" (8800 GTX).

template <typename T, int PAD, int ROWS>
__device__ void tile(T* out, const T* in, int n, int bx, int by) {
  __shared__ T tile[32][32 + PAD];
  int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += ROWS) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = by * 32 + threadIdx.x, y = bx * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += ROWS) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void k40_copy(float* out, const float* in, int n) {
  __shared__ float tile[32][32];
  int at = (blockIdx.y * 32 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[at];
  __syncthreads();
  out[at] = tile[threadIdx.y][threadIdx.x];
}
extern "C" __global__ void k40_conflict(float* out, const float* in, int n) {
  tile<float, 0, 32>(out, in, n, blockIdx.x, blockIdx.y);
}
extern "C" __global__ void k40_padded(float* out, const float* in, int n) {
  tile<float, 1, 32>(out, in, n, blockIdx.x, blockIdx.y);
}

// Any size, with the edges looked at.
__device__ void edges(double* out, const double* in, int n, int bx, int by) {
  __shared__ double tile[32][33];
  int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  }
  __syncthreads();
  x = by * 32 + threadIdx.x, y = bx * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}
extern "C" __global__ void cartesian_any(double* out, const double* in, int n) {
  edges(out, in, n, blockIdx.x, blockIdx.y);
}
extern "C" __global__ void diagonal_any(double* out, const double* in, int n) {
  edges(out, in, n, (blockIdx.x + blockIdx.y) % gridDim.x, blockIdx.x);
}
extern "C" __global__ void hybrid(double* out, const double* in, int n) {
  const bool cartesian = (n + 1) % 128 == 0;
  edges(out, in, n, cartesian ? blockIdx.x : (blockIdx.x + blockIdx.y) % gridDim.x,
        cartesian ? blockIdx.y : blockIdx.x);
}
extern "C" __global__ void method1(double* out, const double* in, int n) {
  tile<double, 1, 8>(out, in, n, (blockIdx.x + blockIdx.y) % gridDim.x, blockIdx.x);
}
extern "C" __global__ void method3(double* out, const double* in, int n, unsigned one_over_gx) {
  unsigned sum = blockIdx.x + blockIdx.y;
  unsigned times = __umulhi(sum, one_over_gx);
  tile<double, 1, 8>(out, in, n, sum - gridDim.x * times, blockIdx.x);
}

#define SHARED                       \
  extern __shared__ int s[];         \
  const unsigned t = threadIdx.x;    \
  const unsigned B = blockDim.x
#define LOAD_ONE s[t] = in[blockIdx.x * B + t]
#define LOAD_TWO s[t] = in[blockIdx.x * B * 2 + t] + in[blockIdx.x * B * 2 + t + B]
__device__ void last_warp(volatile int* s, unsigned t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

extern "C" __global__ void reduce1(int* out, const int* in, int) {
  SHARED;
  LOAD_ONE;
  __syncthreads();
  for (unsigned k = 1; k < B; k *= 2) {
    if (t % (2 * k) == 0) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void reduce2(int* out, const int* in, int) {
  SHARED;
  LOAD_ONE;
  __syncthreads();
  for (unsigned k = 1; k < B; k *= 2) {
    const unsigned j = 2 * k * t;
    if (j < B) s[j] += s[j + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void reduce3(int* out, const int* in, int) {
  SHARED;
  LOAD_ONE;
  __syncthreads();
  for (unsigned k = B / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void reduce4(int* out, const int* in, int) {
  SHARED;
  LOAD_TWO;
  __syncthreads();
  for (unsigned k = B / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void reduce5(int* out, const int* in, int) {
  SHARED;
  LOAD_TWO;
  __syncthreads();
  for (unsigned k = B / 2; k > 32; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t < 32) last_warp(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void reduce6(int* out, const int* in, int) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x, first = blockIdx.x * 256 + t;
  s[t] = in[first] + in[first + 128];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) last_warp(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void reduce7(int* out, const int* in, int n) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x;
  int sum = 0;
  for (unsigned i = blockIdx.x * 256 + t; i < n; i += 256 * gridDim.x) sum += in[i] + in[i + 128];
  s[t] = sum;
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) last_warp(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}
