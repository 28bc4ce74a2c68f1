// SPDX-License-Identifier: Apache-2.0
// Device functions in CUDA C++, from NVRTC's PTX to their results: structs by value, recursion,
// virtual functions, printf, assert, malloc. NVRTC decides on inlining, so intended calls need
// __noinline__.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/sim/simulator.h"

namespace warpgrade::sim::device_functions_test {

using base::DiagnosticKind;
using testing::HasSubstr;
using testing::StartsWith;

struct CudaRun {
  run::Result result;
  std::vector<std::int32_t> out;
};

// Runs `k(int* out)` of `source`. `out` has one word per thread.
CudaRun run_cuda(const std::string& source, std::uint32_t threads = 32, std::uint32_t blocks = 1,
                 const run::Options& options = {}) {
  CudaRun run;
  compile::CompileRequest request;
  request.file = "k.cu";
  request.source = source;
  const auto compiled = compile::compile(request);
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&compiled)) {
    run.result.diagnostics = *wrong;
    return run;
  }
  const auto count = std::size_t{threads} * blocks;
  std::vector<run::Buffer> buffers(1);
  buffers[0].name = "out";
  buffers[0].bytes.resize(4 * count);
  buffers[0].element_bytes = 4;
  run::Launch launch;
  launch.kernel = "k";
  launch.grid.x = blocks;
  launch.block.x = threads;
  launch.arguments = {run::BufferArgument{0}};
  Simulator simulator(std::get<compile::Program>(compiled));
  run.result = simulator.launch(launch, buffers, options);
  run.out.resize(count);
  std::memcpy(run.out.data(), buffers[0].bytes.data(), 4 * count);
  return run;
}

void expect_clean(const CudaRun& run) {
  for (const auto& diagnostic : run.result.diagnostics) {
    ADD_FAILURE() << base::render(diagnostic, {});
  }
}

void expect_fault(DiagnosticKind kind, std::uint32_t line, const std::string& words,
                  const CudaRun& run) {
  ASSERT_EQ(1U, run.result.diagnostics.size());
  const auto& diagnostic = run.result.diagnostics[0];
  EXPECT_EQ(base::name(kind), base::name(diagnostic.kind));
  EXPECT_EQ("k.cu", diagnostic.where.file);
  EXPECT_EQ(line, diagnostic.where.line);
  EXPECT_THAT(base::text(diagnostic), HasSubstr(words));
}

template <typename F>
void expect_out(const CudaRun& run, const F& expected) {
  expect_clean(run);
  for (std::size_t i = 0; i < run.out.size(); ++i) {
    EXPECT_EQ(expected(static_cast<int>(i)), run.out[i]) << i;
  }
}

TEST(DeviceFunctions, TakeAndGiveStructsByValue) {
  const auto run = run_cuda(R"(
struct S { int a[6]; char c[4]; };
__device__ __noinline__ S make(int i) {
  S s;
  for (int k = 0; k < 6; ++k) s.a[k] = i * k;
  s.a[i % 6] = 1000;
  for (int k = 0; k < 4; ++k) s.c[k] = static_cast<char>(i + k);
  return s;
}
__device__ __noinline__ int pick(S s, int i) { return s.a[i] + 10000 * s.c[0]; }
extern "C" __global__ void k(int* out) {
  const int i = threadIdx.x;
  out[i] = pick(make(i), (i + 1) % 6) + pick(make(i), i % 6);
})");
  expect_out(run, [](int i) { return i * ((i + 1) % 6) + 1000 + 2 * 10000 * i; });
}

TEST(DeviceFunctions, RecurseAsDeepAsTheyNeed) {
  // McCarthy's 91 function: f(n) = n - 10 above 100, else f(f(n + 11)), which is 91.
  const auto run = run_cuda(R"(
__device__ __noinline__ int f(int n) {
  if (n > 100) return n - 10;
  return f(f(n + 11));
}
extern "C" __global__ void k(int* out) { out[threadIdx.x] = f(threadIdx.x * 4); })");
  expect_out(run, [](int i) { return 4 * i > 100 ? 4 * i - 10 : 91; });
}

TEST(DeviceFunctions, ComputeAckermannsFunction) {
  const auto run = run_cuda(R"(
__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
extern "C" __global__ void k(int* out) {
  out[threadIdx.x] = ackermann(threadIdx.x / 4 % 4, threadIdx.x % 4);
})");
  // A(0, n) = n + 1, A(1, n) = n + 2, A(2, n) = 2n + 3, A(3, n) = 2^(n + 3) - 3.
  const int expected[4][4] = {{1, 2, 3, 4}, {2, 3, 4, 5}, {3, 5, 7, 9}, {5, 13, 29, 61}};
  expect_out(run, [&](int i) { return expected[i / 4 % 4][i % 4]; });
}

