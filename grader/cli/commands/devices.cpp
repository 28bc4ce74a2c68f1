// SPDX-License-Identifier: Apache-2.0
// `warpgrade devices`: the profiles, or the numbers of one.
#include <fmt/format.h>

#include <array>

#include "common/device/profile.h"
#include "common/gpu/gpu_runner.h"
#include "grader/cli/commands/commands.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::cli {
namespace {

std::string compute(const device::Profile& profile) {
  return fmt::format("{}.{}", profile.compute.major, profile.compute.minor);
}

std::string error_of_speeds(const device::Profile& profile) {
  return fmt::format("{:.0f} % at most {}", 100 * profile.errors.speed,
                     profile.errors.has_kinds() ? "for 95 % of the measured launches"
                                                : "where results are published");
}

std::string_view coalescing(device::Coalescing rule) {
  static constexpr std::array<std::string_view, 3> kTexts = {
      "half-warps, lane k on word k of one segment", "half-warps, segments of 32, 64 or 128 bytes",
      "warps, sectors of 32 bytes"};
  return kTexts.at(static_cast<std::size_t>(rule));
}

std::string_view banks(device::SharedBanks rule) {
  static constexpr std::array<std::string_view, 4> kTexts = {
      "16 of 4 bytes, half-warps", "32, 64 bits a clock, 4-byte mode",
      "32, 64 bits a clock, 8-byte mode", "32 of 4 bytes"};
  return kTexts.at(static_cast<std::size_t>(rule));
}

std::string table_of_all() {
  text::Columns table({true, true, false, false, false, true});
  table.add({"name", "product", "compute", "SMs", "bandwidth", "validated by"});
  for (const auto* profile : device::profiles()) {
    table.add({std::string(profile->name), std::string(profile->product), compute(*profile),
               fmt::format("{}", profile->sm.count),
               text::bytes_per_second(profile->dram.bytes_per_second),
               profile->validated.empty() ? "-" : profile->validated});
  }
  auto out = table.text(0, text::style_of_stdout());
  const auto card = gpu::availability();
  out += card.available ? fmt::format("GPU here: {} ({})\n", card.device, card.architecture)
                        : fmt::format("no GPU here: {}\n", card.reason);
  return out;
}

std::string numbers_of(const device::Profile& profile) {
  const auto count = [](auto value) { return fmt::format("{}", value); };
  text::Columns table({true, true});
  table.add({"product", std::string(profile.product)});
  table.add({"compute capability", compute(profile)});
  table.add({"multiprocessors", count(profile.sm.count)});
  table.add({"clock", fmt::format("{} MHz", text::number(profile.sm.clock_hz / 1e6))});
  table.add({"threads a block", count(profile.sm.limits.threads_per_block)});
  table.add({"warps an SM", count(profile.sm.limits.warps)});
  table.add({"blocks an SM", count(profile.sm.limits.blocks)});
  table.add(
      {"registers an SM", fmt::format("{}, in units of {} a {}", profile.sm.limits.registers,
                                      profile.sm.limits.register_unit,
                                      profile.sm.limits.registers_by_warp ? "warp" : "block")});
  table.add({"shared bytes an SM",
             fmt::format("{}, in units of {}, {} taken by a launch", profile.shared.bytes,
                         profile.shared.unit_bytes, profile.shared.reserved_bytes_per_block)});
  table.add({"shared bytes a block", count(profile.shared.max_bytes_per_block)});
  table.add({"shared banks", std::string(banks(profile.rules.shared_banks))});
  table.add({"coalescing", std::string(coalescing(profile.rules.coalescing))});
  table.add({"partitions", profile.dram.partitions
                               ? fmt::format("{}, {} bytes wide", *profile.dram.partitions,
                                             profile.dram.partition_width)
                               : "addresses are hashed"});
  table.add({"L2", profile.l2.bytes ? fmt::format("{} bytes", *profile.l2.bytes)
                                    : "none for global memory"});
  table.add({"bandwidth", fmt::format("{}; a copy reaches {}",
                                      text::bytes_per_second(profile.dram.bytes_per_second),
                                      text::number(profile.dram.efficiency))});
  const auto nanoseconds = [](double value) {
    return fmt::format("{} ns", text::number(value * 1e9));
  };
  table.add({"issue", fmt::format("{} warp instructions a clock and SM",
                                  text::number(profile.sm.warp_instructions_per_clock))});
  table.add(
      {"latency of arithmetic", fmt::format("{} clocks", profile.sm.pipes.alu_latency_clocks)});
  table.add({"latency of shared memory", nanoseconds(profile.shared.latency_seconds)});
  if (profile.l2.bytes) {
    table.add({"latency of L2", nanoseconds(profile.l2.latency_seconds)});
  }
  table.add({"latency of DRAM", nanoseconds(profile.dram.latency_seconds)});
  table.add({"opening a DRAM page",
             fmt::format("{} ns, of {} bytes", text::number(profile.dram.page_seconds * 1e9),
                         profile.dram.page_bytes)});
  table.add(
      {"block barrier", fmt::format("{} clocks, {} a warp", text::number(profile.sm.barrier_clocks),
                                    text::number(profile.sm.barrier_clocks_per_warp))});
  table.add({"start of a block", nanoseconds(profile.launch.block_seconds)});
  table.add({"start of a launch", nanoseconds(profile.launch.overhead_seconds)});
  table.add({"error of modelled speeds", error_of_speeds(profile)});
  for (std::size_t i = 0; i < device::kKernelKinds.size(); ++i) {
    if (profile.errors.speed_by_kind.at(i) == 0) continue;
    table.add({fmt::format("error for {}", device::kManyKernels.at(i)),
               fmt::format("{:.0f} %; margin of a gate: {:.0f} %",
                           100 * profile.errors.speed_by_kind.at(i),
                           100 * profile.errors.margin_by_kind.at(i))});
  }
  table.add({"validated by", profile.validated.empty() ? "no time of a card" : profile.validated});
  return table.text(0, text::style_of_stdout());
}

}  // namespace

int run_devices(const std::string& name) {
  print(name.empty() ? table_of_all() : numbers_of(device::find(name)));
  return 0;
}

}  // namespace warpgrade::grader::cli
