// SPDX-License-Identifier: Apache-2.0
#include "sim_device.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/base/finding_text.h"
#include "common/gpu/timed_memory.h"
#include "common/measure/model_launch.h"
#include "common/memory/counters.h"
#include "common/ptx/module.h"
#include "common/sim/memory/address_space.h"
#include "common/timing/bound.h"
#include "common/timing/tracer.h"
#include "host_fingerprint.h"

namespace warpgrade::gpu::testing {
namespace {

constexpr std::uint32_t kRegistersOfPtx = 32;
// The host computes the harness's own fingerprints of more bytes, because simulating them would be
// most of the work of a timed launch.
constexpr std::uint64_t kMostFingerprinted = std::uint64_t{64} << 10;

compile::Resources resources_of(const Function& function) {
  for (const auto& kernel : function.module->program.kernels) {
    if (kernel.name == function.name) return kernel.resources;
  }
  compile::Resources resources;
  resources.registers_per_thread = kRegistersOfPtx;
  const auto add = [&](const std::vector<ptx::Variable>& variables) {
    for (const auto& variable : variables) {
      if (variable.space != ptx::StateSpace::kShared) continue;
      resources.static_shared_bytes += static_cast<std::uint32_t>(variable.bytes);
    }
  };
  add(linked(function).variables);
  add(function.module->simulator.module().variables);
  return resources;
}

// The line that the driver prints for a failed assert, made from the simulator's message. Empty for
// other messages.
std::string assertion(const base::Diagnostic& found) {
  constexpr std::string_view kText = "assertion `";
  constexpr std::string_view kFunction = "' failed in '";
  const auto text = base::text(found);
  const auto middle = text.find(kFunction);
  if (!text.starts_with(kText) || middle == std::string::npos) return {};
  const auto begin_name = middle + kFunction.size();
  const auto name = text.substr(begin_name, text.find("';") - begin_name);
  const auto block = found.block.value_or(base::Dim3{});
  const auto thread = found.thread.value_or(base::Dim3{});
  return fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n",
                     found.where.file, found.where.line, name, block.x, block.y, block.z, thread.x,
                     thread.y, thread.z, text.substr(kText.size(), middle - kText.size()));
}

std::uint64_t word_of(const run::Launch& launch, std::size_t argument) {
  std::uint64_t word = 0;
  const auto& bytes = std::get<run::ValueArgument>(launch.arguments.at(argument));
  std::memcpy(&word, bytes.data(), std::min(sizeof word, bytes.size()));
  return word;
}

bool is_large_fingerprint(const Function& function, const run::Launch& launch) {
  return function.name == kFingerprintKernel &&
         function.module->program.source == kFingerprintSource &&
         word_of(launch, 2) > kMostFingerprinted;
}

}  // namespace

// The file ends with its last section or table.
std::size_t elf_bytes(const char* image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  auto end = header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, image + header.e_shoff + i * header.e_shentsize, sizeof section);
    if (section.sh_type != SHT_NOBITS) end = std::max(end, section.sh_offset + section.sh_size);
  }
  return std::max(end, header.e_phoff + std::uint64_t{header.e_phnum} * header.e_phentsize);
}

const ptx::Function& linked(const Function& function) {
  return function.module->simulator.function(function.name);
}

std::vector<std::vector<std::byte>> initial_variables(const ptx::Module& module) {
  std::vector<std::vector<std::byte>> out;
  for (const auto& variable : module.variables) {
    const bool is_kept =
        variable.space == ptx::StateSpace::kGlobal || variable.space == ptx::StateSpace::kConstant;
    auto& bytes = out.emplace_back(is_kept ? variable.bytes : 0);
    if (is_kept) std::copy(variable.initial.begin(), variable.initial.end(), bytes.begin());
  }
  return out;
}

std::unique_ptr<compile::Program> program_of(const char* image,
                                             const std::vector<compile::Program>& known) {
  if (std::memcmp(image, ELFMAG, SELFMAG) != 0) {
    auto program = std::make_unique<compile::Program>();
    program->ptx = {image, {}};
    return program;
  }
  const auto size = elf_bytes(image);
  for (const auto& program : known) {
    const auto& code = program.machine_code;
    if (code.size() >= size && std::memcmp(code.data(), image, size) == 0) {
      return std::make_unique<compile::Program>(program);
    }
  }
  return nullptr;
}

