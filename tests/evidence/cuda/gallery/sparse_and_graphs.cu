// SPDX-License-Identifier: Apache-2.0
// Sparse matrix times vector in CSR, ELL, JDS, COO; breadth-first search, shortest paths,
// components.
//
// launch: csr_scalar grid 4 block 64
// launch: csr_vector grid 8 block 128
// launch: ell grid 4 block 64
// launch: jds grid 1 block 256
// launch: coo grid 4 block 128
// launch: bfs_frontier grid 1 block 256
// launch: floyd_warshall grid 1 block 16,16
// launch: bellman_ford grid 1 block 128
// launch: components grid 1 block 256
// launch: page_rank grid 1 block 128

// 256 x 256. Row r has (r * 7) % 13 + 1 entries; columns and values come from the input.
__device__ int row_length(int r) { return (r * 7) % 13 + 1; }
__device__ int row_start(int r) {
  int start = 0;
  for (int k = 0; k < r; ++k) start += row_length(k);
  return start;
}
__device__ int column(const unsigned* in, int k) {
  return static_cast<int>(in[k & 2047] >> 7 & 255);
}
__device__ float value(const unsigned* in, int k) { return in[(k & 2047) + 2048] * 0x1p-31f; }

__device__ void csr_row(const int* pointer, const unsigned* __restrict__ in,
                        const float* __restrict__ x, float* y, int row) {
  float sum = 0;
  for (int k = pointer[row]; k < pointer[row + 1]; ++k) sum += value(in, k) * x[column(in, k)];
  y[row] = sum;
}
extern "C" __global__ void csr_scalar(unsigned* out, const unsigned* in) {
  __shared__ int pointer[257];
  __shared__ float x[256];
  for (int k = threadIdx.x; k < 257; k += blockDim.x) pointer[k] = row_start(k);
  for (int k = threadIdx.x; k < 256; k += blockDim.x) x[k] = 1.0f / (k + 1);
  __syncthreads();
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < 256) csr_row(pointer, in, x, reinterpret_cast<float*>(out), row);
}
extern "C" __global__ void csr_vector(unsigned* out, const unsigned* in) {
  const int warps = gridDim.x * blockDim.x / 32;
  const int lane = threadIdx.x & 31;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < 256; row += warps) {
    const int begin = row_start(row), end = begin + row_length(row);
    double sum = 0;
    for (int k = begin + lane; k < end; k += 32) sum += value(in, k) * (1.0 / (column(in, k) + 1));
    for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0) reinterpret_cast<double*>(out)[row] = sum;
  }
}
extern "C" __global__ void ell(unsigned* out, const unsigned* in) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 13; ++k) {
    const int at = k * 256 + row;
    const int c = k < row_length(row) ? static_cast<int>(in[at & 4095] % 256) : -1;
    if (c >= 0) sum = fmaf(in[at & 4095] * 0x1p-30f, static_cast<float>(c), sum);
  }
  out[row] = __float_as_uint(sum);
}
// Rows sorted by length, longest first; each diagonal is contiguous.
extern "C" __global__ void jds(unsigned* out, const unsigned* in) {
  __shared__ short order[256], width[14];
  const int t = threadIdx.x;
  int rank = 0, longer = 0;
  for (int r = 0; r < 256; ++r) {
    rank += row_length(r) > row_length(t) || (row_length(r) == row_length(t) && r < t);
    if (t < 14) longer += row_length(r) > t;
  }
  order[rank] = static_cast<short>(t);
  if (t < 14) width[t] = static_cast<short>(longer);
  __syncthreads();
  float sum = 0;
  int start = 0;
  for (int d = 0; t < width[d]; start += width[d++]) {
    sum += value(in, start + t) * static_cast<float>(column(in, start + t));
  }
  out[order[t]] = __float_as_uint(sum);
}
extern "C" __global__ void coo(unsigned* out, const unsigned* in) {
  int* y = reinterpret_cast<int*>(out);
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < 2048; k += gridDim.x * blockDim.x) {
    const int row = static_cast<int>(in[k] >> 16 & 255),
              x = static_cast<int>(in[k + 2048] % 201) - 100;
    atomicAdd(y + row, x * column(in, k));
  }
}

