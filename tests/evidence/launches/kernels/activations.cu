// SPDX-License-Identifier: Apache-2.0
// Parts of neural networks that pass over tensors once or twice: activations, dropout, norms of
// batches and rows, losses, optimisers, quantisation, top-k. Tensors are row-major.
#include <cuda_fp16.h>

__device__ unsigned hashed(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

__device__ float warp_total(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0U, value, step);
  return value;
}

__device__ float warp_most(float value) {
  for (int step = 16; step > 0; step /= 2) {
    value = fmaxf(value, __shfl_xor_sync(~0U, value, step));
  }
  return value;
}

// Sum over a block of whole warps; all threads get the result.
__device__ float block_total(float value) {
  __shared__ float warps[32];
  value = warp_total(value);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  return warp_total(lane < static_cast<int>(blockDim.x) / 32 ? warps[lane] : 0);
}

__global__ void gelu_erf(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.5F * in[i] * (1 + erff(in[i] * 0.70710678F));
}

// The approximation by tanh, in pairs of halves, with a bias per column.
__global__ void gelu_tanh_bias(__half2* out, const __half2* in, const __half2* bias, int pairs,
                               int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const float2 v = __half22float2(__hadd2(in[i], bias[i % (columns / 2)]));
  const auto gelu = [](float x) {
    return 0.5F * x * (1 + tanhf(0.79788456F * (x + 0.044715F * x * x * x)));
  };
  out[i] = __floats2half2_rn(gelu(v.x), gelu(v.y));
}

// The gate of a SwiGLU layer: the halves of each row are gate and value.
__global__ void swiglu(float* out, const float* in, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (column >= columns || row >= rows) return;
  const float gate = in[row * 2 * columns + column];
  const float value = in[(row * 2 + 1) * columns + column];
  out[row * columns + column] = gate / (1 + __expf(-gate)) * value;
}

__global__ void dropout(float* out, const float* in, int n, unsigned seed, float rate) {
  const float scale = 1 / (1 - rate);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float chance = (hashed(i ^ seed) >> 8) * 0x1p-24F;
    out[i] = chance < rate ? 0 : in[i] * scale;
  }
}

// Four values per thread, with the residual added and a mask of bytes stored.
__global__ void dropout_residual(float4* out, uchar4* mask, const float4* in, const float4* skip,
                                 int fours, unsigned seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= fours) return;
  const unsigned bits = hashed(i + seed);
  const float4 v = in[i];
  const float4 s = skip[i];
  const uchar4 keep = make_uchar4((bits & 255) > 25, (bits >> 8 & 255) > 25,
                                  (bits >> 16 & 255) > 25, bits >> 24 > 25);
  mask[i] = keep;
  out[i] = make_float4(s.x + (keep.x ? v.x * 1.11F : 0), s.y + (keep.y ? v.y * 1.11F : 0),
                       s.z + (keep.z ? v.z * 1.11F : 0), s.w + (keep.w ? v.w * 1.11F : 0));
}

// A block per row; the row stays in shared memory between the passes.
__global__ void rms_norm_shared(float* out, const float* in, const float* gain, int columns) {
  extern __shared__ float row[];
  const float* from = in + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) {
    const float v = from[k];
    row[k] = v;
    sum += v * v;
  }
  const float scale = rsqrtf(block_total(sum) / columns + 1e-5F);
  for (int k = threadIdx.x; k < columns; k += blockDim.x) {
    out[static_cast<size_t>(blockIdx.x) * columns + k] = row[k] * scale * gain[k];
  }
}

