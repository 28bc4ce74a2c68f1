// SPDX-License-Identifier: Apache-2.0
// Finds the copy kernel and launch shape that come closest to a device-to-device cudaMemcpy.
//
// Variants: accesses in flight per thread (unroll), cache hints, threads per block, and blocks per
// SM (0: one round for the whole grid). The pieces that a block copies in one round are adjacent
// ("blocked") or one grid apart ("grid"). A sample times one launch between two events, after a 256
// MiB memset has flushed L2. Each figure is a median. A wide sweep runs at two sizes. The best
// variants then run again, interleaved with cudaMemcpy. Output is CSV.
//   nvcc -O3 -arch=sm_90 -std=c++17 -o copy_sweep copy_sweep.cu && ./copy_sweep > copy_sweep.csv
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t error, const char* call, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "copy_sweep.cu:%d: %s: %s\n", line, call, cudaGetErrorName(error));
  std::exit(1);
}

template <int Hint>
__device__ __forceinline__ uint4 load(const uint4* p) {
  if constexpr (Hint == 1 || Hint == 4) return __ldcs(p);
  if constexpr (Hint == 2) return __ldcg(p);
  if constexpr (Hint == 3) {
    uint4 v;
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(p));
    return v;
  }
  return *p;
}

template <int Hint>
__device__ __forceinline__ void store(uint4* p, uint4 v) {
  if constexpr (Hint == 1 || Hint == 3 || Hint == 5) {
    __stcs(p, v);
  } else if constexpr (Hint == 2) {
    __stcg(p, v);
  } else {
    *p = v;
  }
}

static const char* kHints[] = {"none", "ldcs+stcs", "ldcg+stcg", "nc.no_allocate+stcs",
                               "ldcs", "stcs"};

template <int Unroll, int Hint, bool Blocked>
__global__ void copy(uint4* out, const uint4* in, size_t count) {
  const size_t step = Blocked ? blockDim.x : (size_t)gridDim.x * blockDim.x;
  const size_t round = (size_t)gridDim.x * blockDim.x * Unroll;
  size_t i = (size_t)blockIdx.x * blockDim.x * (Blocked ? Unroll : 1) + threadIdx.x;
  for (; i + (Unroll - 1) * step < count; i += round) {
    uint4 v[Unroll];
#pragma unroll
    for (int k = 0; k < Unroll; ++k) v[k] = load<Hint>(in + i + k * step);
#pragma unroll
    for (int k = 0; k < Unroll; ++k) store<Hint>(out + i + k * step, v[k]);
  }
  for (int k = 0; k < Unroll; ++k) {
    if (i + k * step < count) store<Hint>(out + i + k * step, load<Hint>(in + i + k * step));
  }
}

__global__ void nothing() {}

__global__ void differences(const uint4* a, const uint4* b, size_t count,
                            unsigned long long* found) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  for (; i < count; i += (size_t)gridDim.x * blockDim.x) {
    const uint4 x = a[i], y = b[i];
    if (x.x != y.x || x.y != y.y || x.z != y.z || x.w != y.w) atomicAdd(found, 1ULL);
  }
}

struct Variant {
  std::string name;
  int unroll;
  void (*kernel)(uint4*, const uint4*, size_t);
};

struct Shape {
  const Variant* variant;
  int block;
  int blocks_per_sm;
  double seconds;
};

template <int Unroll, int Hint>
static void add(std::vector<Variant>& all) {
  const std::string name = std::to_string(Unroll) + "," + kHints[Hint];
  all.push_back({name + ",grid", Unroll, &copy<Unroll, Hint, false>});
  all.push_back({name + ",blocked", Unroll, &copy<Unroll, Hint, true>});
}

template <int Unroll>
static void add_hints(std::vector<Variant>& all) {
  add<Unroll, 0>(all);
  add<Unroll, 1>(all);
  add<Unroll, 2>(all);
  add<Unroll, 3>(all);
  add<Unroll, 4>(all);
  add<Unroll, 5>(all);
}

static char *in, *out, *flush;
static cudaEvent_t begin, end;

static double sample(const std::function<void()>& work) {
  CHECK(cudaMemsetAsync(flush, 1, 256 << 20));
  CHECK(cudaEventRecord(begin));
  work();
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaGetLastError());
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, begin, end));
  return ms * 1e-3;
}

static double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

static void launch(const Shape& s, size_t bytes, int sms) {
  const size_t count = bytes / 16;
  const size_t per_block = (size_t)s.block * s.variant->unroll;
  const size_t whole = (count + per_block - 1) / per_block;
  const size_t grid =
      s.blocks_per_sm == 0 ? whole : std::min<size_t>(whole, (size_t)sms * s.blocks_per_sm);
  s.variant->kernel<<<(unsigned)grid, s.block>>>((uint4*)out, (const uint4*)in, count);
}

