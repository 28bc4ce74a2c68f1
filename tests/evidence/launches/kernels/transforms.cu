// SPDX-License-Identifier: Apache-2.0
// Transforms of signals and images: FFTs by global stages, in shared memory and by shuffles, the
// Haar wavelet, 8 x 8 cosine transforms, Walsh-Hadamard, and FIR and IIR filters of signals.
// Complex numbers are float2.

__device__ float2 times(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// One radix-2 stage over a whole signal of 2 * pairs values, from one buffer to another
// (Stockham's order). span is 2^stage.
__global__ void fft_stage(float2* out, const float2* in, int pairs, int span) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const int at = i & (span - 1);
  float s;
  float c;
  sincosf(-3.14159265F * at / span, &s, &c);
  const float2 a = in[i];
  const float2 b = times(in[i + pairs], make_float2(c, s));
  const int to = 2 * (i - at) + at;
  out[to] = make_float2(a.x + b.x, a.y + b.y);
  out[to + span] = make_float2(a.x - b.x, a.y - b.y);
}

__device__ void radix_4(float2* v) {
  const float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y);
  const float2 b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
  const float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y);
  const float2 d = make_float2(v[1].x - v[3].x, v[1].y - v[3].y);
  v[0] = make_float2(a.x + c.x, a.y + c.y);
  v[1] = make_float2(b.x + d.y, b.y - d.x);
  v[2] = make_float2(a.x - c.x, a.y - c.y);
  v[3] = make_float2(b.x - d.y, b.y + d.x);
}

// The same with radix 4: a quarter of the values per thread, half the stages.
__global__ void fft_stage_radix_4(float2* out, const float2* in, int quarter, int span) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quarter) return;
  const int at = i & (span - 1);
  float2 v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float s;
    float c;
    __sincosf(-1.57079633F * at * k / span, &s, &c);
    v[k] = times(in[i + k * quarter], make_float2(c, s));
  }
  radix_4(v);
  const int to = 4 * (i - at) + at;
#pragma unroll
  for (int k = 0; k < 4; ++k) out[to + k * span] = v[k];
}

// Many signals of Points values, one block of Points / 2 threads each: bits reversed, then all
// stages in shared memory.
template <int Points>
__global__ void fft_shared(float2* out, const float2* in) {
  __shared__ float2 v[Points];
  const float2* from = in + static_cast<size_t>(blockIdx.x) * Points;
  float2* to = out + static_cast<size_t>(blockIdx.x) * Points;
  const int bits = 31 - __clz(Points);
  for (int k = threadIdx.x; k < Points; k += Points / 2) v[__brev(k) >> (32 - bits)] = from[k];
  for (int span = 1; span < Points; span *= 2) {
    __syncthreads();
    const int at = threadIdx.x & (span - 1);
    const int low = 2 * (threadIdx.x - at) + at;
    float s;
    float c;
    __sincosf(-3.14159265F * at / span, &s, &c);
    const float2 a = v[low];
    const float2 b = times(v[low + span], make_float2(c, s));
    v[low] = make_float2(a.x + b.x, a.y + b.y);
    v[low + span] = make_float2(a.x - b.x, a.y - b.y);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < Points; k += Points / 2) to[k] = v[k];
}

// Signals of 32 values, one warp each, by shuffles.
__global__ void fft_warp(float2* out, const float2* in, int signals) {
  const int signal = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (signal >= signals) return;
  const int lane = threadIdx.x % 32;
  float2 v = in[static_cast<size_t>(signal) * 32 + (__brev(lane) >> 27)];
  for (int span = 1; span < 32; span *= 2) {
    float s;
    float c;
    __sincosf(-3.14159265F * (lane & (span - 1)) / span, &s, &c);
    const bool high = lane & span;
    if (high) v = times(v, make_float2(c, s));
    const float x = __shfl_xor_sync(~0U, v.x, span);
    const float y = __shfl_xor_sync(~0U, v.y, span);
    v = high ? make_float2(x - v.x, y - v.y) : make_float2(x + v.x, y + v.y);
  }
  out[static_cast<size_t>(signal) * 32 + lane] = v;
}