extern "C" __global__ void bfs_frontier(unsigned* out, const unsigned* in) {
  __shared__ int level[256], queue[2][256], size[2];
  const int t = threadIdx.x;
  level[t] = t == 3 ? 0 : -1;
  if (t == 0) queue[0][0] = 3, size[0] = 1, size[1] = 0;
  __syncthreads();
  for (int depth = 1, now = 0; size[now] > 0; ++depth, now ^= 1) {
    const int count = size[now];
    for (int q = t; q < count; q += blockDim.x) {
      const int node = queue[now][q];
      for (int e = 0; e < 2; ++e) {
        const int next = static_cast<int>(in[node * 2 + e] & 255);
        if (atomicCAS(&level[next], -1, depth) == -1)
          queue[now ^ 1][atomicAdd(&size[now ^ 1], 1)] = next;
      }
    }
    __syncthreads();
    if (t == 0) size[now] = 0;
    __syncthreads();
  }
  out[t] = static_cast<unsigned>(level[t] + 1);
}
extern "C" __global__ void floyd_warshall(unsigned* out, const unsigned* in) {
  __shared__ unsigned distance[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const unsigned weight = in[y * 16 + x];
  distance[y][x] = x == y ? 0 : weight % 3 ? 0x3fffffff : weight >> 8 & 0xff;
  for (int k = 0; k < 16; ++k) {
    __syncthreads();
    const unsigned through = distance[y][k] + distance[k][x];
    __syncthreads();
    if (through < distance[y][x]) distance[y][x] = through;
  }
  out[y * 16 + x] = distance[y][x];
}
extern "C" __global__ void bellman_ford(unsigned* out, const unsigned* in) {
  __shared__ int best[128];
  __shared__ int changed;
  best[threadIdx.x] = threadIdx.x ? 1 << 28 : 0;
  do {
    __syncthreads();
    if (threadIdx.x == 0) changed = 0;
    __syncthreads();
    for (int e = threadIdx.x; e < 640; e += 128) {
      const int from = static_cast<int>(in[e] & 127), to = static_cast<int>(in[e] >> 7 & 127);
      const int cost = atomicAdd(&best[from], 0) + static_cast<int>(in[e] >> 16 & 255);
      if (atomicMin(&best[to], cost) > cost) atomicOr(&changed, 1);
    }
    __syncthreads();
  } while (changed);
  out[threadIdx.x] = static_cast<unsigned>(best[threadIdx.x]);
}
extern "C" __global__ void components(unsigned* out, const unsigned* in) {
  __shared__ unsigned label[256];
  const unsigned t = threadIdx.x;
  label[t] = t;
  __syncthreads();
  while (true) {
    const unsigned a = t, b = in[t] % 3 == 0 ? in[t] >> 5 & 255 : t;
    const unsigned low = min(atomicAdd(&label[a], 0), atomicAdd(&label[b], 0));
    const bool lowered = (atomicMin(&label[a], low) > low) | (atomicMin(&label[b], low) > low);
    if (!__syncthreads_or(lowered)) break;
  }
  out[t] = label[t];
}
extern "C" __global__ void page_rank(unsigned* out, const unsigned* in) {
  __shared__ float rank[2][128];
  const unsigned t = threadIdx.x;
  rank[0][t] = 1.0f / 128;
  __syncthreads();
  for (int step = 0; step < 10; ++step) {
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum += rank[step & 1][in[t * 4 + k] & 127] / 4;
    rank[~step & 1][t] = 0.15f / 128 + 0.85f * sum;
    __syncthreads();
  }
  out[t] = __float_as_uint(rank[0][t]);
}