// A warp per row of halves, eight values per load; reads the row twice.
__global__ void rms_norm_half(int4* out, const int4* in, const __half* gain, int rows, int eights) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  const int4* from = in + static_cast<size_t>(row) * eights;
  float sum = 0;
  for (int k = threadIdx.x % 32; k < eights; k += 32) {
    const int4 v = from[k];
    const __half2* h = reinterpret_cast<const __half2*>(&v);
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      const float2 f = __half22float2(h[t]);
      sum += f.x * f.x + f.y * f.y;
    }
  }
  const float scale = rsqrtf(warp_total(sum) / (8 * eights) + 1e-5F);
  for (int k = threadIdx.x % 32; k < eights; k += 32) {
    int4 v = from[k];
    __half2* h = reinterpret_cast<__half2*>(&v);
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      const float2 f = __half22float2(h[t]);
      h[t] = __floats2half2_rn(f.x * scale * __half2float(gain[k * 8 + 2 * t]),
                               f.y * scale * __half2float(gain[k * 8 + 2 * t + 1]));
    }
    out[static_cast<size_t>(row) * eights + k] = v;
  }
}

// Mean and variance of each row by Welford's algorithm in a warp, then the norm with an affine map.
__global__ void layer_norm_welford(float* out, const float* in, const float* gain,
                                   const float* bias, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  const float* from = in + static_cast<size_t>(row) * columns;
  const int lane = threadIdx.x % 32;
  float mean = 0;
  float squares = 0;
  float count = 0;
  for (int k = lane; k < columns; k += 32) {
    count += 1;
    const float d = from[k] - mean;
    mean += d / count;
    squares += d * (from[k] - mean);
  }
  for (int step = 16; step > 0; step /= 2) {
    const float other_mean = __shfl_xor_sync(~0U, mean, step);
    const float other_squares = __shfl_xor_sync(~0U, squares, step);
    const float other_count = __shfl_xor_sync(~0U, count, step);
    const float total = fmaxf(count + other_count, 1);
    const float d = other_mean - mean;
    squares += other_squares + d * d * count * other_count / total;
    mean = (mean * count + other_mean * other_count) / total;
    count = total;
  }
  const float scale = rsqrtf(squares / columns + 1e-5F);
  for (int k = lane; k < columns; k += 32) {
    out[static_cast<size_t>(row) * columns + k] = (from[k] - mean) * scale * gain[k] + bias[k];
  }
}

// Gradient of layer norm by its input, one block per row.
__global__ void layer_norm_backward(float* out, const float* in, const float* gradient,
                                    const float* gain, int columns) {
  const size_t first = static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0;
  float squares = 0;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) {
    sum += in[first + k];
    squares += in[first + k] * in[first + k];
  }
  const float mean = block_total(sum) / columns;
  const float scale = rsqrtf(block_total(squares) / columns - mean * mean + 1e-5F);
  float plain = 0;
  float weighted = 0;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) {
    const float g = gradient[first + k] * gain[k];
    plain += g;
    weighted += g * (in[first + k] - mean) * scale;
  }
  plain = block_total(plain) / columns;
  weighted = block_total(weighted) / columns;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) {
    const float x = (in[first + k] - mean) * scale;
    out[first + k] = scale * (gradient[first + k] * gain[k] - plain - x * weighted);
  }
}

// Mean and variance of each channel of an NCHW tensor: a block per channel.
__global__ void batch_norm_statistics(float2* out, const float* in, int images, int channels,
                                      int pixels) {
  float sum = 0;
  float squares = 0;
  for (int image = 0; image < images; ++image) {
    const float* from = in + (static_cast<size_t>(image) * channels + blockIdx.x) * pixels;
    for (int k = threadIdx.x; k < pixels; k += blockDim.x) {
      sum += from[k];
      squares += from[k] * from[k];
    }
  }
  const float mean = block_total(sum) / (images * pixels);
  const float square = block_total(squares) / (images * pixels);
  if (threadIdx.x == 0) out[blockIdx.x] = make_float2(mean, square - mean * mean);
}

// The same of an NHWC tensor: a thread per channel and band of pixels, sums by atomics.
__global__ void batch_norm_statistics_nhwc(float* sums, const float* in, int pixels, int channels,
                                           int band) {
  const int channel = blockIdx.x * blockDim.x + threadIdx.x;
  if (channel >= channels) return;
  const int end = min((static_cast<int>(blockIdx.y) + 1) * band, pixels);
  float sum = 0;
  float squares = 0;
  for (int k = blockIdx.y * band; k < end; ++k) {
    const float v = in[static_cast<size_t>(k) * channels + channel];
    sum += v;
    squares += v * v;
  }
  atomicAdd(&sums[channel], sum);
  atomicAdd(&sums[channels + channel], squares);
}