TEST(DeviceFunctions, SortByRecursionInTheirOwnArrays) {
  const auto run = run_cuda(R"(
__device__ __noinline__ void sort(int* a, int low, int high) {
  if (low >= high) return;
  const int middle = (low + high) / 2;
  sort(a, low, middle);
  sort(a, middle + 1, high);
  int merged[8];
  int i = low, j = middle + 1;
  for (int k = 0; k <= high - low; ++k)
    merged[k] = i > middle ? a[j++] : j > high ? a[i++] : a[i] <= a[j] ? a[i++] : a[j++];
  for (int k = 0; k <= high - low; ++k) a[low + k] = merged[k];
}
extern "C" __global__ void k(int* out) {
  int a[8];
  for (int j = 0; j < 8; ++j) a[j] = (j * 5 + threadIdx.x) % 8;
  sort(a, 0, 7);
  int value = 0;
  for (int j = 0; j < 8; ++j) value = value * 10 + a[j];
  out[threadIdx.x] = value;
})");
  expect_out(run, [](int) { return 1234567; });
}

TEST(DeviceFunctions, AreChosenByPointersAndVirtualCalls) {
  const auto run = run_cuda(R"(
struct Shape { __device__ virtual int area(int x) const = 0; };
struct Square : Shape { __device__ int area(int x) const override { return x * x; } };
struct Strip : Shape {
  int width;
  __device__ Strip(int w) : width(w) {}
  __device__ int area(int x) const override { return x * width; }
};
__device__ __noinline__ int area(const Shape* shape, int x) { return shape->area(x); }
typedef int (*Function)(int);
__device__ __noinline__ int plus(int x) { return x + 1; }
__device__ __noinline__ int minus(int x) { return x - 1; }
__device__ Function table[2] = {plus, minus};
extern "C" __global__ void k(int* out) {
  const int i = threadIdx.x;
  Square square;
  Strip strip(3);
  const Shape* shape = i & 1 ? static_cast<const Shape*>(&square) : &strip;
  out[i] = 100 * area(shape, i) + table[i / 2 & 1](i);
})");
  expect_out(run, [](int i) {
    return 100 * (i & 1 ? i * i : 3 * i) + ((i / 2 & 1) != 0 ? i - 1 : i + 1);
  });
}

TEST(DeviceFunctions, ReconvergeWhereTheyReturn) {
  const auto run = run_cuda(R"(
__device__ __noinline__ unsigned collatz(unsigned n) {
  unsigned steps = 0;
  while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; ++steps; }
  return steps;
}
extern "C" __global__ void k(int* out) {
  const unsigned i = threadIdx.x;
  unsigned steps;
  if (i % 3 == 0) steps = collatz(i + 1); else steps = collatz(2 * i + 1);
  out[i] = __activemask() == ~0u ? steps : ~0u;
})");
  const auto collatz = [](int n) {
    int steps = 0;
    for (; n != 1; ++steps) n = n % 2 != 0 ? 3 * n + 1 : n / 2;
    return steps;
  };
  expect_out(run, [&](int i) { return i % 3 == 0 ? collatz(i + 1) : collatz(2 * i + 1); });
}

TEST(DeviceFunctions, ThatNeverStopCallingOverflowTheStack) {
  const auto run = run_cuda(R"(
__device__ __noinline__ int down(int n) {
  int a[16];
  for (int j = 0; j < 16; ++j) a[j] = n + j;
  return down(a[n & 15] + 1) + a[(n + 1) & 15];
}
extern "C" __global__ void k(int* out) { out[0] = down(threadIdx.x); })");
  ASSERT_EQ(1U, run.result.diagnostics.size());
  EXPECT_EQ(base::name(DiagnosticKind::kOutOfBounds), base::name(run.result.diagnostics[0].kind));
  EXPECT_THAT(base::text(run.result.diagnostics[0]), StartsWith("stack overflow: "));
  EXPECT_EQ(5U, run.result.diagnostics[0].where.line);
  EXPECT_EQ(0U, run.result.diagnostics[0].thread->x);
}

TEST(Printf, ShowsWhatEachThreadPrintsInOrder) {
  const auto run = run_cuda(R"(
extern "C" __global__ void k(int* out) {
  out[blockIdx.x * 2 + threadIdx.x] =
      printf("block %d thread %u: %5.2f %s %c %lld %p\n", blockIdx.x, threadIdx.x,
             0.5f * threadIdx.x, "text", 'a' + threadIdx.x, -5ll, (void*)16);
})",
                            2, 2);
  expect_clean(run);
  EXPECT_EQ(
      "block 0 thread 0:  0.00 text a -5 0x10\nblock 0 thread 1:  0.50 text b -5 0x10\n"
      "block 1 thread 0:  0.00 text a -5 0x10\nblock 1 thread 1:  0.50 text b -5 0x10\n",
      run.result.printed);
  EXPECT_EQ(7, run.out[0]);  // the number of arguments, as the programming guide says
}

