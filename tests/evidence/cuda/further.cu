// SPDX-License-Identifier: Apache-2.0
// Times the kernels in solutions/*/further against vendor code (device-to-device cudaMemcpy, cuBLAS
// geam, cub::DeviceReduce::Sum) and against the solutions of the exercises.
//
// The kernels of a group run forwards and backwards in turn (A B C C B A), so that clock drift
// affects all of them equally. A 256 MiB memset flushes L2 before each sample. Each figure is a
// median with its 95 % confidence interval, from order statistics. Every result is checked before
// and after the samples, with the output poisoned first.
//
//   nvcc -O3 -arch=sm_90 -std=c++17 -I../.. -o further further.cu -lcublas
//   ./further > further.csv
#include <cublas_v2.h>

#include <cmath>
#include <cub/device/device_reduce.cuh>

#include "bench.h"

namespace copy_solution {
#include "solutions/coalescing/copy.cu"
}
namespace padded_solution {
#include "solutions/bank_conflicts/padded.cu"
}
namespace swizzled_solution {
#include "solutions/bank_conflicts/swizzled.cu"
}
namespace diagonal_solution {
#include "solutions/partition_camping/diagonal_any.cu"
}
namespace many_solution {
#include "solutions/coarsening/reduce_many.cu"
}
namespace copy_further {
#include "solutions/coalescing/further/copy_limit.cu"
}
namespace transpose_further {
#include "solutions/bank_conflicts/further/transpose_limit.cu"
}
namespace order_further {
#include "solutions/partition_camping/further/transpose_order.cu"
}
namespace sum_further {
#include "solutions/coarsening/further/sum_limit.cu"
}

static void check(cublasStatus_t status, const char* call, const char* file, int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s:%d: %s: cuBLAS status %d\n", file, line, call, (int)status);
  std::exit(1);
}

// Zeros and ones, so that every order of summation is exact.
__global__ void fill_small(float* in, unsigned n) {
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    in[i] = (input_word(i) & 15) == 0 ? 1.0f : 0.0f;
  }
}

static void expect_right(const char* group, const Kernel& kernel) {
  if (kernel.is_right()) return;
  std::fprintf(stderr, "further.cu: %s: %s is wrong\n", group, kernel.name.c_str());
  std::exit(1);
}

static const int kSamples = 100;

// Compares each kernel of the group with the first one.
static void run(const char* group, int side, double bytes, std::vector<Kernel> kernels) {
  for (const Kernel& kernel : kernels) expect_right(group, kernel);
  for (int round = 0; round < kSamples; ++round) {
    for (Kernel& kernel : kernels) kernel.seconds.push_back(sample(kernel.launch));
    std::reverse(kernels.begin(), kernels.end());
  }
  for (const Kernel& kernel : kernels) expect_right(group, kernel);
  // Ranks n/2 -+ 0.98 sqrt(n) enclose the median of the distribution in 95 of 100 cases.
  const int reach = (int)std::ceil(0.98 * std::sqrt((double)kSamples));
  double first = 0;
  for (Kernel& kernel : kernels) {
    std::vector<double>& s = kernel.seconds;
    std::sort(s.begin(), s.end());
    const double median = (s[kSamples / 2 - 1] + s[kSamples / 2]) / 2;
    if (first == 0) first = median;
    std::printf("%s,%d,%s,%.2f,%.2f,%.2f,%.1f,%.4f\n", group, side, kernel.name.c_str(),
                median * 1e6, s[kSamples / 2 - reach] * 1e6, s[kSamples / 2 + reach - 1] * 1e6,
                bytes / median * 1e-9, first / median);
  }
  std::fflush(stdout);
}

static void run_floats(cublasHandle_t cublas, int side) {
  static const float one = 1, zero = 0;
  float* to = (float*)out;
  const float* from = (const float*)in;
  const dim3 grid(side / 32, side / 32), block(32, 8);
  const double bytes = 2.0 * side * side * sizeof(float);
  const unsigned n = (unsigned)side * side;
  run("copy", side, bytes,
      {driver_copy(side, 4),
       moving("further/copy_limit", side, 4, false,
              [=] { copy_further::copy_limit<<<n / 512, 128>>>(to, from, n); }),
       moving("coalescing/copy", side, 4, false,
              [=] { copy_solution::copy<<<grid, block>>>(to, from, side, side); })});
  const auto geam = [=] {
    CHECK(cublasSgeam(cublas, CUBLAS_OP_T, CUBLAS_OP_N, side, side, &one, from, side, &zero, from,
                      side, to, side));
  };
  const auto limit = [=] {
    transpose_further::transpose_limit<<<dim3(side / 64, side / 64), dim3(16, 16)>>>(to, from, side,
                                                                                     side);
  };
  run("transpose_floats", side, bytes,
      {driver_copy(side, 4), moving("cublasSgeam", side, 4, true, geam),
       moving("further/transpose_limit", side, 4, true, limit),
       moving("bank_conflicts/padded", side, 4, true,
              [=] { padded_solution::transpose<<<grid, block>>>(to, from, side, side); }),
       moving("bank_conflicts/swizzled", side, 4, true,
              [=] { swizzled_solution::transpose<<<grid, block>>>(to, from, side, side); })});
}

