// SPDX-License-Identifier: Apache-2.0
// Sums of a block's elements, in seven steps from slow to fast, each coarsened in two ways.
//
//   1  interleaved: the threads that add are those whose index the stride divides; warps diverge
//   2  interleaved, by the first threads: no divergence, but bank conflicts
//   3  sequential: the upper half is added to the lower one
//   4  two elements per thread, added during the load
//   5  the last warp without barriers
//   6  unrolled: the number of threads is known when this is compiled
//   7  many elements per thread, few blocks
//
// An original block has `Size` threads; data[] has one element for each of them.
// Thread level (_threads): a block of Size / Factor threads does the work of one original block. Each
// thread does the work of Factor threads, blockDim.x apart. Block level (_blocks): a block of Size
// threads does the work of Factor original blocks, one after the other between barriers. With a
// Factor of 1 both are the original. The last warp uses __syncwarp, which the first cards did not
// need.
// `n` is a multiple of the elements per block, so loads need no bounds check.

template <typename Value>
__device__ Value* shared_values() {
  extern __shared__ unsigned char bytes[];
  return reinterpret_cast<Value*>(bytes);
}

// The original threads and blocks whose work this thread does: Threads = Factor at thread level,
// Blocks = Factor at block level, and the other is 1.
template <typename Value, int Size, int Threads, int Blocks>
struct Work {
  Value* data = shared_values<Value>();

  // Calls step(thread, values of its block, block) for each.
  template <typename Step>
  __device__ void each(Step step) const {
#pragma unroll
    for (int b = 0; b < Blocks; ++b) {
#pragma unroll
      for (int t = 0; t < Threads; ++t) {
        step(int(threadIdx.x + t * (Size / Threads)), data + b * Size,
             unsigned(blockIdx.x * Blocks + b));
      }
    }
  }

  __device__ void load(const Value* in) const {
    each([&](int t, Value* values, unsigned block) { values[t] = in[block * Size + t]; });
    __syncthreads();
  }

  // Two elements per thread, Size apart.
  __device__ void load_two(const Value* in) const {
    each([&](int t, Value* values, unsigned block) {
      const unsigned first = block * 2 * Size + t;
      values[t] = in[first] + in[first + Size];
    });
    __syncthreads();
  }

  __device__ void add_upper(int half) const {
    each([&](int t, Value* values, unsigned) {
      if (t < half) values[t] += values[t + half];
    });
    __syncthreads();
  }

  // One warp adds the remaining 64 values.
  __device__ void finish_with_warp(Value* partial) const {
    each([&](int t, Value* values, unsigned block) {
      if (t >= 32) return;
      Value sum = values[t];
#pragma unroll
      for (int half = 32; half > 0; half /= 2) {
        sum += values[t + half];
        __syncwarp();
        values[t] = sum;
        __syncwarp();
      }
      if (t == 0) partial[block] = sum;
    });
  }

  __device__ void write(Value* partial) const {
    each([&](int t, Value* values, unsigned block) {
      if (t == 0) partial[block] = values[0];
    });
  }

  __device__ void add_unrolled() const {
    if (Size >= 512) add_upper(256);
    if (Size >= 256) add_upper(128);
    if (Size >= 128) add_upper(64);
  }
};

template <typename W, typename Value>
__device__ void reduce1(W work, Value* partial, const Value* in, int size) {
  work.load(in);
  for (int stride = 1; stride < size; stride *= 2) {
    work.each([&](int t, Value* values, unsigned) {
      if (t % (2 * stride) == 0) values[t] += values[t + stride];
    });
    __syncthreads();
  }
  work.write(partial);
}

template <typename W, typename Value>
__device__ void reduce2(W work, Value* partial, const Value* in, int size) {
  work.load(in);
  for (int stride = 1; stride < size; stride *= 2) {
    work.each([&](int t, Value* values, unsigned) {
      const int first = 2 * stride * t;
      if (first < size) values[first] += values[first + stride];
    });
    __syncthreads();
  }
  work.write(partial);
}

template <typename W, typename Value>
__device__ void reduce3(W work, Value* partial, const Value* in, int size) {
  work.load(in);
  for (int half = size / 2; half > 0; half /= 2) work.add_upper(half);
  work.write(partial);
}

template <typename W, typename Value>
__device__ void reduce4(W work, Value* partial, const Value* in, int size) {
  work.load_two(in);
  for (int half = size / 2; half > 0; half /= 2) work.add_upper(half);
  work.write(partial);
}

template <typename W, typename Value>
__device__ void reduce5(W work, Value* partial, const Value* in, int size) {
  work.load_two(in);
  for (int half = size / 2; half > 32; half /= 2) work.add_upper(half);
  work.finish_with_warp(partial);
}

