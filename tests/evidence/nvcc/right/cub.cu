// SPDX-License-Identifier: Apache-2.0
// Blocks and warps of CUB. corpus.py describes the parts.

//--- cub_block_discontinuity
// cub::BlockDiscontinuity that flags the heads of runs.
// launch: --kernel heads --grid 1 --block 64 --arg in:i32:64:iota --arg out:i32:64
#include <cub/block/block_discontinuity.cuh>
struct Unequal {
  __device__ bool operator()(int a, int b) const { return a != b; }
};
__global__ void heads(const int* in, int* out) {
  using Runs = cub::BlockDiscontinuity<int, 64>;
  __shared__ typename Runs::TempStorage storage;
  int items[1] = {in[threadIdx.x] / 5}, flags[1];
  Runs(storage).FlagHeads(flags, items, Unequal{});
  out[threadIdx.x] = flags[0];
}

//--- cub_block_histogram
// cub::BlockHistogram with atomics.
// launch: --kernel counts --grid 1 --block 64 --arg in:u8:256:iota --arg out:u32:256
#include <cub/block/block_histogram.cuh>
__global__ void counts(const unsigned char* in, unsigned* out) {
  using Histogram = cub::BlockHistogram<unsigned char, 64, 4, 256, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ unsigned bins[256];
  unsigned char items[4];
  for (int i = 0; i < 4; ++i) items[i] = in[4 * threadIdx.x + i] / 3;
  Histogram(storage).Histogram(items, bins);
  __syncthreads();
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = bins[4 * threadIdx.x + i];
}

//--- cub_block_load_store
// cub::BlockLoad with a transpose, and cub::BlockStore without one.
// launch: --kernel copies --grid 1 --block 32 --arg in:i32:128:iota --arg out:i32:128
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>
__global__ void copies(const int* in, int* out) {
  using Load = cub::BlockLoad<int, 32, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, 32, 4, cub::BLOCK_STORE_DIRECT>;
  __shared__ typename Load::TempStorage loads;
  __shared__ typename Store::TempStorage stores;
  int items[4];
  Load(loads).Load(in, items);
  for (int i = 0; i < 4; ++i) items[i] = items[i] * 10 + i;
  Store(stores).Store(out, items);
}

//--- cub_block_radix_sort
// cub::BlockRadixSort of four keys per thread.
// launch: --kernel sorts --grid 1 --block 32 --arg in:u32:128:iota --arg out:u32:128
#include <cub/block/block_radix_sort.cuh>
__global__ void sorts(const unsigned* in, unsigned* out) {
  using Sort = cub::BlockRadixSort<unsigned, 32, 4>;
  __shared__ typename Sort::TempStorage storage;
  unsigned keys[4];
  for (int i = 0; i < 4; ++i) keys[i] = in[4 * threadIdx.x + i] * 2654435761u >> 20;
  Sort(storage).Sort(keys);
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = keys[i];
}

//--- cub_block_reduce
// cub::BlockReduce with a sum and a maximum.
// launch: --kernel sums --grid 2 --block 128 --arg in:i32:256:iota --arg out:i32:4
#include <cub/block/block_reduce.cuh>
struct Larger {
  __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
__global__ void sums(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const int x = in[blockIdx.x * 128 + threadIdx.x];
  const int sum = Reduce(storage).Sum(x);
  __syncthreads();
  const int largest = Reduce(storage).Reduce(x * 37 % 101, Larger{});
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = sum;
    out[2 * blockIdx.x + 1] = largest;
  }
}

//--- cub_block_scan
// cub::BlockScan, exclusive and inclusive.
// launch: --kernel scans --grid 1 --block 64 --arg in:i32:64:iota --arg out:i32:128
#include <cub/block/block_scan.cuh>
__global__ void scans(const int* in, int* out) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ typename Scan::TempStorage storage;
  int before, upto;
  Scan(storage).ExclusiveSum(in[threadIdx.x], before);
  __syncthreads();
  Scan(storage).InclusiveSum(in[threadIdx.x], upto);
  out[threadIdx.x] = before;
  out[64 + threadIdx.x] = upto;
}

//--- cub_shuffle_helpers
// cub::ShuffleUp and ThreadLoad.
// launch: --kernel lanes --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cub/thread/thread_load.cuh>
#include <cub/util_ptx.cuh>
__global__ void lanes(int* in, int* out) {
  const int x = cub::ThreadLoad<cub::LOAD_CG>(in + threadIdx.x);
  out[threadIdx.x] = cub::ShuffleUp<32>(x, 3, 0, 0xffffffffu) * 100 + threadIdx.x;
}

//--- cub_warp_merge_sort
// cub::WarpMergeSort of two keys per lane.
// launch: --kernel sorts --grid 1 --block 32 --arg in:i32:64:iota --arg out:i32:64
#include <cub/warp/warp_merge_sort.cuh>
struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};
__global__ void sorts(const int* in, int* out) {
  using Sort = cub::WarpMergeSort<int, 2, 32>;
  __shared__ typename Sort::TempStorage storage;
  int keys[2] = {in[2 * threadIdx.x] * 29 % 64, in[2 * threadIdx.x + 1] * 29 % 64};
  Sort(storage).Sort(keys, Less{});
  out[2 * threadIdx.x] = keys[0];
  out[2 * threadIdx.x + 1] = keys[1];
}

//--- cub_warp_reduce
// cub::WarpReduce in each warp of a block.
// launch: --kernel sums --grid 1 --block 64 --arg in:f32:64:iota --arg out:f32:2
#include <cub/warp/warp_reduce.cuh>
__global__ void sums(const float* in, float* out) {
  using Reduce = cub::WarpReduce<float>;
  __shared__ typename Reduce::TempStorage storage[2];
  const float sum = Reduce(storage[threadIdx.x / 32]).Sum(in[threadIdx.x] * 0.5f);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}

//--- cub_warp_scan
// cub::WarpScan of 16 lanes.
// launch: --kernel scans --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cub/warp/warp_scan.cuh>
__global__ void scans(const int* in, int* out) {
  using Scan = cub::WarpScan<int, 16>;
  __shared__ typename Scan::TempStorage storage[2];
  int sum;
  Scan(storage[threadIdx.x / 16]).InclusiveSum(in[threadIdx.x], sum);
  out[threadIdx.x] = sum;
}