static void row(const char* stage, const std::string& name, int block, int blocks, size_t bytes,
                double seconds, double memcpy_seconds) {
  std::printf("%s,%s,%d,%d,%zu,%.3f,%.1f,%.4f\n", stage, name.c_str(), block, blocks, bytes,
              seconds * 1e6, 2.0 * bytes / seconds * 1e-9, memcpy_seconds / seconds);
}

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  const int sms = properties.multiProcessorCount;
  const size_t largest = (size_t)1 << 30;
  CHECK(cudaMalloc(&in, largest));
  CHECK(cudaMalloc(&out, largest));
  CHECK(cudaMalloc(&flush, 256 << 20));
  std::vector<unsigned> words(largest / 4);
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = (unsigned)(i * 2654435761U) ^ (unsigned)(i >> 7);
  CHECK(cudaMemcpy(in, words.data(), largest, cudaMemcpyHostToDevice));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));

  std::vector<Variant> variants;
  add_hints<1>(variants);
  add_hints<2>(variants);
  add_hints<4>(variants);
  add_hints<8>(variants);
  std::vector<Shape> shapes;
  for (const Variant& v : variants) {
    for (const int block : {128, 256, 512, 1024}) {
      for (const int blocks : {0, 1, 2, 4, 8, 16}) {
        if (blocks * block <= 2048 && blocks * block >= (blocks == 0 ? 0 : 256)) {
          shapes.push_back({&v, block, blocks, 0});
        }
      }
    }
  }
  std::printf(
      "stage,unroll,hint,layout,block,blocks_per_sm,bytes_per_buffer,microseconds,"
      "gigabytes_per_second,fraction_of_memcpy\n");
  const auto memcpy_once = [&](size_t bytes) {
    return sample([&] { CHECK(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice)); });
  };
  for (int i = 0; i < 20; ++i) memcpy_once(largest);
  std::vector<double> empty;
  for (int i = 0; i < 51; ++i) empty.push_back(sample([] { nothing<<<1, 32>>>(); }));
  row("empty_kernel", "0,none,none", 32, 0, 0, median(empty), 0);

  std::vector<Shape> best;
  for (const size_t bytes : {(size_t)256 << 20, (size_t)1 << 30}) {
    std::vector<double> memcpy_samples;
    for (int i = 0; i < 15; ++i) memcpy_samples.push_back(memcpy_once(bytes));
    const double memcpy_seconds = median(memcpy_samples);
    row("sweep", "0,memcpy,none", 0, 0, bytes, memcpy_seconds, memcpy_seconds);
    for (Shape& s : shapes) {
      std::vector<double> samples;
      for (int i = 0; i < (bytes > (512u << 20) ? 5 : 7); ++i) {
        samples.push_back(sample([&] { launch(s, bytes, sms); }));
      }
      s.seconds = median(samples);
      row("sweep", s.variant->name, s.block, s.blocks_per_sm, bytes, s.seconds, memcpy_seconds);
    }
    std::vector<Shape> sorted = shapes;
    std::sort(sorted.begin(), sorted.end(),
              [](const Shape& a, const Shape& b) { return a.seconds < b.seconds; });
    best.insert(best.end(), sorted.begin(), sorted.begin() + 10);
  }
  // Plain accesses are the easiest to explain and simulate: keep the ten best of them, too.
  std::vector<Shape> plain;
  for (const Shape& s : shapes) {
    if (s.variant->name.find("none") != std::string::npos) plain.push_back(s);
  }
  std::sort(plain.begin(), plain.end(),
            [](const Shape& a, const Shape& b) { return a.seconds < b.seconds; });
  best.insert(best.end(), plain.begin(), plain.begin() + 10);

  for (const size_t bytes : {(size_t)4 << 20, (size_t)16 << 20, (size_t)64 << 20, (size_t)240 << 20,
                             (size_t)256 << 20, (size_t)1 << 30}) {
    std::vector<double> memcpy_samples;
    std::vector<std::vector<double>> samples(best.size());
    for (int i = 0; i < 21; ++i) {
      memcpy_samples.push_back(memcpy_once(bytes));
      for (size_t b = 0; b < best.size(); ++b) {
        samples[b].push_back(sample([&] { launch(best[b], bytes, sms); }));
      }
    }
    const double memcpy_seconds = median(memcpy_samples);
    row("interleaved", "0,memcpy,none", 0, 0, bytes, memcpy_seconds, memcpy_seconds);
    for (size_t b = 0; b < best.size(); ++b) {
      row("interleaved", best[b].variant->name, best[b].block, best[b].blocks_per_sm, bytes,
          median(samples[b]), memcpy_seconds);
    }
  }
  // The figures mean nothing unless each of these launches copies everything.
  CHECK(cudaMemset(out, 0, largest));
  for (const Shape& s : best) {
    CHECK(cudaMemset(out, 0, largest));
    launch(s, largest, sms);
    unsigned long long found = 0;
    CHECK(cudaMemset(flush, 0, sizeof found));
    differences<<<1024, 256>>>((const uint4*)out, (const uint4*)in, largest / 16,
                               (unsigned long long*)flush);
    CHECK(cudaMemcpy(&found, flush, sizeof found, cudaMemcpyDeviceToHost));
    if (found != 0) {
      std::fprintf(stderr, "copy_sweep.cu: %s copied wrongly\n", s.variant->name.c_str());
      return 1;
    }
  }
  return 0;
}