// The discrete transform by its definition: every thread reads the whole signal.
__global__ void dft_naive(float2* out, const float* in, int n) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  float2 sum = make_float2(0, 0);
  for (int i = 0; i < n; ++i) {
    float s;
    float c;
    __sincosf(-6.2831853F * (static_cast<long long>(i) * k % n) / n, &s, &c);
    sum.x += in[i] * c;
    sum.y += in[i] * s;
  }
  out[k] = sum;
}

__global__ void power_spectrum(float* out, const float2* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = log10f(in[i].x * in[i].x + in[i].y * in[i].y + 1e-9F);
}

// One level for all rows: sums to the left half, differences to the right.
__global__ void haar_level(float* out, const float2* in, int half_width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= half_width || y >= height) return;
  const float2 pair = in[y * half_width + x];
  out[2 * y * half_width + x] = (pair.x + pair.y) * 0.70710678F;
  out[(2 * y + 1) * half_width + x] = (pair.x - pair.y) * 0.70710678F;
}

// The same along columns.
__global__ void haar_level_columns(float* out, const float* in, int width, int half_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= half_height) return;
  const float a = in[2 * y * width + x];
  const float b = in[(2 * y + 1) * width + x];
  out[y * width + x] = (a + b) * 0.70710678F;
  out[(y + half_height) * width + x] = (a - b) * 0.70710678F;
}

// All levels of 1024 values in shared memory, 512 threads; fewer work at each level.
__global__ void haar_all_levels(float* out, const float* in) {
  __shared__ float v[1024];
  const float* from = in + static_cast<size_t>(blockIdx.x) * 1024;
  float* to = out + static_cast<size_t>(blockIdx.x) * 1024;
  const int thread = threadIdx.x;
  v[thread] = from[thread];
  v[thread + 512] = from[thread + 512];
  __syncthreads();
  for (int half = 512; half > 0; half /= 2) {
    float a = 0;
    float b = 0;
    if (thread < half) {
      a = v[2 * thread];
      b = v[2 * thread + 1];
    }
    __syncthreads();
    if (thread < half) {
      v[thread] = (a + b) * 0.70710678F;
      to[half + thread] = (a - b) * 0.70710678F;
    }
    __syncthreads();
  }
  if (thread == 0) to[0] = v[0];
}

__constant__ float cosines[64] = {
    0.3536F, 0.3536F,  0.3536F,  0.3536F,  0.3536F,  0.3536F,  0.3536F,  0.3536F,
    0.4904F, 0.4157F,  0.2778F,  0.0975F,  -0.0975F, -0.2778F, -0.4157F, -0.4904F,
    0.4619F, 0.1913F,  -0.1913F, -0.4619F, -0.4619F, -0.1913F, 0.1913F,  0.4619F,
    0.4157F, -0.0975F, -0.4904F, -0.2778F, 0.2778F,  0.4904F,  0.0975F,  -0.4157F,
    0.3536F, -0.3536F, -0.3536F, 0.3536F,  0.3536F,  -0.3536F, -0.3536F, 0.3536F,
    0.2778F, -0.4904F, 0.0975F,  0.4157F,  -0.4157F, -0.0975F, 0.4904F,  -0.2778F,
    0.1913F, -0.4619F, 0.4619F,  -0.1913F, -0.1913F, 0.4619F,  -0.4619F, 0.1913F,
    0.0975F, -0.2778F, 0.4157F,  -0.4904F, 0.4904F,  -0.4157F, 0.2778F,  -0.0975F};

// 64 products per coefficient, from global memory. Blocks of 8 x 8 threads; lanes of a warp read
// different weights from constant memory.
__global__ void dct_naive(float* out, const float* in, int width) {
  const int left = blockIdx.x * 8;
  const int top = blockIdx.y * 8;
  float sum = 0;
  for (int b = 0; b < 8; ++b) {
    for (int a = 0; a < 8; ++a) {
      sum += cosines[threadIdx.y * 8 + b] * cosines[threadIdx.x * 8 + a] *
             in[(top + b) * width + left + a];
    }
  }
  out[(top + threadIdx.y) * width + left + threadIdx.x] = sum;
}