static void run_doubles(cublasHandle_t cublas, int side) {
  static const double one = 1, zero = 0;
  double* to = (double*)out;
  const double* from = (const double*)in;
  const dim3 grid(side / 32, side / 32);
  const auto geam = [=] {
    CHECK(cublasDgeam(cublas, CUBLAS_OP_T, CUBLAS_OP_N, side, side, &one, from, side, &zero, from,
                      side, to, side));
  };
  const auto order = [=](const char* name, auto kernel) {
    return moving(name, side, 8, true, [=] { kernel<<<grid, 256>>>(to, from, side, side); });
  };
  using namespace order_further;
  run("transpose_doubles", side, 2.0 * side * side * sizeof(double),
      {driver_copy(side, 8), moving("cublasDgeam", side, 8, true, geam),
       order("further/transpose_order<kAlongRows>", &transpose_order<kAlongRows>),
       order("further/transpose_order<kDownColumns>", &transpose_order<kDownColumns>),
       order("further/transpose_order<kDiagonal>", &transpose_order<kDiagonal>),
       moving("partition_camping/diagonal_any", side, 8, true,
              [=] { diagonal_solution::transpose<<<grid, dim3(32, 8)>>>(to, from, side, side); })});
}

// A kernel that leaves `count` partial sums of the input at the start of `out`.
static Kernel summing(const char* name, int count, double expected, std::function<void()> launch) {
  const auto is_right = [=] {
    CHECK(cudaMemset(out, 0xff, count * sizeof(float)));
    launch();
    std::vector<float> partial(count);
    CHECK(cudaMemcpy(partial.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (const float one : partial) sum += one;
    return sum == expected;
  };
  return {name, launch, is_right, {}};
}

static void run_sums(int sms) {
  const unsigned n = 1U << 27;
  const float* from = (const float*)in;
  float* to = (float*)out;
  fill_small<<<1024, 256>>>((float*)in, n);
  std::vector<float> values(n);
  CHECK(cudaMemcpy(values.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost));
  double expected = 0;
  for (const float value : values) expected += value;

  void* space = nullptr;
  size_t bytes = 0;
  CHECK(cub::DeviceReduce::Sum(space, bytes, from, to, n));
  CHECK(cudaMalloc(&space, bytes));
  float* partial = to + 1024;
  unsigned* counters = (unsigned*)(partial + 1024);
  CHECK(cudaMemset(counters, 0, 2 * sizeof(unsigned)));
  const auto vendor = [=] {
    size_t size = bytes;
    CHECK(cub::DeviceReduce::Sum(space, size, from, to, n));
  };
  const auto limit = [=] {
    sum_further::sum_limit<<<2 * sms, 512>>>(to, partial, counters, from, n);
  };
  const auto many = [=](const char* name, int blocks) {
    return summing(name, blocks, expected,
                   [=] { many_solution::reduce_many<<<blocks, 512>>>(to, from, n); });
  };
  run("sum", n, 4.0 * n,
      {summing("cub::DeviceReduce::Sum", 1, expected, vendor),
       summing("further/sum_limit", 1, expected, limit),
       many("coarsening/reduce_many (4 blocks an SM; partial sums)", 4 * sms),
       many("coarsening/reduce_many (2 blocks an SM; partial sums)", 2 * sms)});
  CHECK(cudaFree(space));
}

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  set_up();
  cublasHandle_t cublas;
  CHECK(cublasCreate(&cublas));

  std::printf("group,size,kernel,microseconds,low,high,gigabytes_per_second,of_first\n");
  for (const int side : {16384, 12288, 8192}) run_floats(cublas, side);
  for (const int side : {16384, 11584, 8192}) run_doubles(cublas, side);
  run_sums(properties.multiProcessorCount);
  return 0;
}