// Divides by hand for the channel of each element.
__global__ void batch_norm_apply(float* out, const float* in, const float* mean,
                                 const float* variance, int n, int channels, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int channel = i / pixels % channels;
  const float v = (in[i] - mean[channel]) * rsqrtf(variance[channel] + 1e-5F);
  out[i] = fmaxf(v, 0);
}

// Softmax of scores with a causal mask, one warp per row; a row of n x n has row + 1 entries.
__global__ void softmax_causal(float* out, const float* in, int n, float scale) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= n) return;
  const float* from = in + static_cast<size_t>(row) * n;
  float* to = out + static_cast<size_t>(row) * n;
  const int lane = threadIdx.x % 32;
  float most = -3e38F;
  for (int k = lane; k <= row; k += 32) most = fmaxf(most, from[k] * scale);
  most = warp_most(most);
  float sum = 0;
  for (int k = lane; k <= row; k += 32) sum += __expf(from[k] * scale - most);
  sum = 1 / warp_total(sum);
  for (int k = lane; k < n; k += 32) {
    to[k] = k <= row ? __expf(from[k] * scale - most) * sum : 0;
  }
}

// Cross entropy of rows with random targets, one block per row: loss and gradient.
__global__ void cross_entropy(float* losses, float* gradient, const float* scores,
                              const unsigned* targets, int columns) {
  const size_t first = static_cast<size_t>(blockIdx.x) * columns;
  const int target = targets[blockIdx.x] % columns;
  float sum = 0;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) sum += expf(scores[first + k]);
  sum = block_total(sum);
  if (threadIdx.x == 0) losses[blockIdx.x] = logf(sum) - scores[first + target];
  for (int k = threadIdx.x; k < columns; k += blockDim.x) {
    gradient[first + k] = expf(scores[first + k]) / sum - (k == target ? 1.0F : 0.0F);
  }
}

// One thread per row, as a first version of the loss often has it.
__global__ void cross_entropy_thread(float* losses, const float* scores, const unsigned* targets,
                                     int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* from = scores + static_cast<size_t>(row) * columns;
  float most = -3e38F;
  for (int k = 0; k < columns; ++k) most = fmaxf(most, from[k]);
  float sum = 0;
  for (int k = 0; k < columns; ++k) sum += expf(from[k] - most);
  losses[row] = logf(sum) + most - from[targets[row] % columns];
}

// A step of Adam: four buffers are read and three written.
__global__ void adam(float* weights, float* means, float* variances, const float* old_weights,
                     const float* old_means, const float* old_variances, const float* gradient,
                     int n, float rate) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float g = gradient[i];
  const float m = 0.9F * old_means[i] + 0.1F * g;
  const float v = 0.999F * old_variances[i] + 0.001F * g * g;
  means[i] = m;
  variances[i] = v;
  weights[i] = old_weights[i] * (1 - 0.01F * rate) - rate * m / (sqrtf(v) + 1e-8F);
}

__global__ void momentum_fours(float4* weights, float4* speeds, const float4* old_weights,
                               const float4* old_speeds, const float4* gradient, int fours,
                               float rate) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < fours; i += gridDim.x * blockDim.x) {
    const float4 g = gradient[i];
    const float4 s = old_speeds[i];
    const float4 w = old_weights[i];
    const float4 next =
        make_float4(0.9F * s.x + g.x, 0.9F * s.y + g.y, 0.9F * s.z + g.z, 0.9F * s.w + g.w);
    speeds[i] = next;
    weights[i] = make_float4(w.x - rate * next.x, w.y - rate * next.y, w.z - rate * next.z,
                             w.w - rate * next.w);
  }
}