// Ends the launch as a card would after this finding of the simulator.
void SimDevice::end_with(const base::Diagnostic& found) {
  switch (found.kind) {
    case base::DiagnosticKind::kOutOfBounds: {
      const auto text = base::text(found);
      const bool on_chip = text.find("shared memory") != std::string::npos ||
                           text.find("local arrays") != std::string::npos;
      fault = on_chip ? kLaunchFailed : kIllegalAddress;
      return;
    }
    case base::DiagnosticKind::kMisaligned:
      fault = kMisaligned;
      return;
    case base::DiagnosticKind::kTrap:
      complaint = assertion(found);
      fault = complaint.empty() ? kLaunchFailed : kAssert;
      return;
    case base::DiagnosticKind::kRunaway:
    case base::DiagnosticKind::kDeadlock:
    case base::DiagnosticKind::kDivergentBarrier:
      endless = true;
      return;
    default:
      fault = kNotSupported;
  }
}

double SimDevice::scripted_factor() {
  std::uniform_real_distribution<double> deviation(-1, 1);
  const double noisy = 1 + script.noise * deviation(random);
  return noisy * (launches >= script.throttled_from ? script.throttle : 1);
}

std::span<std::byte> SimDevice::mapped(std::uint64_t address, std::uint64_t bytes) {
  const std::span<std::byte> all(memory[0].bytes);
  const auto offset = address - sim::kBufferBase;
  if (address < sim::kBufferBase || offset > all.size() || bytes > all.size() - offset) return {};
  return all.subspan(offset, bytes);
}

void SimDevice::move(std::uint64_t bytes) {
  const double rate = profile->dram.bytes_per_second * profile->dram.efficiency;
  clock += kMoveOverhead + static_cast<double>(bytes) / rate;
}

bool SimDevice::take_fingerprint(const run::Launch& launch) {
  const auto bytes = word_of(launch, 2);
  const auto sums = mapped(word_of(launch, 0), sizeof(Fingerprint));
  const auto data = mapped(word_of(launch, 1), bytes);
  if (sums.empty() || data.empty()) return false;
  const auto found = fingerprint(data, {word_of(launch, 3), word_of(launch, 4)});
  Fingerprint sum;
  std::memcpy(&sum, sums.data(), sizeof sum);
  sum.low += found.low;
  sum.high += found.high;
  std::memcpy(sums.data(), &sum, sizeof sum);
  move(bytes);
  return true;
}

void SimDevice::execute(const Function& function, const run::Launch& launch) {
  if (is_large_fingerprint(function, launch) && take_fingerprint(launch)) return;
  const auto resources = resources_of(function);
  const auto occupancy = timing::occupancy(
      *profile, static_cast<std::uint32_t>(base::volume(launch.block)),
      resources.registers_per_thread, resources.static_shared_bytes + launch.dynamic_shared_bytes);
  const auto blocks = base::volume(launch.grid);
  auto timed = measure::timed_blocks(*profile, occupancy, linked(function), launch, /*draw=*/0);
  timing::Observation observation(*profile, occupancy, std::move(timed.sample),
                                  std::move(timed.executed));
  memory::Counters counters(*profile);
  run::Options options;
  options.block_budget = script.block_budget;
  options.variables = &function.module->variables;
  options.observers.push_back(&counters);
  observation.attach_beside_counters(options, blocks);
  const auto result = function.module->simulator.launch(launch, memory, options);
  printed += result.printed;
  if (!result.diagnostics.empty()) {
    end_with(result.diagnostics.front());
    return;
  }
  const auto time = observation.estimate(result, counters, blocks, {}, timing::LaunchPlace::kFirst);
  clock += time.seconds * scripted_factor();
}

std::optional<int> SimDevice::attribute(int which) const {
  if (const auto own = script.attributes.find(which); own != script.attributes.end()) {
    return own->second;
  }
  const std::map<int, int> of_any = {
      {kMaxThreadsPerBlock, 1024},
      {kMaxBlockX, 1024},
      {kMaxBlockY, 1024},
      {kMaxBlockZ, 64},
      {kMaxGridX, 0x7fffffff},
      {kMaxGridY, 65535},
      {kMaxGridZ, 65535},
      {kMultiprocessors, 2},  // few, so that work on each of them is quick to simulate
      {kMaxSharedPerBlock, static_cast<int>(profile->shared.max_bytes_per_block)},
      {kL2CacheSize, script.l2_bytes},
      {kComputeMajor, static_cast<int>(profile->compute.major)},
      {kComputeMinor, static_cast<int>(profile->compute.minor)}};
  const auto found = of_any.find(which);
  return found == of_any.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace warpgrade::gpu::testing
