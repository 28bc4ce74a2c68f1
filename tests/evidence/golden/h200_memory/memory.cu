// SPDX-License-Identifier: Apache-2.0
// Measures a card's memory beyond L1, one part after the other. Prints CSV.
//
//     nvcc -arch=sm_90 -O3 -o memory memory.cu && ./memory > memory.csv
//     ncu --profile-from-start off ... ./memory traffic      # each kernel of the traffic part once
//
// Columns: part,case,size,value. Latencies are in clocks. Times are in microseconds: the median of
// 15 samples, each after a write of 256 MiB (clean: also after reads of them).
#include <cuda_profiler_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                                  \
  do {                                                               \
    const cudaError_t error = (call);                                \
    if (error != cudaSuccess) {                                      \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
      exit(1);                                                       \
    }                                                                \
  } while (0)

namespace functor {
#include "../../right/bank_conflicts/swizzled/functor.cu"
}
namespace sectors {
#include "../../right/bank_conflicts/swizzled/sectors_out_of_eight_rows.cu"
}

__device__ __host__ unsigned permuted(unsigned i, int bits) {
  const unsigned mask = bits < 32 ? (1U << bits) - 1 : ~0U;
  const int fold = (bits + 1) / 2;
  i = (i * 0x9e3779b1U + 0x7f4a7c15U) & mask;
  i ^= i >> fold;
  i = (i * 0x85ebca6bU) & mask;
  i ^= i >> fold;
  return (i * 0xc2b2ae35U) & mask;
}

// Reads the clock after `value` has arrived. `value` must not be -1.
__device__ long long clock_after(int value) {
  long long now;
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %1, -1; @p trap; mov.u64 %0, %%clock64; }"
               : "=l"(now)
               : "r"(value)
               : "memory");
  return now;
}

// A warp loads from `places` random granules of 64 bytes, one load at a time. Stores the clocks of
// each load.
__global__ void load_places(int* clocks, const int* in, int bits, int places, int steps, int seed) {
  extern __shared__ int took[];
  const int lane = threadIdx.x;
  int v = 0;
  for (int s = 0; s < steps; ++s) {
    const unsigned at =
        permuted(((blockIdx.x * steps + s) * 32 + lane % places + seed + v), bits) * 16 +
        lane / places % 16;
    const long long begin = clock_after(static_cast<int>(at));
    v = __ldcg(in + at);
    const long long end = clock_after(v);
    if (lane == 0) took[s] = static_cast<int>(end - begin);
  }
  if (blockIdx.x == 0 && lane == 0) {
    for (int s = 0; s < steps; ++s) clocks[s] = took[s];
  }
}

// `Loads` independent loads of random lines, 128 bytes per warp.
template <int Loads>
__global__ void load_lines(int* clocks, const int* in, int bits, int steps, int seed) {
  extern __shared__ int took[];
  const int lane = threadIdx.x;
  int v = 0;
  for (int s = 0; s < steps; ++s) {
    unsigned at[Loads];
    for (int k = 0; k < Loads; ++k)
      at[k] = permuted((blockIdx.x * steps + s) * Loads + k + seed + v, bits) * 32 + lane;
    int last = 0;
    for (int k = 0; k < Loads; ++k) last |= static_cast<int>(at[k]);
    const long long begin = clock_after(last);
    int w[Loads];
#pragma unroll
    for (int k = 0; k < Loads; ++k) w[k] = __ldcg(in + at[k]);
    v = 0;
#pragma unroll
    for (int k = 0; k < Loads; ++k) v |= w[k];
    const long long end = clock_after(v);
    if (lane == 0) took[s] = static_cast<int>(end - begin);
  }
  if (blockIdx.x == 0 && lane == 0) {
    for (int s = 0; s < steps; ++s) clocks[s] = took[s];
  }
}

__global__ void touch(int* out, const int4* in, size_t n) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  int v = 0;
  for (size_t k = i; k < n; k += gridDim.x * static_cast<size_t>(blockDim.x)) {
    const int4 w = __ldcg(in + k);
    v |= w.x | w.y | w.z | w.w;
  }
  if (v != 0) out[i] = v;
}

__global__ void overwrite(int4* out, size_t n, int v) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  for (size_t k = i; k < n; k += gridDim.x * static_cast<size_t>(blockDim.x))
    out[k] = make_int4(0, 0, 0, v & 0);
}