// Rows to bytes with a scale per row, one block per row.
__global__ void quantise_rows(signed char* out, float* scales, const float* in, int columns) {
  __shared__ float warps[32];
  const size_t first = static_cast<size_t>(blockIdx.x) * columns;
  float most = 0;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) most = fmaxf(most, fabsf(in[first + k]));
  most = warp_most(most);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = most;
  __syncthreads();
  for (int k = 0; k < static_cast<int>(blockDim.x) / 32; ++k) most = fmaxf(most, warps[k]);
  const float scale = 127 / fmaxf(most, 1e-9F);
  if (threadIdx.x == 0) scales[blockIdx.x] = 1 / scale;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) {
    out[first + k] = static_cast<signed char>(__float2int_rn(in[first + k] * scale));
  }
}

// Four bytes to four halves per thread, with a scale per row.
__global__ void dequantise_rows(__half2* out, const char4* in, const float* scales, int n,
                                int fours) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const char4 v = in[i];
  const float scale = scales[i / fours];
  out[2 * i] = __floats2half2_rn(v.x * scale, v.y * scale);
  out[2 * i + 1] = __floats2half2_rn(v.z * scale, v.w * scale);
}

// Weights of four bits in groups of 32 with a scale each, times a vector; a warp per row.
__global__ void four_bit_gemv(float* y, const unsigned* weights, const float* scales,
                              const float* x, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  const int words = columns / 8;
  float sum = 0;
  for (int k = threadIdx.x % 32; k < words; k += 32) {
    const unsigned word = weights[static_cast<size_t>(row) * words + k];
    float part = 0;
#pragma unroll
    for (int t = 0; t < 8; ++t) {
      part += (static_cast<int>(word >> 4 * t & 15) - 8) * x[k * 8 + t];
    }
    sum += part * scales[static_cast<size_t>(row) * (words / 4) + k / 4];
  }
  sum = warp_total(sum);
  if (threadIdx.x % 32 == 0) y[row] = sum;
}

// The K largest of each row, one warp per row: K rounds, each finds the largest that is smaller
// than the last one.
template <int K>
__global__ void top_k_rounds(float* out, const float* in, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  const float* from = in + static_cast<size_t>(row) * columns;
  float last = 3e38F;
  for (int round = 0; round < K; ++round) {
    float most = -3e38F;
    for (int k = threadIdx.x % 32; k < columns; k += 32) {
      const float v = from[k];
      if (v < last) most = fmaxf(most, v);
    }
    last = warp_most(most);
    if (threadIdx.x % 32 == 0) out[row * K + round] = last;
  }
}

// Each thread keeps the K largest of its part of a row in registers; a tree merges the lists.
template <int K>
__global__ void top_k_lists(float* out, const float* in, int columns) {
  __shared__ float lists[128][K + 1];
  const float* from = in + static_cast<size_t>(blockIdx.x) * columns;
  float best[K];
#pragma unroll
  for (int t = 0; t < K; ++t) best[t] = -3e38F;
  for (int k = threadIdx.x; k < columns; k += 128) {
    float v = from[k];
    if (v <= best[K - 1]) continue;
#pragma unroll
    for (int t = 0; t < K; ++t) {
      const float low = fminf(best[t], v);
      best[t] = fmaxf(best[t], v);
      v = low;
    }
  }
#pragma unroll
  for (int t = 0; t < K; ++t) lists[threadIdx.x][t] = best[t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) {
#pragma unroll
      for (int t = 0; t < K; ++t) {
        float v = lists[threadIdx.x + half][t];
#pragma unroll
        for (int s = 0; s < K; ++s) {
          const float low = fminf(best[s], v);
          best[s] = fmaxf(best[s], v);
          v = low;
        }
      }
#pragma unroll
      for (int t = 0; t < K; ++t) lists[threadIdx.x][t] = best[t];
    }
    __syncthreads();
  }
  if (threadIdx.x < K) out[blockIdx.x * K + threadIdx.x] = lists[0][threadIdx.x];
}