template <typename W, typename Value>
__device__ void reduce6(W work, Value* partial, const Value* in) {
  work.load_two(in);
  work.add_unrolled();
  work.finish_with_warp(partial);
}

// `blocks` is the number of original blocks; each adds every blocks-th pair of pieces.
template <typename W, typename Value, int Size>
__device__ void reduce7(W work, Value* partial, const Value* in, unsigned n, unsigned blocks) {
  work.each([&](int t, Value* values, unsigned block) {
    Value sum = 0;
    for (unsigned i = block * 2 * Size + t; i < n; i += blocks * 2 * Size) {
      sum += in[i] + in[i + Size];
    }
    values[t] = sum;
  });
  __syncthreads();
  work.add_unrolled();
  work.finish_with_warp(partial);
}

template <typename Value, int Size, int Factor>
using ThreadLevel = Work<Value, Size, Factor, 1>;
template <typename Value, int Size, int Factor>
using BlockLevel = Work<Value, Size, 1, Factor>;

// Kernels 1 to 5 read the number of threads from the launch; in 6 and 7 it is a constant.

template <typename Value, int Size, int Factor>
__global__ void reduce1_threads(Value* partial, const Value* in, unsigned) {
  reduce1(ThreadLevel<Value, Size, Factor>(), partial, in, int(blockDim.x) * Factor);
}

template <typename Value, int Size, int Factor>
__global__ void reduce1_blocks(Value* partial, const Value* in, unsigned) {
  reduce1(BlockLevel<Value, Size, Factor>(), partial, in, int(blockDim.x));
}

template <typename Value, int Size, int Factor>
__global__ void reduce2_threads(Value* partial, const Value* in, unsigned) {
  reduce2(ThreadLevel<Value, Size, Factor>(), partial, in, int(blockDim.x) * Factor);
}

template <typename Value, int Size, int Factor>
__global__ void reduce2_blocks(Value* partial, const Value* in, unsigned) {
  reduce2(BlockLevel<Value, Size, Factor>(), partial, in, int(blockDim.x));
}

template <typename Value, int Size, int Factor>
__global__ void reduce3_threads(Value* partial, const Value* in, unsigned) {
  reduce3(ThreadLevel<Value, Size, Factor>(), partial, in, int(blockDim.x) * Factor);
}

template <typename Value, int Size, int Factor>
__global__ void reduce3_blocks(Value* partial, const Value* in, unsigned) {
  reduce3(BlockLevel<Value, Size, Factor>(), partial, in, int(blockDim.x));
}

template <typename Value, int Size, int Factor>
__global__ void reduce4_threads(Value* partial, const Value* in, unsigned) {
  reduce4(ThreadLevel<Value, Size, Factor>(), partial, in, int(blockDim.x) * Factor);
}

template <typename Value, int Size, int Factor>
__global__ void reduce4_blocks(Value* partial, const Value* in, unsigned) {
  reduce4(BlockLevel<Value, Size, Factor>(), partial, in, int(blockDim.x));
}

template <typename Value, int Size, int Factor>
__global__ void reduce5_threads(Value* partial, const Value* in, unsigned) {
  reduce5(ThreadLevel<Value, Size, Factor>(), partial, in, int(blockDim.x) * Factor);
}

template <typename Value, int Size, int Factor>
__global__ void reduce5_blocks(Value* partial, const Value* in, unsigned) {
  reduce5(BlockLevel<Value, Size, Factor>(), partial, in, int(blockDim.x));
}

template <typename Value, int Size, int Factor>
__global__ void reduce6_threads(Value* partial, const Value* in, unsigned) {
  reduce6(ThreadLevel<Value, Size, Factor>(), partial, in);
}

template <typename Value, int Size, int Factor>
__global__ void reduce6_blocks(Value* partial, const Value* in, unsigned) {
  reduce6(BlockLevel<Value, Size, Factor>(), partial, in);
}

template <typename Value, int Size, int Factor>
__global__ void reduce7_threads(Value* partial, const Value* in, unsigned n) {
  reduce7<ThreadLevel<Value, Size, Factor>, Value, Size>(ThreadLevel<Value, Size, Factor>(), partial, in, n, gridDim.x);
}

template <typename Value, int Size, int Factor>
__global__ void reduce7_blocks(Value* partial, const Value* in, unsigned n) {
  reduce7<BlockLevel<Value, Size, Factor>, Value, Size>(BlockLevel<Value, Size, Factor>(), partial, in, n, gridDim.x * Factor);
}
