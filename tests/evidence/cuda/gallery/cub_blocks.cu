// SPDX-License-Identifier: Apache-2.0
// CUB's block and warp primitives.
//
// launch: block_reduce grid 4 block 128
// launch: block_scan grid 4 block 128
// launch: block_radix_sort grid 2 block 64
// launch: warp_primitives grid 4 block 64
// launch: block_load_store grid 2 block 64
// launch: block_histogram grid 2 block 128
// launch: block_exchange grid 2 block 64
// launch: block_discontinuity grid 2 block 128
// launch: merge_sort grid 2 block 64
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

extern "C" __global__ void block_reduce(unsigned* out, const unsigned* in) {
  using Reduce = cub::BlockReduce<unsigned, 128>;
  using Ordered = cub::BlockReduce<float, 128, cub::BLOCK_REDUCE_RAKING>;
  __shared__ union {
    Reduce::TempStorage a;
    Ordered::TempStorage b;
  } temp;
  const unsigned x = in[blockIdx.x * 128 + threadIdx.x];
  const unsigned sum = Reduce(temp.a).Sum(x);
  __syncthreads();
  const float total = Ordered(temp.b).Sum(x * 0.25f);
  __syncthreads();
  const unsigned most = Reduce(temp.a).Reduce(
      x, [](unsigned a, unsigned b) { return a > b ? a : b; }, 100);
  if (threadIdx.x == 0)
    out[3 * blockIdx.x] = sum, out[3 * blockIdx.x + 1] = __float_as_uint(total),
            out[3 * blockIdx.x + 2] = most;
}
extern "C" __global__ void block_scan(unsigned* out, const unsigned* in) {
  using Scan = cub::BlockScan<unsigned, 128>;
  __shared__ Scan::TempStorage temp;
  unsigned items[2] = {in[blockIdx.x * 256 + 2 * threadIdx.x],
                       in[blockIdx.x * 256 + 2 * threadIdx.x + 1]},
           total;
  Scan(temp).ExclusiveSum(items, items, total);
  __syncthreads();
  unsigned one = in[threadIdx.x];
  Scan(temp).InclusiveSum(one, one);
  out[blockIdx.x * 256 + 2 * threadIdx.x] = items[0] + one;
  out[blockIdx.x * 256 + 2 * threadIdx.x + 1] = items[1] + total;
}
extern "C" __global__ void block_radix_sort(unsigned* out, const unsigned* in) {
  using Sort = cub::BlockRadixSort<int, 64, 4, unsigned short>;
  __shared__ Sort::TempStorage temp;
  int keys[4];
  unsigned short values[4];
  for (int k = 0; k < 4; ++k) {
    keys[k] = static_cast<int>(in[blockIdx.x * 256 + threadIdx.x * 4 + k]);
    values[k] = static_cast<unsigned short>(threadIdx.x * 4 + k);
  }
  Sort(temp).Sort(keys, values);
  for (int k = 0; k < 4; ++k)
    out[blockIdx.x * 256 + threadIdx.x * 4 + k] =
        static_cast<unsigned>(keys[k]) / 1000 * 1000 + values[k];
}
extern "C" __global__ void warp_primitives(unsigned* out, const unsigned* in) {
  using Reduce = cub::WarpReduce<float>;
  using Scan = cub::WarpScan<int, 16>;
  __shared__ Reduce::TempStorage a[2];
  __shared__ Scan::TempStorage b[4];
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const float sum = Reduce(a[threadIdx.x / 32]).Sum(in[i] * 0.5f);
  int scanned;
  Scan(b[threadIdx.x / 16]).InclusiveSum(static_cast<int>(in[i]), scanned);
  out[i] = (threadIdx.x % 32 == 0 ? __float_as_uint(sum) : 0u) ^ static_cast<unsigned>(scanned);
}
extern "C" __global__ void block_load_store(unsigned* out, const unsigned* in) {
  using Load = cub::BlockLoad<unsigned, 64, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<unsigned, 64, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    Load::TempStorage a;
    Store::TempStorage b;
  } temp;
  unsigned items[4];
  Load(temp.a).Load(in + blockIdx.x * 256, items, 250, 7u);
  __syncthreads();
  for (int k = 1; k < 4; ++k) items[k] += items[k - 1] * 3;
  Store(temp.b).Store(out + blockIdx.x * 256, items, 240);
}
extern "C" __global__ void block_histogram(unsigned* out, const unsigned* in) {
  using Histogram = cub::BlockHistogram<unsigned char, 128, 2, 64>;
  using Atomic = cub::BlockHistogram<unsigned char, 128, 2, 64, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ union {
    Histogram::TempStorage a;
    Atomic::TempStorage b;
  } temp;
  __shared__ unsigned bins[64], others[64];
  unsigned char items[2] = {
      static_cast<unsigned char>(in[blockIdx.x * 256 + threadIdx.x] & 63),
      static_cast<unsigned char>(in[blockIdx.x * 256 + threadIdx.x + 128] >> 9 & 63)};
  unsigned char same[2] = {items[0], items[1]};
  Histogram(temp.a).Histogram(items, bins);
  __syncthreads();
  Atomic(temp.b).Histogram(same, others);
  __syncthreads();
  if (threadIdx.x < 64)
    out[blockIdx.x * 64 + threadIdx.x] = bins[threadIdx.x] * 1000 + others[threadIdx.x];
}
extern "C" __global__ void block_exchange(unsigned* out, const unsigned* in) {
  using Exchange = cub::BlockExchange<unsigned, 64, 4>;
  __shared__ Exchange::TempStorage temp;
  unsigned items[4];
  for (int k = 0; k < 4; ++k) items[k] = in[blockIdx.x * 256 + k * 64 + threadIdx.x];
  Exchange(temp).StripedToBlocked(items, items);
  for (int k = 1; k < 4; ++k) items[k] ^= items[k - 1];
  __syncthreads();
  Exchange(temp).BlockedToStriped(items, items);
  for (int k = 0; k < 4; ++k) out[blockIdx.x * 256 + k * 64 + threadIdx.x] = items[k];
}
extern "C" __global__ void block_discontinuity(unsigned* out, const unsigned* in) {
  using Discontinuity = cub::BlockDiscontinuity<int, 128>;
  __shared__ Discontinuity::TempStorage temp;
  int items[2] = {static_cast<int>(in[threadIdx.x * 2] & 1),
                  static_cast<int>(in[threadIdx.x * 2 + 1] & 1)},
      heads[2], tails[2];
  Discontinuity(temp).FlagHeadsAndTails(heads, tails, items, [](int a, int b) { return a != b; });
  out[blockIdx.x * 128 + threadIdx.x] = heads[0] + heads[1] * 2 + tails[0] * 4 + tails[1] * 8;
}
struct Less {
  __device__ bool operator()(unsigned a, unsigned b) const { return a < b; }
};
extern "C" __global__ void merge_sort(unsigned* out, const unsigned* in) {
  using Sort = cub::BlockMergeSort<unsigned, 64, 4>;
  __shared__ Sort::TempStorage temp;
  unsigned keys[4];
  for (int k = 0; k < 4; ++k) keys[k] = in[blockIdx.x * 256 + threadIdx.x * 4 + k];
  Sort(temp).Sort(keys, Less());
  for (int k = 0; k < 4; ++k) out[blockIdx.x * 256 + threadIdx.x * 4 + k] = keys[k];
}
