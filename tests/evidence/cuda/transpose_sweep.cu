// SPDX-License-Identifier: Apache-2.0
// Compares transposes of 16384 x 16384 floats with cudaMemcpy. Varied are the tile, the order of
// tiles, the cache hints and the amount of shared memory. All kernels access 16 bytes at a time and
// transpose squares of 4 x 4 floats in registers.
//
// `block` launches one block per tile; the hardware keeps their order. `ring` launches a few
// blocks per SM that loop, each with a ring of tiles filled by cp.async. A block's next tile is
// one grid further, or comes from a ticket counter. Order: along the rows of `in` or down its
// columns, in panels of a few adjacent tiles, or in bands that cover part of a row or column.
// `shared`: percentage of the SM's memory requested as shared memory; -1 leaves it to the
// driver. Each figure is the median of 15 samples, interleaved with cudaMemcpy. Every result is
// checked.
//   nvcc -O3 -arch=sm_90 -std=c++17 -o transpose_sweep transpose_sweep.cu
//   ./transpose_sweep > transpose_sweep.csv
#include "bench.h"

static const int kSide = 16384;
static const int kSamples = 15;

enum Hint { kNone, kStreamingLoads, kStreamingStores, kStreamingBoth, kAhead };
static const char* kHints[] = {"none", "ldcs", "stcs", "ldcs+stcs",
                               "prefetch next tile of the row"};

struct Place {
  int x, y;
};

// The block's tile. The grid is (along / bands * Panel, across / Panel, bands).
template <bool Rows, int Panel>
__device__ Place place() {
  const int along = blockIdx.z * (gridDim.x / Panel) + blockIdx.x / Panel;
  const int across = blockIdx.y * Panel + blockIdx.x % Panel;
  return Rows ? Place{along, across} : Place{across, along};
}

// Row `column` of the transposed square: that column's float of each row.
__device__ float4 turned(const float4 (&rows)[4], int column) {
  const auto pick = [&](const float4& v) {
    return column == 0 ? v.x : column == 1 ? v.y : column == 2 ? v.z : v.w;
  };
  return make_float4(pick(rows[0]), pick(rows[1]), pick(rows[2]), pick(rows[3]));
}

template <int Columns, int Rows, int Threads, int Blocks, int Hints, bool AlongRows, int Panel>
__global__ void __launch_bounds__(Threads, Blocks) block(float4* out, const float4* in, int words) {
  constexpr int kX = Columns / 4, kY = Rows / 4, kSquares = kX * kY / Threads;
  extern __shared__ float4 tile[];  // Columns rows of kY float4
  const Place at = place<AlongRows, Panel>();
  float4 rows[kSquares][4];
#pragma unroll
  for (int j = 0; j < kSquares; ++j) {
    const int square = threadIdx.x + j * Threads, x = square % kX, y = square / kX;
    const float4* from = in + (at.y * Rows + y * 4) * words + at.x * kX + x;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      constexpr bool kStreaming = Hints == kStreamingLoads || Hints == kStreamingBoth;
      rows[j][k] = kStreaming ? __ldcs(from + k * words) : from[k * words];
    }
  }
  if (Hints == kAhead && at.x % 2 == 0) {
    for (int i = threadIdx.x; i < Rows * kX / 8; i += Threads) {
      const float4* line =
          in + (at.y * Rows + i / (kX / 8)) * words + (at.x + 1) * kX + i % (kX / 8) * 8;
      asm volatile("prefetch.global.L2 [%0];" ::"l"(line));
    }
  }
#pragma unroll
  for (int j = 0; j < kSquares; ++j) {
    const int square = threadIdx.x + j * Threads, x = square % kX, y = square / kX;
#pragma unroll
    for (int k = 0; k < 4; ++k) tile[(x * 4 + k) * kY + (y ^ (x % 8))] = turned(rows[j], k);
  }
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 4 * kSquares; ++j) {
    const int word = threadIdx.x + j * Threads, y = word % kY, c = word / kY;
    float4* to = out + (at.x * Columns + c) * words + at.y * kY + y;
    const float4 value = tile[c * kY + (y ^ (c / 4 % 8))];
    if (Hints == kStreamingStores || Hints == kStreamingBoth) {
      __stcs(to, value);
    } else {
      *to = value;
    }
  }
}

