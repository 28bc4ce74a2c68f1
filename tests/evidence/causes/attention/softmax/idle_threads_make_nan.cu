// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=12
// says: Threads without an element have the maximum -INFINITY, and -INFINITY minus -INFINITY is not a number: two empty pairs must combine to an empty pair.
// reports: wrong_start line=20
struct Part {
  float top, sum;
};

__device__ Part join(Part p, Part q) {
  Part r;
  r.top = fmaxf(p.top, q.top);
  r.sum = p.sum * expf(p.top - r.top) + q.sum * expf(q.top - r.top);
  return r;
}

__global__ void softmax(float* out, const float* in, float scale, int rows, int width) {
  __shared__ Part parts[8];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const long long row = 1LL * blockIdx.x * width;
  Part mine = {-INFINITY, 0};
  for (int at = threadIdx.x; at < width; at += 4 * 256) {
    float v[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      v[j] = at + 256 * j < width ? scale * in[row + at + 256 * j] : -INFINITY;
    }
    const float top = fmaxf(fmaxf(fmaxf(v[0], v[1]), fmaxf(v[2], v[3])), mine.top);
    mine.sum *= expf(mine.top - top);
#pragma unroll
    for (int j = 0; j < 4; ++j) mine.sum += expf(v[j] - top);
    mine.top = top;
  }
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) {
    Part other;
    other.top = __shfl_down_sync(0xffffffffu, mine.top, d);
    other.sum = __shfl_down_sync(0xffffffffu, mine.sum, d);
    mine = join(mine, other);
  }
  if (lane == 0) parts[warp] = mine;
  __syncthreads();
  Part all = parts[0];
#pragma unroll
  for (int w = 1; w < 8; ++w) all = join(all, parts[w]);
  const float inverse = 1 / all.sum;
#pragma unroll 4
  for (int at = threadIdx.x; at < width; at += 256) {
    out[row + at] = expf(scale * in[row + at] - all.top) * inverse;
  }
}