TEST(Printf, IsTheSameForAnyNumberOfHostThreads) {
  const std::string source = R"(
extern "C" __global__ void k(int* out) {
  printf("%d of a line that is a hundred characters long, so that a few blocks fill what may be kept......\n",
         blockIdx.x * 32 + threadIdx.x);
})";
  run::Options options;
  options.threads = 1;
  const auto one = run_cuda(source, 32, 400, options);
  options.threads = 5;
  const auto five = run_cuda(source, 32, 400, options);
  expect_clean(one);
  EXPECT_EQ(one.result.printed, five.result.printed);
  const std::string end = "\n(what the kernel printed past 1048576 bytes is not kept)\n";
  ASSERT_EQ((1U << 20) + end.size(), one.result.printed.size());
  EXPECT_THAT(one.result.printed, StartsWith("0 of a line"));
  EXPECT_THAT(one.result.printed, testing::EndsWith(end));
}

TEST(Printf, OfAStringThatIsNoneIsAFault) {
  expect_fault(DiagnosticKind::kOutOfBounds, 3, "null pointer", run_cuda(R"(
extern "C" __global__ void k(int* out) {
  printf("%s\n", reinterpret_cast<const char*>(out[0] + 8ll));
})"));
}

TEST(Assert, ThatFailsNamesItsTextLineAndThread) {
  const auto run = run_cuda(R"(#include <cassert>
__device__ __noinline__ void check(int x) {
  assert(x < 5);
}
extern "C" __global__ void k(int* out) {
  check(threadIdx.x);
  out[threadIdx.x] = 1;
})");
  expect_fault(DiagnosticKind::kTrap, 3, "assertion `x < 5' failed in 'void check(int)'", run);
  EXPECT_EQ(5U, run.result.diagnostics[0].thread->x);
}

TEST(Malloc, GivesEachThreadItsOwnBytes) {
  const auto run = run_cuda(R"(
struct Node { int value; Node* next; };
extern "C" __global__ void k(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Node* list = nullptr;
  for (int j = 0; j <= i % 4; ++j) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    node->value = i + j;
    node->next = list;
    list = node;
  }
  int sum = 0;
  while (list != nullptr) {
    Node* next = list->next;
    sum += list->value;
    free(list);
    list = next;
  }
  int* array = new int[4];
  array[i % 4] = sum;
  out[i] = array[i % 4];
  delete[] array;
})",
                            64, 3);
  expect_out(run, [](int i) {
    const int n = i % 4 + 1;
    return n * i + n * (n - 1) / 2;
  });
}

TEST(Malloc, IsNullWhereTheHeapIsFull) {
  const auto run = run_cuda(R"(
extern "C" __global__ void k(int* out) {
  out[threadIdx.x] = malloc(1 << 20) != nullptr;
})");
  expect_clean(run);
  EXPECT_EQ(7, std::count(run.out.begin(), run.out.end(), 1));  // of 8 MiB
}

TEST(Malloc, ValuesThatNothingHasWrittenAreWarnedOnAndStopNothing) {
  const auto run = run_cuda(R"(
extern "C" __global__ void k(int* out) {
  int* p = static_cast<int*>(malloc(16));
  p[0] = 5;
  out[threadIdx.x] = p[0];
  if (threadIdx.x == 3) out[threadIdx.x] = p[1];
  free(p);
})");
  expect_fault(DiagnosticKind::kUninitializedRead, 6,
               "reads 4 bytes of the 16 bytes that malloc() returned in line 3, which nothing has "
               "written yet",
               run);
  EXPECT_EQ(5, run.out[31]);
  EXPECT_EQ(-1, run.out[3]);
}

TEST(Malloc, FreeingTwiceIsAFault) {
  const auto run = run_cuda(R"(
extern "C" __global__ void k(int* out) {
  int* p = static_cast<int*>(malloc(16));
  *p = 1;
  out[threadIdx.x] = *p;
  free(p);
  free(p);
})");
  expect_fault(DiagnosticKind::kOutOfBounds, 7, "a second time, after the first in line 6", run);
  EXPECT_EQ(0U, run.result.diagnostics[0].thread->x);
}

TEST(Malloc, PiecesHaveEnds) {
  expect_fault(DiagnosticKind::kOutOfBounds, 5, "of the 16 bytes that malloc() returned in line 3",
               run_cuda(R"(
extern "C" __global__ void k(int* out) {
  int* p = static_cast<int*>(malloc(16));
  int* q = static_cast<int*>(malloc(16));
  out[threadIdx.x] = p[5];
  free(q);
})"));
}

TEST(Malloc, AFreedPieceIsNotReadAgain) {
  expect_fault(DiagnosticKind::kOutOfBounds, 7,
               "in the 4 bytes that malloc() returned in line 3, after free() in line 6",
               run_cuda(R"(
extern "C" __global__ void k(int* out) {
  volatile int* p = new int;
  *p = 5;
  out[threadIdx.x] = *p;
  delete p;
  out[threadIdx.x] += *p;
})"));
}

}  // namespace warpgrade::sim::device_functions_test
