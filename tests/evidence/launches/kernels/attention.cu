// SPDX-License-Identifier: Apache-2.0
// Attention and embeddings of language models: scores, attention with an online softmax per thread,
// warp and tile, decoding of one token from a cache, rotary embedding, look-ups in tables and their
// gradients. Heads are outermost: [head][token][Width].
#include <cuda_fp16.h>

__device__ float warp_total(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0U, value, step);
  return value;
}

// Scores of one head per blockIdx.z, naive: lanes read different keys.
__global__ void scores_naive(float* out, const float* queries, const float* keys, int tokens,
                             int width, float scale) {
  const int key = blockIdx.x * blockDim.x + threadIdx.x;
  const int query = blockIdx.y * blockDim.y + threadIdx.y;
  if (key >= tokens || query >= tokens) return;
  const size_t head = static_cast<size_t>(blockIdx.z) * tokens;
  const float* q = queries + (head + query) * width;
  const float* k = keys + (head + key) * width;
  float sum = 0;
  for (int i = 0; i < width; ++i) sum += q[i] * k[i];
  out[(head + query) * tokens + key] = sum * scale;
}

// Scores through shared tiles of 32 tokens by 32 columns; 32 x 8 threads. tokens and width are
// multiples of 32. Blocks above the diagonal write a constant.
__global__ void scores_causal(float* out, const float* queries, const float* keys, int tokens,
                              int width, float scale) {
  __shared__ float q[32][33];
  __shared__ float k[32][33];
  const size_t head = static_cast<size_t>(blockIdx.z) * tokens;
  const int query = blockIdx.y * 32;
  const int key = blockIdx.x * 32;
  const int x = threadIdx.x;
  float sum[4] = {0, 0, 0, 0};
  if (key <= query) {
    for (int first = 0; first < width; first += 32) {
      for (int y = threadIdx.y; y < 32; y += 8) {
        q[y][x] = queries[(head + query + y) * width + first + x];
        k[y][x] = keys[(head + key + y) * width + first + x];
      }
      __syncthreads();
#pragma unroll 8
      for (int i = 0; i < 32; ++i) {
        const float value = k[x][i];
#pragma unroll
        for (int t = 0; t < 4; ++t) sum[t] += q[threadIdx.y + 8 * t][i] * value;
      }
      __syncthreads();
    }
  }
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    const int y = query + threadIdx.y + 8 * t;
    out[(head + y) * tokens + key + x] = key + x <= y ? sum[t] * scale : -1e9F;
  }
}

// One thread per query with its row and its sums in registers; all threads of a warp read the same
// key and value.
template <int Width>
__global__ void online_thread(float* out, const float* queries, const float* keys,
                              const float* values, int tokens, float scale) {
  const int query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query >= tokens) return;
  const size_t head = static_cast<size_t>(blockIdx.y) * tokens;
  float q[Width];
  float sum[Width];
#pragma unroll
  for (int i = 0; i < Width; ++i) {
    q[i] = queries[(head + query) * Width + i] * scale;
    sum[i] = 0;
  }
  float most = -3e38F;
  float total = 0;
  for (int key = 0; key < tokens; ++key) {
    const float* k = keys + (head + key) * Width;
    const float* v = values + (head + key) * Width;
    float score = 0;
#pragma unroll
    for (int i = 0; i < Width; ++i) score += q[i] * k[i];
    const float next = fmaxf(most, score);
    const float shrink = __expf(most - next);
    const float weight = __expf(score - next);
    total = total * shrink + weight;
#pragma unroll
    for (int i = 0; i < Width; ++i) sum[i] = sum[i] * shrink + weight * v[i];
    most = next;
  }
#pragma unroll
  for (int i = 0; i < Width; ++i) out[(head + query) * Width + i] = sum[i] / total;
}

