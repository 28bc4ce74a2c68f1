// SPDX-License-Identifier: Apache-2.0
// Measures how many events per second all checks together process, on the access patterns of
// correct kernels. Run it with `meson test --benchmark`. The goal is well above 10^7, because the
// counters process the same events.
#include <benchmark/benchmark.h>

#include "common/check/checks.h"
#include "tests/check/events.h"

namespace warpgrade::check {
namespace {

// A memory event, prepared once so that only the checks are timed.
class Prepared {
 public:
  Prepared(std::uint32_t instruction, std::uint32_t warp, run::Operation operation,
           run::Space space, std::uint64_t first, std::int64_t stride,
           std::uint32_t mask = run::kFullMask) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      addresses_[lane] = first + lane * static_cast<std::uint64_t>(stride);
    }
    event_ = {.instruction = instruction,
              .warp = warp,
              .mask = mask,
              .space = space,
              .operation = operation,
              .bytes = 4,
              .stride = mask == run::kFullMask ? stride : run::kIrregular};
  }
  void tell(run::Observer& observer) {
    event_.address = addresses_.data();
    event_.data = event_.operation == run::Operation::kStore ? data_.data() : nullptr;
    observer.on_memory(event_);
  }

 private:
  std::array<std::uint64_t, 32> addresses_{};
  std::array<std::byte, 128> data_{};
  run::MemoryEvent event_;
};

constexpr auto kLoad = run::Operation::kLoad;
constexpr auto kStore = run::Operation::kStore;
constexpr auto kShared = run::Space::kShared;
constexpr auto kGlobal = run::Space::kGlobal;

// Plays `phases` of events with a block barrier after each phase, one block per iteration.
void play(benchmark::State& state, std::vector<std::vector<Prepared>> phases) {
  Launch launch({32, 8, 1});
  launch.context().shared_bytes = 33 * 32 * 4;
  Checks checks;
  checks.on_launch(launch.context());
  std::uint64_t block = 0;
  for (auto _ : state) {
    checks.on_block_begin(block++);
    for (auto& phase : phases) {
      for (auto& event : phase) event.tell(checks);
      sync_block(checks);
    }
  }
  std::size_t events = 0;
  for (const auto& phase : phases) events += phase.size();
  if (!checks.diagnostics().empty()) state.SkipWithError("a finding in a right kernel");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(events));
}

// A transpose through a 32 x 33 tile: the tile's rows in and columns out, and the global accesses.
void padded_transpose(benchmark::State& state) {
  std::vector<Prepared> in, out;
  for (std::uint32_t row = 0; row < 32; ++row) {
    in.emplace_back(0, row % 8, kLoad, kGlobal, kIn + 128 * (row % 8), 4);
    in.emplace_back(1, row % 8, kStore, kShared, 132 * row, 4);
    out.emplace_back(2, row % 8, kLoad, kShared, 4 * row, 132);
    out.emplace_back(3, row % 8, kStore, kGlobal, kOut + 128 * (row % 8), 4);
  }
  play(state, {in, out});
}
BENCHMARK(padded_transpose);

// Shared memory only, rows in and rows out.
void shared_rows(benchmark::State& state) {
  std::vector<Prepared> in, out;
  for (std::uint32_t row = 0; row < 32; ++row) {
    in.emplace_back(1, row % 8, kStore, kShared, 128 * row, 4);
    out.emplace_back(2, row % 8, kLoad, kShared, 128 * row, 4);
  }
  play(state, {in, out});
}
BENCHMARK(shared_rows);

// s[t] += s[t + k] with a barrier after each step.
void reduction(benchmark::State& state) {
  std::vector<std::vector<Prepared>> phases(1);
  for (std::uint32_t warp = 0; warp < 8; ++warp) {
    phases[0].emplace_back(0, warp, kStore, kShared, 128 * warp, 4);
  }
  for (std::uint32_t half = 128; half >= 1; half /= 2) {
    auto& phase = phases.emplace_back();
    const std::uint32_t mask = half >= 32 ? run::kFullMask : (1U << half) - 1;
    for (std::uint32_t warp = 0; warp < std::max(half / 32, 1U); ++warp) {
      phase.emplace_back(1, warp, kLoad, kShared, 128 * warp + 4 * half, 4, mask);
      phase.emplace_back(2, warp, kLoad, kShared, 128 * warp, 4, mask);
      phase.emplace_back(3, warp, kStore, kShared, 128 * warp, 4, mask);
    }
  }
  play(state, std::move(phases));
}
BENCHMARK(reduction);

// The inner loop of a tiled matrix product: one word for a whole warp, one row for every warp.
void matrix_product(benchmark::State& state) {
  std::vector<Prepared> in, out;
  for (std::uint32_t row = 0; row < 32; ++row) {
    in.emplace_back(1, row % 8, kStore, kShared, 128 * row, 4);
  }
  for (std::uint32_t warp = 0; warp < 8; ++warp) {
    for (std::uint32_t k = 0; k < 16; ++k) {
      out.emplace_back(2, warp, kLoad, kShared, 128 * warp + 4 * k, 0);
      out.emplace_back(3, warp, kLoad, kShared, 2048 + 128 * k, 4);
    }
  }
  play(state, {in, out});
}
BENCHMARK(matrix_product);

}  // namespace
}  // namespace warpgrade::check

BENCHMARK_MAIN();
