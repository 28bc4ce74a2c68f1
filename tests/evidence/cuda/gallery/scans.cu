// SPDX-License-Identifier: Apache-2.0
// Prefix sums: Kogge-Stone, Brent-Kung, warp-level, segmented, coarsened, decoupled look-back, and
// algorithms built on them.
//
// launch: kogge_stone grid 4 block 256
// launch: brent_kung grid 4 block 128
// launch: scan_of_warps grid 1 block 1024
// launch: scan_coarsened grid 1 block 128
// launch: segmented_scan grid 4 block 256
// launch: look_back grid 8 block 128
// launch: compact_by_ballot grid 4 block 256
// launch: scan_maximum grid 4 block 256
// launch: run_lengths grid 1 block 512

extern "C" __global__ void kogge_stone(unsigned* out, const unsigned* in) {
  __shared__ float xy[2][256];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float* source = xy[0];
  float* target = xy[1];
  source[t] = static_cast<float>(in[i] >> 8) * 0x1p-20f;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    target[t] = t >= stride ? source[t] + source[t - stride] : source[t];
    float* const swap = source;
    source = target;
    target = swap;
  }
  out[i] = __float_as_uint(source[t]);
}

extern "C" __global__ void brent_kung(unsigned* out, const unsigned* in) {
  __shared__ unsigned xy[256];
  unsigned i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  xy[threadIdx.x] = in[i];
  xy[threadIdx.x + blockDim.x] = in[i + blockDim.x];
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    const unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index < 256) xy[index] += xy[index - stride];
  }
  for (int stride = 256 / 4; stride > 0; stride /= 2) {
    __syncthreads();
    const unsigned index = (threadIdx.x + 1) * stride * 2 - 1;
    if (index + stride < 256) xy[index + stride] += xy[index];
  }
  __syncthreads();
  out[i] = xy[threadIdx.x];
  out[i + blockDim.x] = xy[threadIdx.x + blockDim.x];
}

__device__ __forceinline__ unsigned warp_scan(unsigned value) {
  const unsigned lane = threadIdx.x & 31;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    const unsigned left = __shfl_up_sync(0xffffffffu, value, d);
    if (lane >= d) value += left;
  }
  return value;
}
__device__ unsigned block_scan(unsigned value) {
  __shared__ unsigned totals[32];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  value = warp_scan(value);
  __syncthreads();
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  if (warp == 0) totals[lane] = warp_scan(lane < (blockDim.x + 31) / 32 ? totals[lane] : 0);
  __syncthreads();
  return warp ? value + totals[warp - 1] : value;
}
extern "C" __global__ void scan_of_warps(unsigned* out, const unsigned* in) {
  const unsigned first = block_scan(in[threadIdx.x] & 0xffff);
  out[threadIdx.x] = block_scan(first % 1000);
}

extern "C" __global__ void scan_coarsened(unsigned* out, const unsigned* in) {
  __shared__ unsigned values[1024];
  for (int k = 0; k < 8; ++k) values[k * 128 + threadIdx.x] = in[k * 128 + threadIdx.x] & 0xfff;
  __syncthreads();
  unsigned own[8], sum = 0;
  for (int k = 0; k < 8; ++k) own[k] = sum += values[threadIdx.x * 8 + k];
  const unsigned before = block_scan(sum) - sum;
  for (int k = 0; k < 8; ++k) values[threadIdx.x * 8 + k] = own[k] + before;
  __syncthreads();
  for (int k = 0; k < 8; ++k) out[k * 128 + threadIdx.x] = values[k * 128 + threadIdx.x];
}

extern "C" __global__ void segmented_scan(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  unsigned value = in[i] % 100;
  const unsigned heads = __ballot_sync(0xffffffff, lane == 0 || in[i + 1024] % 5 == 0);
  const unsigned start = 31 - __clz(heads & (0xffffffffu >> (31 - lane)));
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffff, value, d);
    if (lane >= start + d) value += left;
  }
  out[i] = value | start << 16;
}

// Merrill and Garland: one pass; each block adds up what its predecessors have published.
__device__ unsigned long long partitions[8];  // status << 32 | value; 1 aggregate, 2 prefix
__device__ unsigned next_partition;
extern "C" __global__ void look_back(unsigned* out, const unsigned* in) {
  __shared__ unsigned part, before;
  if (threadIdx.x == 0) part = atomicAdd(&next_partition, 1);
  __syncthreads();
  const unsigned i = part * blockDim.x + threadIdx.x;
  const unsigned sum = block_scan(in[i]);
  if (threadIdx.x == blockDim.x - 1) {
    atomicExch(&partitions[part], (part ? 1ull : 2ull) << 32 | sum);
    unsigned exclusive = 0;
    for (int p = static_cast<int>(part) - 1; p >= 0;) {
      const unsigned long long state = atomicAdd(&partitions[p], 0ull);
      const unsigned status = static_cast<unsigned>(state >> 32);
      if (status == 0) continue;
      exclusive += static_cast<unsigned>(state);
      if (status == 2) break;
      --p;
    }
    if (part) atomicExch(&partitions[part], 2ull << 32 | (exclusive + sum));
    before = exclusive;
  }
  __syncthreads();
  out[i] = before + sum;
}

extern "C" __global__ void compact_by_ballot(unsigned* out, const unsigned* in) {
  __shared__ unsigned offsets[8], total;
  const unsigned t = threadIdx.x, lane = t & 31, warp = t / 32;
  const unsigned value = in[blockIdx.x * 256 + t];
  const bool keep = value % 3 == 0;
  const unsigned votes = __ballot_sync(0xffffffff, keep);
  if (lane == 0) offsets[warp] = __popc(votes);
  __syncthreads();
  if (t == 0) {
    unsigned sum = 0;
    for (unsigned& offset : offsets) {
      const unsigned count = offset;
      offset = sum;
      sum += count;
    }
    total = sum;
  }
  __syncthreads();
  const unsigned rank = offsets[warp] + __popc(votes & ((1u << lane) - 1));
  const unsigned place = keep ? rank : total + t - rank;
  out[blockIdx.x * 256 + place] = value;
}

template <typename T, typename Op>
__device__ T inclusive(T* shared, T value, Op op) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d <<= 1) {
    T left = value;
    if (threadIdx.x >= d) left = shared[threadIdx.x - d];
    __syncthreads();
    if (threadIdx.x >= d) shared[threadIdx.x] = value = op(left, value);
    __syncthreads();
  }
  return value;
}
extern "C" __global__ void scan_maximum(unsigned* out, const unsigned* in) {
  __shared__ int ints[256];
  __shared__ double doubles[256];
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  const int top = inclusive(ints, static_cast<int>(in[i]) / static_cast<int>(threadIdx.x + 1),
                            [](int a, int b) { return a > b ? a : b; });
  const double product =
      inclusive(doubles, 1 + in[i] * 0x1p-34, [](double a, double b) { return a * b; });
  out[i] = static_cast<unsigned>(top) ^ static_cast<unsigned>(__double_as_longlong(product) >> 13);
}

extern "C" __global__ void run_lengths(unsigned* out, const unsigned* in) {
  const unsigned t = threadIdx.x;
  const unsigned value = in[t] & 1;
  const bool head = t == 0 || (in[t - 1] & 1) != value;
  const unsigned run = block_scan(head);
  __shared__ unsigned lengths[513];
  lengths[t] = 0;
  if (t == 0) lengths[512] = 0;
  __syncthreads();
  atomicAdd(&lengths[run], 1u);
  __syncthreads();
  out[t] = lengths[t] * 2 + value;
  out[512 + t] = run;
}