// One warp per query; a lane has Width / 32 columns, so each score needs a sum over the warp.
template <int Width>
__global__ void online_warp(float* out, const float* queries, const float* keys,
                            const float* values, int tokens, float scale) {
  constexpr int kEach = Width / 32;
  const int query = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (query >= tokens) return;
  const int lane = threadIdx.x % 32;
  const size_t head = static_cast<size_t>(blockIdx.y) * tokens;
  float q[kEach];
  float sum[kEach];
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    q[i] = queries[(head + query) * Width + lane + 32 * i] * scale;
    sum[i] = 0;
  }
  float most = -3e38F;
  float total = 0;
  for (int key = 0; key <= query; ++key) {
    const size_t at = (head + key) * Width + lane;
    float score = 0;
#pragma unroll
    for (int i = 0; i < kEach; ++i) score += q[i] * keys[at + 32 * i];
    score = warp_total(score);
    const float next = fmaxf(most, score);
    const float shrink = __expf(most - next);
    const float weight = __expf(score - next);
    total = total * shrink + weight;
#pragma unroll
    for (int i = 0; i < kEach; ++i) sum[i] = sum[i] * shrink + weight * values[at + 32 * i];
    most = next;
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    out[(head + query) * Width + lane + 32 * i] = sum[i] / total;
  }
}

// Tiles of 32 keys and values in shared memory, 64 queries per block with one thread each, columns
// in registers: the first form of flash attention. Width is 32; tokens is a multiple of 64.
__global__ void flash_tile(float* out, const float* queries, const float* keys, const float* values,
                           int tokens, float scale) {
  __shared__ float k[32][32];
  __shared__ float v[32][32];
  const size_t head = static_cast<size_t>(blockIdx.y) * tokens;
  const size_t mine = (head + blockIdx.x * 64 + threadIdx.x) * 32;
  float q[32];
  float sum[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    q[i] = queries[mine + i] * scale;
    sum[i] = 0;
  }
  float most = -3e38F;
  float total = 0;
  for (int first = 0; first < tokens; first += 32) {
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 64) {
      k[i / 32][i % 32] = keys[(head + first) * 32 + i];
      v[i / 32][i % 32] = values[(head + first) * 32 + i];
    }
    __syncthreads();
    float scores[32];
    float next = most;
#pragma unroll
    for (int j = 0; j < 32; ++j) {
      float score = 0;
#pragma unroll
      for (int i = 0; i < 32; ++i) score += q[i] * k[j][i];
      scores[j] = score;
      next = fmaxf(next, score);
    }
    const float shrink = __expf(most - next);
    total *= shrink;
#pragma unroll
    for (int i = 0; i < 32; ++i) sum[i] *= shrink;
#pragma unroll
    for (int j = 0; j < 32; ++j) {
      const float weight = __expf(scores[j] - next);
      total += weight;
#pragma unroll
      for (int i = 0; i < 32; ++i) sum[i] += weight * v[j][i];
    }
    most = next;
  }
#pragma unroll
  for (int i = 0; i < 32; ++i) out[mine + i] = sum[i] / total;
}