__device__ void copy_16_bytes(float4* shared, const float4* global) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(shared)),
      "l"(global));
}

// Walks down the columns of `in`. `counters` (tickets, finished blocks) start and end at zero.
template <int Columns, int Rows, int Threads, int Stages, bool Tickets>
__global__ void __launch_bounds__(Threads)
    ring(float4* out, const float4* in, int words, unsigned* counters) {
  constexpr int kX = Columns / 4, kY = Rows / 4, kWords = Rows * kX;
  extern __shared__ float4 tiles[];  // Stages tiles: Rows rows of kX float4 each
  __shared__ unsigned ticket[2 * Stages];
  const unsigned down = words * 4 / Rows, count = down * (words * 4 / Columns);
  unsigned drawn = 0;  // only thread 0 uses it
  const auto draw = [&] {
    return Tickets ? atomicAdd(counters, 1u) : blockIdx.x + drawn++ * gridDim.x;
  };
  const auto fetch = [&](unsigned n) {
    const unsigned i = ticket[n % (2 * Stages)];
    for (int word = threadIdx.x; i < count && word < kWords; word += Threads) {
      const int x = word % kX, row = word / kX;
      copy_16_bytes(&tiles[n % Stages * kWords + row * kX + (x ^ (row / 4 % 8))],
                    in + (i % down * Rows + row) * words + i / down * kX + x);
    }
    asm volatile("cp.async.commit_group;");
  };
  if (threadIdx.x == 0) {
    for (int s = 0; s < Stages; ++s) ticket[s] = draw();
  }
  __syncthreads();
  for (int s = 0; s < Stages - 1; ++s) fetch(s);
  for (unsigned n = 0; ticket[n % (2 * Stages)] < count; ++n) {
    asm volatile("cp.async.wait_group %0;" ::"n"(Stages - 2) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) ticket[(n + Stages) % (2 * Stages)] = draw();
    fetch(n + Stages - 1);
    const unsigned i = ticket[n % (2 * Stages)];
    const float4* full = tiles + n % Stages * kWords;
#pragma unroll
    for (int square = threadIdx.x; square < kX * kY; square += Threads) {
      const int y = square % kY, x = square / kY;
      float4 rows[4];
      for (int k = 0; k < 4; ++k) rows[k] = full[(y * 4 + k) * kX + (x ^ (y % 8))];
      float4* to = out + (i / down * Columns + x * 4) * words + i % down * kY + y;
#pragma unroll
      for (int k = 0; k < 4; ++k) to[k * words] = turned(rows, k);
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  if (threadIdx.x == 0 && atomicAdd(counters + 1, 1u) == gridDim.x - 1)
    counters[0] = counters[1] = 0;
}

struct Row {
  std::string text;
  Kernel kernel;
};

static std::vector<Row> sweep;
static unsigned* counters;
static int sms;

template <int Columns, int Rows, int Threads, int Blocks, int Hints, bool AlongRows, int Panel>
static void add_block(int bands, int shared) {
  const auto kernel = &block<Columns, Rows, Threads, Blocks, Hints, AlongRows, Panel>;
  const int bytes = Columns * Rows * 4;
  const int along = AlongRows ? kSide / Columns : kSide / Rows;
  const int across = AlongRows ? kSide / Rows : kSide / Columns;
  const dim3 grid(along / bands * Panel, across / Panel, bands);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const auto launch = [=] {
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, shared));
    kernel<<<grid, Threads, bytes>>>((float4*)out, (const float4*)in, kSide / 4);
  };
  char text[160];
  std::snprintf(text, sizeof text, "block,%d,%d,%d,%d,%s,%s,%d,%d,%d", Columns, Rows, Threads,
                Blocks, kHints[Hints], AlongRows ? "rows" : "columns", Panel, bands, shared);
  sweep.push_back({text, moving(text, kSide, 4, true, launch)});
}

