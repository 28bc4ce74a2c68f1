// SPDX-License-Identifier: Apache-2.0
// Measures how long Counters takes per event, through the Observer interface, as the simulator
// calls it.
//
// Goals: below 20 ns for unit stride, 100 ns for a column, 150 ns for lanes scattered over global
// memory, and 60 ns for lanes scattered over shared memory. Global accesses advance through a 16
// MiB matrix of 2048 x 2048 floats, so footprint and L1 do not stay warm.
#include <benchmark/benchmark.h>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "tests/memory/patterns.h"

namespace warpgrade::memory {
namespace {

constexpr std::uint64_t kBase = 0x700000000000;
constexpr std::uint64_t kFloats = std::uint64_t{2048} * 2048;

/// Sends accesses to `address`, which advances by `step` bytes per iteration. A block has 64
/// events.
void feed(benchmark::State& state, const char* device, run::Space space, run::Operation operation,
          Addresses address, std::int64_t stride, std::uint64_t step, std::uint32_t mask) {
  Counters counters(device::find(device));
  run::LaunchContext context;
  context.warps_per_block = 8;
  counters.on_launch(context);
  run::Observer& observer = counters;
  run::MemoryEvent event;
  event.space = space;
  event.operation = operation;
  event.mask = mask;
  event.bytes = 4;
  event.stride = stride;
  event.address = address.data();
  const Addresses start = address;
  std::uint64_t moved = 0;
  std::uint64_t count = 0;
  for (auto _ : state) {
    if (count++ % 64 == 0) observer.on_block_begin(count);
    observer.on_memory(event);
    if (step != 0) {
      moved = (moved + step) % (kFloats * 4);
      if (stride != run::kIrregular && stride == 4) {
        address[0] = start[0] + moved;  // a unit stride needs no other
      } else {
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) address[lane] = start[lane] + moved;
      }
    }
  }
}

Addresses row() {
  return lanes([](auto l) { return kBase + 4 * l; });
}
Addresses column() {
  return lanes([](auto l) { return kBase + 8192 * l; });
}
Addresses shuffled() {
  return lanes([](auto l) { return kBase + l * 2654435761U % 4096 * 8192; });
}
Addresses shared_row() {
  return lanes([](auto l) { return 4 * l; });
}
/// Words scattered over 16 KiB, up to four per bank.
Addresses shared_shuffled() {
  return lanes([](auto l) { return l * 2654435761U % 4093 * 4; });
}

void global_load_unit_stride(benchmark::State& state) {
  feed(state, "h200", run::Space::kGlobal, run::Operation::kLoad, row(), 4, 128, run::kFullMask);
}
void global_store_unit_stride(benchmark::State& state) {
  feed(state, "h200", run::Space::kGlobal, run::Operation::kStore, row(), 4, 128, run::kFullMask);
}
void global_load_column(benchmark::State& state) {
  feed(state, "h200", run::Space::kGlobal, run::Operation::kLoad, column(), 8192, 4,
       run::kFullMask);
}
void global_load_scattered(benchmark::State& state) {
  feed(state, "h200", run::Space::kGlobal, run::Operation::kLoad, shuffled(), run::kIrregular, 4,
       run::kFullMask);
}
void global_load_unit_stride_gtx280(benchmark::State& state) {
  feed(state, "gtx280", run::Space::kGlobal, run::Operation::kLoad, row(), 4, 128, run::kFullMask);
}
void shared_load_unit_stride(benchmark::State& state) {
  feed(state, "h200", run::Space::kShared, run::Operation::kLoad, shared_row(), 4, 0,
       run::kFullMask);
}
void shared_load_half_warp(benchmark::State& state) {
  feed(state, "h200", run::Space::kShared, run::Operation::kLoad, shared_row(), run::kIrregular, 0,
       0x0000ffffU);
}
void shared_load_32_way(benchmark::State& state) {
  feed(state, "h200", run::Space::kShared, run::Operation::kLoad,
       lanes([](auto l) { return 128 * l; }), 128, 0, run::kFullMask);
}
void shared_load_scattered(benchmark::State& state) {
  feed(state, "h200", run::Space::kShared, run::Operation::kLoad, shared_shuffled(),
       run::kIrregular, 0, run::kFullMask);
}

BENCHMARK(global_load_unit_stride);
BENCHMARK(global_store_unit_stride);
BENCHMARK(global_load_column);
BENCHMARK(global_load_scattered);
BENCHMARK(global_load_unit_stride_gtx280);
BENCHMARK(shared_load_unit_stride);
BENCHMARK(shared_load_half_warp);
BENCHMARK(shared_load_32_way);
BENCHMARK(shared_load_scattered);

}  // namespace
}  // namespace warpgrade::memory

BENCHMARK_MAIN();