// Rows, then columns, through shared memory; a block of 32 x 8 threads has four squares.
__global__ void dct_shared(float* out, const float* in, int width) {
  __shared__ float cells[8][33];
  __shared__ float rows[8][33];
  __shared__ float weights[8][9];
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  const int u = threadIdx.x % 8;
  const int left = threadIdx.x - u;
  if (threadIdx.x < 8) weights[threadIdx.y][threadIdx.x] = cosines[threadIdx.y * 8 + threadIdx.x];
  cells[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  float sum = 0;
  for (int a = 0; a < 8; ++a) sum += weights[u][a] * cells[threadIdx.y][left + a];
  rows[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (int b = 0; b < 8; ++b) sum += weights[threadIdx.y][b] * rows[b][threadIdx.x];
  out[y * width + x] = sum;
}

// One thread per square: 64 values in registers, weights from constant memory; quantised.
__global__ void dct_thread_a_square(short* out, const float* in, const float* quanta, int width,
                                    int squares) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= squares) return;
  const int across = width / 8;
  const float* from = in + i / across * 8 * width + i % across * 8;
  short* to = out + i / across * 8 * width + i % across * 8;
  float v[8][8];
#pragma unroll
  for (int b = 0; b < 8; ++b) {
    float line[8];
#pragma unroll
    for (int a = 0; a < 8; ++a) line[a] = from[b * width + a];
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      float sum = 0;
#pragma unroll
      for (int a = 0; a < 8; ++a) sum += cosines[u * 8 + a] * line[a];
      v[b][u] = sum;
    }
  }
#pragma unroll
  for (int u = 0; u < 8; ++u) {
#pragma unroll
    for (int w = 0; w < 8; ++w) {
      float sum = 0;
#pragma unroll
      for (int b = 0; b < 8; ++b) sum += cosines[w * 8 + b] * v[b][u];
      to[w * width + u] = static_cast<short>(rintf(sum * 64 / (1 + quanta[w * 8 + u])));
    }
  }
}

// Walsh-Hadamard: one stage in global memory.
__global__ void hadamard_stage(float* out, const float* in, int pairs, int span) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const int low = 2 * i - (i & (span - 1));
  const float a = in[low];
  const float b = in[low + span];
  out[low] = a + b;
  out[low + span] = a - b;
}

// The same for 2048 values in shared memory: eleven stages, 512 threads with two pairs each.
__global__ void hadamard_shared(float* out, const float* in) {
  __shared__ float v[2048];
  const size_t first = static_cast<size_t>(blockIdx.x) * 2048;
  for (int k = threadIdx.x; k < 2048; k += 512) v[k] = in[first + k];
  for (int span = 1024; span > 0; span /= 2) {
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 512) {
      const int low = 2 * i - (i & (span - 1));
      const float a = v[low];
      const float b = v[low + span];
      v[low] = a + b;
      v[low + span] = a - b;
    }
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 2048; k += 512) out[first + k] = v[k];
}

__constant__ float taps[64] = {0.5F, 0.25F, 0.125F, 0.0625F, 0.5F, 0.3F, 0.2F, 0.1F};

// Block of 256 samples and a history of 64, in shared memory.
__global__ void fir_shared(float* out, const float* in, int samples) {
  __shared__ float v[256 + 64];
  const int first = blockIdx.x * 256;
  for (int k = threadIdx.x; k < 256 + 64; k += 256) {
    const int i = first + k - 64;
    v[k] = i >= 0 && i < samples ? in[i] : 0;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < 64; ++k) sum += taps[k] * v[threadIdx.x + 64 - k];
  if (first + threadIdx.x < samples) out[first + threadIdx.x] = sum;
}

__global__ void fir_global(float* out, const float* in, const float* weights, int samples,
                           int order) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= samples) return;
  float sum = 0;
  for (int k = 0; k < order && k <= i; ++k) sum += weights[k] * in[i - k];
  out[i] = sum;
}

// Two biquads one after the other, one thread per channel; channels are interleaved.
__global__ void biquads(float* out, const float* in, int channels, int samples) {
  const int channel = blockIdx.x * blockDim.x + threadIdx.x;
  if (channel >= channels) return;
  float z[4] = {0, 0, 0, 0};
  for (int t = 0; t < samples; ++t) {
    float v = in[static_cast<size_t>(t) * channels + channel];
#pragma unroll
    for (int k = 0; k < 4; k += 2) {
      const float y = 0.2F * v + z[k];
      z[k] = 0.4F * v + 0.37F * y + z[k + 1];
      z[k + 1] = 0.2F * v - 0.2F * y;
      v = y;
    }
    out[static_cast<size_t>(t) * channels + channel] = v;
  }
}