template <class T>
__global__ void shift(T* out, const T* in, int so, int lo) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i + so] = in[i + lo];
}

// Copies rows of one pitch to rows of another, in tiles of 32 x 32.
template <class T>
__global__ void rows(T* out, const T* in, int width, int height, int out_pitch, int in_pitch) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  T v[4];
#pragma unroll
  for (int j = 0; j < 4; ++j)
    if (x < width && y + 8 * j < height) v[j] = in[(y + 8 * j) * in_pitch + x];
#pragma unroll
  for (int j = 0; j < 4; ++j)
    if (x < width && y + 8 * j < height) out[(y + 8 * j) * out_pitch + x] = v[j];
}

// Writes only. If `across`, consecutive blocks go down a column.
__global__ void fill_rows(float* out, int width, int height, int pitch, bool across) {
  const int x = (across ? blockIdx.y : blockIdx.x) * 32 + threadIdx.x;
  const int y = (across ? blockIdx.x : blockIdx.y) * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) out[(y + j) * pitch + x] = 1.5F;
}

template <class T>
__global__ void turn(T* out, const T* in, int width, int height, int out_pitch, int in_pitch) {
  __shared__ T tile[32][32 + 4 / sizeof(T)];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * in_pitch + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width)
      out[(y + j) * out_pitch + x] = tile[threadIdx.x][threadIdx.y + j];
}

template <class T>
__global__ void gather(T* out, const T* in, int bits) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[permuted(i, bits)];
}
// Reads only: the store never happens.
__global__ void gather_only(float* out, const float* in, int bits) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = in[permuted(i, bits)];
  if (v == 123.0F) out[i] = v;
}
template <class T>
__global__ void scatter(T* out, int bits) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[permuted(i, bits)] = T{};
}
// Pieces of 2^piece words stay together.
__global__ void scatter_pieces(float* out, int bits, int piece) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[(permuted(i >> piece, bits - piece) << piece) + (i & ((1U << piece) - 1))] = 1.5F;
}
__global__ void gather_pieces_only(float* out, const float* in, int bits, int piece) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = in[(permuted(i >> piece, bits - piece) << piece) + (i & ((1U << piece) - 1))];
  if (v == 123.0F) out[i] = v;
}

// `times` passes over n int4, bypassing L1; 8 blocks per SM.
__global__ void loop(int* out, const int4* in, int n, int times) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  int v = 0;
  for (int t = 0; t < times; ++t) {
    for (int i = first; i < n; i += threads) {
      const int4 w = __ldcg(in + i);
      v += w.x + w.y + w.z + w.w + t;
    }
  }
  if (v == 123) out[first] = v;
}

// Each thread stores adjacent words, one at a time, with `Chain` multiply-adds in between.
template <int Words, int Chain>
__global__ void store_words(float* out, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = value + i;
#pragma unroll
  for (int k = 0; k < Words; ++k) {
    asm volatile("st.global.f32 [%0], %1;" ::"l"(out + i * Words + k), "f"(v) : "memory");
#pragma unroll
    for (int c = 0; c < Chain; ++c) v = v * 0.5F + 1;
  }
}

__global__ void empty() {}
__global__ void read_only(int* out, const int4* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int4 w = in[i];
  if ((w.x | w.y | w.z | w.w) == 123) out[i] = 1;
}

struct Bench {
  int4* flush;
  size_t flushed = (256 << 20) / 16;
  int* sink;
  cudaEvent_t begin, end;
  bool is_traffic = false;
  Bench() {
    CHECK(cudaMalloc(&flush, flushed * 16));
    CHECK(cudaMalloc(&sink, 64 << 20));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
  }
  void make_dirty() { overwrite<<<1056, 256>>>(flush, flushed, 1); }
  void make_clean() {
    make_dirty();
    touch<<<1056, 256>>>(sink, flush, flushed);
    touch<<<1056, 256>>>(sink, flush, flushed);
  }
  template <class F>
  void time(const char* part, const std::string& name, long size, F launch, bool clean = false) {
    if (is_traffic) {
      clean ? make_clean() : make_dirty();
      CHECK(cudaDeviceSynchronize());
      cudaProfilerStart();
      launch();
      CHECK(cudaDeviceSynchronize());
      cudaProfilerStop();
      printf("%s,%s,%ld\n", part, name.c_str(), size);
      return;
    }
    std::vector<float> all;
    for (int s = 0; s < 17; ++s) {
      clean ? make_clean() : make_dirty();
      CHECK(cudaEventRecord(begin));
      launch();
      CHECK(cudaEventRecord(end));
      CHECK(cudaEventSynchronize(end));
      float ms = 0;
      CHECK(cudaEventElapsedTime(&ms, begin, end));
      if (s >= 2) all.push_back(ms * 1000);
    }
    CHECK(cudaGetLastError());
    std::sort(all.begin(), all.end());
    printf("%s,%s,%ld,%.3f\n", part, name.c_str(), size, all[all.size() / 2]);
    fflush(stdout);
  }
};

