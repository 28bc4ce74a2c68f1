// SPDX-License-Identifier: Apache-2.0
// Measures the time to fill, to poison and to compare an output of four million floats. Run it with
// `meson test --benchmark`.
#include <benchmark/benchmark.h>

#include <cstring>

#include "common/verify/compare.h"
#include "common/verify/values.h"

namespace warpgrade::verify {
namespace {

constexpr std::uint64_t kCount = std::uint64_t{1} << 22;

void fill_distinct(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(fill(ElementType::kF32, kCount, Fill::kDistinct, 1));
}
BENCHMARK(fill_distinct)->Unit(benchmark::kMillisecond);

void fill_small_whole(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(fill(ElementType::kF32, kCount, Fill::kSmallWhole, 1));
  }
}
BENCHMARK(fill_small_whole)->Unit(benchmark::kMillisecond);

void poison_floats(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(poison(ElementType::kF32, kCount, 1));
}
BENCHMARK(poison_floats)->Unit(benchmark::kMillisecond);

void compare_equal(benchmark::State& state) {
  const auto bytes = fill(ElementType::kF32, kCount, Fill::kDistinct, 1);
  const auto copy = bytes;
  const Matrix expected{ElementType::kF32, 2048, 2048, bytes};
  const Matrix got{ElementType::kF32, 2048, 2048, copy};
  for (auto _ : state) benchmark::DoNotOptimize(compare(expected, got, {}, {}));
}
BENCHMARK(compare_equal)->Unit(benchmark::kMillisecond);

// Times a copy of as many bytes: the yardstick for compare_equal.
void memcpy_of_the_same(benchmark::State& state) {
  const auto bytes = fill(ElementType::kF32, kCount, Fill::kDistinct, 1);
  auto copy = bytes;
  for (auto _ : state) {
    std::memcpy(copy.data(), bytes.data(), bytes.size());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(memcpy_of_the_same)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpgrade::verify

BENCHMARK_MAIN();