// One token: a block of 128 threads per head, scores of all cached tokens in shared memory, then
// the weighted sum of the values. The width is 128, values are halves.
__global__ void decode_token(float* out, const __half* query, const __half2* keys,
                             const __half* values, int tokens, float scale) {
  extern __shared__ float scores[];
  __shared__ float q[128];
  __shared__ float warps[4];
  const size_t head = static_cast<size_t>(blockIdx.x) * tokens;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  q[threadIdx.x] = __half2float(query[blockIdx.x * 128 + threadIdx.x]) * scale;
  __syncthreads();
  float most = -3e38F;
  for (int token = warp; token < tokens; token += 4) {
    float sum = 0;
    for (int i = lane; i < 64; i += 32) {
      const float2 k = __half22float2(keys[(head + token) * 64 + i]);
      sum += k.x * q[2 * i] + k.y * q[2 * i + 1];
    }
    sum = warp_total(sum);
    if (lane == 0) scores[token] = sum;
    most = fmaxf(most, sum);
  }
  if (lane == 0) warps[warp] = most;
  __syncthreads();
  most = fmaxf(fmaxf(warps[0], warps[1]), fmaxf(warps[2], warps[3]));
  float total = 0;
  float sum = 0;
  for (int token = 0; token < tokens; ++token) {
    const float weight = __expf(scores[token] - most);
    total += weight;
    sum += weight * __half2float(values[(head + token) * 128 + threadIdx.x]);
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum / total;
}

// Rotates pairs (x, x + width / 2) of each head by an angle of the token's place.
__global__ void rotary(float* out, const float* in, int tokens, int heads, int width) {
  const int i = threadIdx.x;
  const int head = blockIdx.y * blockDim.y + threadIdx.y;
  const int token = blockIdx.x;
  if (i >= width / 2 || head >= heads) return;
  const float angle = token * exp2f(-13.2877F * 2 * i / width);
  float s;
  float c;
  sincosf(angle, &s, &c);
  const size_t at = (static_cast<size_t>(token) * heads + head) * width + i;
  const float a = in[at];
  const float b = in[at + width / 2];
  out[at] = a * c - b * s;
  out[at + width / 2] = a * s + b * c;
}

// Neighbouring pairs as half2, with a table of sines and cosines.
__global__ void rotary_table(__half2* out, const __half2* in, const float2* table, int pairs,
                             int half_width, int heads) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const int token = i / (half_width * heads);
  const float2 t = table[token * half_width + i % half_width];
  const float2 v = __half22float2(in[i]);
  out[i] = __floats2half2_rn(v.x * t.x - v.y * t.y, v.x * t.y + v.y * t.x);
}

// A block per token copies the row of a random word. words is a power of two.
__global__ void embed_block(float* out, const float* table, const unsigned* tokens, int words,
                            int width) {
  const unsigned word = tokens[blockIdx.x] & (words - 1);
  for (int k = threadIdx.x; k < width; k += blockDim.x) {
    out[static_cast<size_t>(blockIdx.x) * width + k] = table[static_cast<size_t>(word) * width + k];
  }
}

// A thread per element, narrow rows: threads of a warp have several words.
__global__ void embed_element(float* out, const float* table, const unsigned* tokens, int n,
                              int words, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned word = tokens[i / width] & (words - 1);
  out[i] = table[static_cast<size_t>(word) * width + i % width];
}

// Sums of Bag rows per sample, four columns per thread, as recommenders have them.
template <int Bag>
__global__ void embed_bag(float4* out, const float4* table, const unsigned* words_of, int samples,
                          int words, int fours) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sample = i / fours;
  if (sample >= samples) return;
  const int column = i % fours;
  float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 4
  for (int k = 0; k < Bag; ++k) {
    const unsigned word = words_of[sample * Bag + k] & (words - 1);
    const float4 v = table[static_cast<size_t>(word) * fours + column];
    sum.x += v.x;
    sum.y += v.y;
    sum.z += v.z;
    sum.w += v.w;
  }
  out[i] = sum;
}

// The gradient of a table: adds each token's row by atomics.
__global__ void embed_gradient(float* table, const float* gradient, const unsigned* tokens, int n,
                               int words, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned word = tokens[i / width] & (words - 1);
  atomicAdd(&table[static_cast<size_t>(word) * width + i % width], gradient[i]);
}

// A look-up in pairs of halves with a scale, one warp per token.
__global__ void embed_half_warp(__half2* out, const __half2* table, const unsigned* tokens,
                                int count, int words, int pairs) {
  const int token = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (token >= count) return;
  const unsigned word = tokens[token] & (words - 1);
  const __half2 scale = __float2half2_rn(22.6F);
  for (int k = threadIdx.x % 32; k < pairs; k += 32) {
    out[static_cast<size_t>(token) * pairs + k] =
        __hmul2(table[static_cast<size_t>(word) * pairs + k], scale);
  }
}