void print_clocks(const char* part, const std::string& name, long size, std::vector<int> clocks) {
  clocks.erase(clocks.begin(), clocks.begin() + 8);
  double sum = 0;
  for (int c : clocks) sum += c;
  std::sort(clocks.begin(), clocks.end());
  const auto n = clocks.size();
  printf("%s,%s mean,%ld,%.1f\n", part, name.c_str(), size, sum / n);
  for (int p : {1, 5, 25, 50, 75, 90, 95, 99})
    printf("%s,%s p%d,%ld,%d\n", part, name.c_str(), p, size, clocks[n * p / 100]);
  fflush(stdout);
}

int main(int argc, char** argv) {
  Bench bench;
  bench.is_traffic = argc > 1;
  const size_t most = size_t{2} << 30;
  char *a, *b;
  CHECK(cudaMalloc(&a, most));
  CHECK(cudaMalloc(&b, most));
  CHECK(cudaMemset(a, 0, most));
  CHECK(cudaMemset(b, 0, most));
  for (int s = 0; s < 3000; ++s) empty<<<1, 32>>>();
  for (int s = 0; s < 500; ++s) bench.make_dirty();
  CHECK(cudaDeviceSynchronize());
  const auto f = [](char* p) { return reinterpret_cast<float*>(p); };
  const auto i4 = [](char* p) { return reinterpret_cast<int4*>(p); };
  const auto ints = [](char* p) { return reinterpret_cast<int*>(p); };

  if (!bench.is_traffic) {
    // Latencies.
    const int steps = 1024;
    std::vector<int> clocks(steps);
    const auto fetch = [&] {
      CHECK(cudaMemcpy(clocks.data(), bench.sink, steps * 4, cudaMemcpyDeviceToHost));
    };
    for (int blocks : {1, 132}) {
      for (int places : {1, 2, 4, 8, 16, 32}) {
        bench.make_dirty();
        load_places<<<blocks, 32, steps * 4>>>(bench.sink, ints(a), 25, places, steps, 0);
        fetch();
        print_clocks("dram places", std::to_string(places), blocks, clocks);
      }
      const auto lines = [&](auto kernel, int loads) {
        bench.make_dirty();
        kernel<<<blocks, 32, steps * 4>>>(bench.sink, ints(a), 24, steps, 0);
        fetch();
        print_clocks("dram lines", std::to_string(loads), blocks, clocks);
      };
      lines(load_lines<1>, 1);
      lines(load_lines<4>, 4);
      lines(load_lines<16>, 16);
    }
    for (int places : {1, 2, 4, 8, 16, 32}) {
      for (int warm = 0; warm < 2; ++warm) {  // warm: the data is in this SM's half of L2
        bench.make_dirty();
        touch<<<1056, 256>>>(bench.sink + (1 << 20), i4(a), (4 << 20) / 16);
        if (warm)
          for (int s = 0; s < 8; ++s)
            load_places<<<1, 32, steps * 4>>>(bench.sink, ints(a), 16, places, steps, 0);
        load_places<<<1, 32, steps * 4>>>(bench.sink, ints(a), 16, places, steps, 0);
        fetch();
        print_clocks(warm ? "l2 places warm" : "l2 places", std::to_string(places), 1, clocks);
      }
    }
    {
      bench.make_dirty();
      touch<<<1056, 256>>>(bench.sink + (1 << 20), i4(a), (4 << 20) / 16);
      load_lines<16><<<1, 32, steps * 4>>>(bench.sink, ints(a), 15, steps, 0);
      fetch();
      print_clocks("l2 lines", "16", 1, clocks);
    }
    // Launches.
    for (int grid : {1, 132, 1056})
      bench.time("launch", "empty", grid, [&] { empty<<<grid, 256>>>(); });
    for (int grid : {1, 132, 1056})
      bench.time(
          "launch", "empty clean", grid, [&] { empty<<<grid, 256>>>(); }, true);
    for (long mb : {1, 4, 16, 64, 256}) {
      const auto run = [&] { read_only<<<mb << 8, 256>>>(bench.sink, i4(a)); };
      bench.time("launch", "read dirty", mb, run);
      bench.time("launch", "read clean", mb, run, true);
      bench.time("launch", "copy dirty", mb,
                 [&] { shift<int4><<<mb << 8, 256>>>(i4(b), i4(a), 0, 0); });
      bench.time(
          "launch", "copy clean", mb, [&] { shift<int4><<<mb << 8, 256>>>(i4(b), i4(a), 0, 0); },
          true);
    }
    // Offsets of stores and loads.
    for (int o : {0, 1, 2, 4, 8, 16, 24, 31}) {
      bench.time("offset", "store", o, [&] { shift<float><<<1 << 18, 256>>>(f(b), f(a), o, 0); });
      bench.time("offset", "load", o, [&] { shift<float><<<1 << 18, 256>>>(f(b), f(a), 0, o); });
      bench.time("offset", "store short", o, [&] {
        shift<short>
            <<<1 << 18, 256>>>(reinterpret_cast<short*>(b), reinterpret_cast<short*>(a), o, 0);
      });
      bench.time("offset", "store double", o, [&] {
        shift<double>
            <<<1 << 17, 256>>>(reinterpret_cast<double*>(b), reinterpret_cast<double*>(a), o, 0);
      });
    }
    const dim3 grid(256, 256), block(32, 8);
    for (int p : {8192, 8193, 8194, 8196, 8200, 8208, 8216, 8224}) {
      bench.time("pitch", "rows both", p,
                 [&] { rows<float><<<grid, block>>>(f(b), f(a), 8192, 8192, p, p); });
      bench.time("pitch", "rows out", p,
                 [&] { rows<float><<<grid, block>>>(f(b), f(a), 8192, 8192, p, 8224); });
      bench.time("pitch", "rows in", p,
                 [&] { rows<float><<<grid, block>>>(f(b), f(a), 8192, 8192, 8224, p); });
      bench.time("pitch", "turn both", p,
                 [&] { turn<float><<<grid, block>>>(f(b), f(a), 8192, 8192, p, p); });
      bench.time("pitch", "turn out", p,
                 [&] { turn<float><<<grid, block>>>(f(b), f(a), 8192, 8192, p, 8224); });
      bench.time("pitch", "turn in", p,
                 [&] { turn<float><<<grid, block>>>(f(b), f(a), 8192, 8192, 8224, p); });
      bench.time("pitch", "turn char both", p,
                 [&] { turn<char><<<grid, block>>>(b, a, 8192, 8192, p, p); });
      bench.time("pitch", "turn char out", p,
                 [&] { turn<char><<<grid, block>>>(b, a, 8192, 8192, p, 8224); });
      bench.time("pitch", "fill", p,
                 [&] { fill_rows<<<grid, block>>>(f(b), 8192, 8192, p, false); });
      bench.time("pitch", "fill across", p,
                 [&] { fill_rows<<<grid, block>>>(f(b), 8192, 8192, p, true); });
      bench.time("pitch", "fill small", p,
                 [&] { fill_rows<<<dim3(256, 8), block>>>(f(b), 8192, 256, p, false); });
      bench.time("pitch", "rows char both", p,
                 [&] { rows<char><<<grid, block>>>(b, a, 8192, 8192, p, p); });
    }
    for (int p : {8192, 8193, 8200, 8224}) {
      const dim3 g((p + 31) / 32, (p + 31) / 32);
      bench.time("swizzled", "functor", p,
                 [&] { functor::transpose<<<g, block>>>(f(b), f(a), p, p); });
      bench.time("swizzled", "sectors_out_of_eight_rows", p,
                 [&] { sectors::transpose<<<g, block>>>(f(b), f(a), p, p); });
      bench.time("swizzled", "copy", p,
                 [&] { cudaMemcpyAsync(b, a, size_t{4} * p * p, cudaMemcpyDeviceToDevice); });
    }
  }
  // These also run in traffic mode.
  for (int bits : {21, 22, 23, 24, 25, 26, 28}) {
    if (bench.is_traffic && bits == 28) continue;
    const unsigned g = 1U << (bits - 8);
    bench.time("random", "gather 4", 4L << bits,
               [&] { gather<float><<<g, 256>>>(f(b), f(a), bits); });
    bench.time("random", "gather only 4", 4L << bits,
               [&] { gather_only<<<g, 256>>>(f(b), f(a), bits); });
    bench.time("random", "scatter 4", 4L << bits, [&] { scatter<float><<<g, 256>>>(f(b), bits); });
    bench.time("random", "scatter 16", 4L << bits,
               [&] { scatter<float4><<<g / 4, 256>>>(reinterpret_cast<float4*>(b), bits - 2); });
    bench.time("random", "scatter 32", 4L << bits,
               [&] { scatter_pieces<<<g, 256>>>(f(b), bits, 3); });
    bench.time("random", "scatter 64", 4L << bits,
               [&] { scatter_pieces<<<g, 256>>>(f(b), bits, 4); });
    bench.time("random", "scatter 128", 4L << bits,
               [&] { scatter_pieces<<<g, 256>>>(f(b), bits, 5); });
    bench.time("random", "gather only 32", 4L << bits,
               [&] { gather_pieces_only<<<g, 256>>>(f(b), f(a), bits, 3); });
    bench.time("random", "gather only 64", 4L << bits,
               [&] { gather_pieces_only<<<g, 256>>>(f(b), f(a), bits, 4); });
    bench.time("random", "gather only 128", 4L << bits,
               [&] { gather_pieces_only<<<g, 256>>>(f(b), f(a), bits, 5); });
  }
  for (long mb : {8, 16, 24, 28, 32, 36, 40, 48, 56, 64, 80, 128}) {
    bench.time("loop", "2 passes", mb,
               [&] { loop<<<1056, 256>>>(bench.sink, i4(a), mb << 16, 2); });
    bench.time("loop", "10 passes", mb,
               [&] { loop<<<1056, 256>>>(bench.sink, i4(a), mb << 16, 10); });
  }
  const unsigned g = 1U << 16;
  bench.time("merge", "2 words", 0, [&] { store_words<2, 0><<<g, 256>>>(f(b), 1); });
  bench.time("merge", "3 words", 0, [&] { store_words<3, 0><<<g, 256>>>(f(b), 1); });
  bench.time("merge", "4 words", 0, [&] { store_words<4, 0><<<g, 256>>>(f(b), 1); });
  bench.time("merge", "8 words", 0, [&] { store_words<8, 0><<<g, 256>>>(f(b), 1); });
  bench.time("merge", "16 words", 0, [&] { store_words<16, 0><<<g, 256>>>(f(b), 1); });
  bench.time("merge", "3 words", 4, [&] { store_words<3, 4><<<g, 256>>>(f(b), 1); });
  bench.time("merge", "3 words", 16, [&] { store_words<3, 16><<<g, 256>>>(f(b), 1); });
  bench.time("merge", "3 words", 64, [&] { store_words<3, 64><<<g, 256>>>(f(b), 1); });
  bench.time("merge", "8 words", 16, [&] { store_words<8, 16><<<g, 256>>>(f(b), 1); });
  if (bench.is_traffic) {
    const dim3 grid(256, 256), block(32, 8);
    for (int p : {8192, 8193, 8200}) {
      bench.time("pitch", "rows both", p,
                 [&] { rows<float><<<grid, block>>>(f(b), f(a), 8192, 8192, p, p); });
      bench.time("pitch", "turn both", p,
                 [&] { turn<float><<<grid, block>>>(f(b), f(a), 8192, 8192, p, p); });
      bench.time("pitch", "turn char both", p,
                 [&] { turn<char><<<grid, block>>>(b, a, 8192, 8192, p, p); });
      bench.time("swizzled", "functor", p,
                 [&] { functor::transpose<<<grid, block>>>(f(b), f(a), p, p); });
      bench.time("swizzled", "sectors_out_of_eight_rows", p,
                 [&] { sectors::transpose<<<grid, block>>>(f(b), f(a), p, p); });
    }
    for (int o : {0, 1})
      bench.time("offset", "store", o, [&] { shift<float><<<1 << 18, 256>>>(f(b), f(a), o, 0); });
    for (bool clean : {false, true})
      bench.time(
          "launch", clean ? "read clean" : "read dirty", 256,
          [&] { read_only<<<256 << 8, 256>>>(bench.sink, i4(a)); }, clean);
  }
  return 0;
}