template <int Columns, int Rows, int Threads, int Blocks>
static void add_tile() {
  add_block<Columns, Rows, Threads, Blocks, kNone, true, 1>(1, -1);
  add_block<Columns, Rows, Threads, Blocks, kStreamingStores, false, 1>(1, -1);
  add_block<Columns, Rows, Threads, Blocks, kStreamingLoads, false, 1>(1, -1);
  add_block<Columns, Rows, Threads, Blocks, kStreamingBoth, false, 1>(1, -1);
  add_block<Columns, Rows, Threads, Blocks, kAhead, false, 1>(1, -1);
  add_block<Columns, Rows, Threads, Blocks, kAhead, false, 2>(1, -1);
  for (const int bands : {1, 2, 8, 32}) {
    add_block<Columns, Rows, Threads, Blocks, kNone, false, 1>(bands, -1);
    add_block<Columns, Rows, Threads, Blocks, kNone, false, 2>(bands, -1);
    add_block<Columns, Rows, Threads, Blocks, kNone, false, 4>(bands, -1);
    if (bands > 1) add_block<Columns, Rows, Threads, Blocks, kNone, true, 1>(bands, -1);
  }
  for (const int shared : {50, 100}) {
    add_block<Columns, Rows, Threads, Blocks, kNone, false, 1>(1, shared);
  }
}

template <int Columns, int Rows, int Threads, int Stages, bool Tickets>
static void add_ring() {
  const auto kernel = &ring<Columns, Rows, Threads, Stages, Tickets>;
  const int bytes = Stages * Columns * Rows * 4;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  for (int blocks = 1; blocks <= 3 && blocks * bytes < 220 << 10; ++blocks) {
    const auto launch = [=] {
      kernel<<<blocks * sms, Threads, bytes>>>((float4*)out, (const float4*)in, kSide / 4,
                                               counters);
    };
    char text[160];
    std::snprintf(text, sizeof text, "ring of %d%s,%d,%d,%d,%d,none,columns,1,1,-1", Stages,
                  Tickets ? " by tickets" : "", Columns, Rows, Threads, blocks);
    sweep.push_back({text, moving(text, kSide, 4, true, launch)});
  }
}

static double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  sms = properties.multiProcessorCount;
  set_up();
  CHECK(cudaMalloc(&counters, 2 * sizeof(unsigned)));
  CHECK(cudaMemset(counters, 0, 2 * sizeof(unsigned)));
  add_tile<64, 64, 256, 4>();
  add_tile<64, 64, 256, 5>();
  add_tile<64, 64, 256, 8>();
  add_tile<32, 32, 64, 16>();
  add_tile<64, 32, 128, 10>();
  add_tile<32, 64, 128, 10>();
  add_tile<64, 128, 512, 3>();
  add_tile<128, 64, 512, 3>();
  add_tile<128, 128, 1024, 2>();
  add_ring<64, 64, 256, 2, false>();
  add_ring<64, 64, 256, 3, false>();
  add_ring<64, 64, 256, 4, false>();
  add_ring<64, 64, 256, 2, true>();
  add_ring<64, 64, 256, 3, true>();
  add_ring<64, 64, 256, 4, true>();
  add_ring<64, 128, 512, 3, true>();
  add_ring<128, 64, 512, 3, true>();

  std::printf(
      "kind,columns,rows,threads,blocks_per_sm,hints,order,panel,bands,shared_percent,microseconds,"
      "gigabytes_per_second,of_memcpy\n");
  const Kernel copy = driver_copy(kSide, 4);
  const double bytes = 2.0 * kSide * kSide * 4;
  for (const Row& row : sweep) {
    if (!row.kernel.is_right()) {
      std::fprintf(stderr, "transpose_sweep.cu: wrong: %s\n", row.text.c_str());
      return 1;
    }
    std::vector<double> own, driver;
    for (int i = 0; i < kSamples; ++i) {
      own.push_back(sample(row.kernel.launch));
      if (i % 3 == 0) driver.push_back(sample(copy.launch));
    }
    const double seconds = median(own);
    std::printf("%s,%.2f,%.1f,%.4f\n", row.text.c_str(), seconds * 1e6, bytes / seconds * 1e-9,
                median(driver) / seconds);
  }
  return 0;
}
