// SPDX-License-Identifier: Apache-2.0
// Measures how many thread instructions per second the simulator executes with all counters and
// checks on, as in `warpgrade profile` and `warpgrade grade`. `decode` measures how many PTX
// instructions per second become ready to execute. Run it with `meson test --benchmark speed`; the
// benchmark's argument is the number of host threads.
//
// The time covers only the execution (Result::seconds), as in the profile's JSON.
#include <benchmark/benchmark.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"
#include "common/ptx/module.h"
#include "common/sim/decode/decoder.h"
#include "common/sim/memory/address_space.h"

namespace warpgrade {
namespace {

const std::filesystem::path kRoot = WARPGRADE_SOURCE_ROOT;
constexpr std::uint32_t kWidth = 2048;
constexpr std::uint32_t kElements = kWidth * kWidth;

compile::Program compiled(const std::filesystem::path& file) {
  auto request = std::get<compile::CompileRequest>(compile::read_source(kRoot / file));
  request.architecture = "sm_90";
  return std::get<compile::Program>(compile::compile(request));
}

run::ValueArgument word(std::uint32_t value) {
  run::ValueArgument bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::vector<run::Buffer> matrices() {
  std::vector<run::Buffer> buffers = {
      {"out", std::vector<std::byte>(std::size_t{4} * kElements), 4, false, false},
      {"in", std::vector<std::byte>(std::size_t{4} * kElements), 4, true, true},
  };
  for (std::uint32_t i = 0; i < kElements; ++i) {
    const auto value = static_cast<float>(i % 1000);
    std::memcpy(buffers[1].bytes.data() + std::size_t{4} * i, &value, sizeof value);
  }
  return buffers;
}

void run_kernel(benchmark::State& state, const std::filesystem::path& file, const char* name,
                base::Dim3 grid, base::Dim3 block, std::uint32_t dynamic_shared,
                const std::vector<std::uint32_t>& words) {
  const auto program = compiled(file);
  const auto& kernel = *std::get<const compile::Kernel*>(compile::find_kernel(program, name));
  run::Launch launch{kernel.name, grid, block, dynamic_shared, {}};
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  for (const auto value : words) launch.arguments.emplace_back(word(value));
  run::Options options;
  options.threads = static_cast<std::uint32_t>(state.range(0));
  const auto bench = measure::sim_bench(device::find("h200"));
  auto buffers = matrices();
  double seconds = 0;
  std::uint64_t threads = 0;
  for (auto _ : state) {
    const auto measured = bench->measure(program, launch, buffers, options);
    if (!measured.result.diagnostics.empty()) state.SkipWithError("a finding in a right kernel");
    state.SetIterationTime(measured.result.seconds);
    seconds += measured.result.seconds;
    for (const auto& count : measured.result.instructions) threads += count.threads;
  }
  state.counters["thread_instructions/s"] = static_cast<double>(threads) / seconds;
}

void kernel_of_this_folder(benchmark::State& state, const char* name, std::uint32_t blocks) {
  run_kernel(state, "tests/measure/speed_kernels.cu", name, {blocks, 1, 1}, {256, 1, 1}, 0,
             {kElements});
}

void arithmetic(benchmark::State& state) { kernel_of_this_folder(state, "arithmetic", 512); }
void divergent(benchmark::State& state) { kernel_of_this_folder(state, "divergent", 512); }
void shared(benchmark::State& state) { kernel_of_this_folder(state, "shared", 2048); }
void coalesced(benchmark::State& state) { kernel_of_this_folder(state, "coalesced", 1024); }
void scattered(benchmark::State& state) { kernel_of_this_folder(state, "scattered", 1024); }

void padded_transpose(benchmark::State& state) {
  run_kernel(state, "solutions/coalescing/transpose.cu", "transpose", {kWidth / 32, kWidth / 32, 1},
             {32, 8, 1}, 0, {kWidth, kWidth});
}

void reduce3(benchmark::State& state) {
  run_kernel(state, "studies/kernels/calibration.cu", "reduce3", {kElements / 512, 1, 1},
             {512, 1, 1}, 2048, {kElements});
}

// Parses, links and decodes every calibration kernel, from PTX text to micro-ops.
void decode(benchmark::State& state) {
  const auto program = compiled("studies/kernels/calibration.cu");
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    const auto module = ptx::parse(program.ptx.text(), program.file);
    for (const auto& function : module.functions) {
      if (!function.is_entry) continue;
      const auto linked = ptx::link(module, function);
      run::Launch launch;
      for (const auto& parameter : linked.parameters) {
        launch.arguments.emplace_back(run::ValueArgument(parameter.bytes));
      }
      std::vector<run::Buffer> buffers;
      const sim::AddressSpace memory(module, linked, launch, buffers);
      const auto code = sim::decode(module, linked, memory);
      benchmark::DoNotOptimize(code);
      instructions += linked.instructions.size();
    }
  }
  state.counters["instructions/s"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

void settings(benchmark::internal::Benchmark* benchmark) {
  benchmark->UseManualTime()->Unit(benchmark::kMillisecond)->Arg(1)->Arg(2)->ArgName("threads");
}

BENCHMARK(decode)->Unit(benchmark::kMillisecond);
BENCHMARK(arithmetic)->Apply(settings);
BENCHMARK(divergent)->Apply(settings);
BENCHMARK(shared)->Apply(settings);
BENCHMARK(coalesced)->Apply(settings);
BENCHMARK(scattered)->Apply(settings);
BENCHMARK(padded_transpose)->Apply(settings);
BENCHMARK(reduce3)->Apply(settings);

}  // namespace
}  // namespace warpgrade

BENCHMARK_MAIN();
