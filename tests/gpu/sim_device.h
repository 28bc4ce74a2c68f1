// SPDX-License-Identifier: Apache-2.0
// The device behind sim_driver.h: its memory, modules and clock, and the effects of a launch on
// them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/run/launch.h"
#include "common/sim/simulator.h"
#include "sim_driver.h"

namespace warpgrade::gpu::testing {

// CUresult of cuda.h, CUDA 13.0.
constexpr Status kOutOfMemory = 2;
constexpr Status kInvalidPtx = 218;
constexpr Status kNotFound = 500;
constexpr Status kIllegalAddress = 700;
constexpr Status kAssert = 710;
constexpr Status kMisaligned = 716;
constexpr Status kLaunchFailed = 719;
constexpr Status kNotSupported = 801;

constexpr std::uint32_t kSharedWithoutAsking = 48 << 10;
constexpr double kMoveOverhead = 1e-6;  // Seconds, about those of a small memset on a card.

// A loaded module.
struct Module {
  compile::Program program;
  sim::Simulator simulator;
  std::vector<std::vector<std::byte>> variables;
};

struct Function {
  Module* module = nullptr;
  std::string name;
  std::uint32_t most_dynamic_shared = kSharedWithoutAsking;
};

struct Event {
  double at = 0;
  bool never = false;  // Recorded after a kernel that does not end.
};

struct SimDevice {
  SimScript script;
  const device::Profile* profile = nullptr;
  std::vector<compile::Program> known;
  std::vector<run::Buffer> memory{1};                  // One buffer: all mapped memory.
  std::map<std::uint64_t, std::uint64_t> allocations;  // Offset -> bytes.
  std::map<Handle, std::unique_ptr<Module>> modules;
  std::vector<std::unique_ptr<Function>> functions;  // Kept until the process ends.
  std::map<Handle, std::unique_ptr<Event>> events;
  std::mt19937_64 random;
  std::uint64_t launches = 0;
  double clock = 0;
  Status fault = kSuccess;
  bool endless = false;
  std::string printed;    // For standard output, at the next synchronization.
  std::string complaint;  // For standard error, likewise: failed asserts.

  /// Executes the launch and advances the clock. A failure becomes the fault or an endless launch.
  /// Throws base::UsageError if the launch does not fit the kernel or the device.
  void execute(const Function& function, const run::Launch& launch);

  /// Bytes of device memory; empty unless all of them are mapped.
  std::span<std::byte> mapped(std::uint64_t address, std::uint64_t bytes);

  /// Advances the clock by the time to move `bytes` bytes through DRAM.
  void move(std::uint64_t bytes);

  /// The value of a CUdevice_attribute; nullopt if this driver does not know it.
  std::optional<int> attribute(int which) const;

 private:
  void end_with(const base::Diagnostic& found);
  // Does the work of the harness's own fingerprint kernel on the host. Returns false, without
  // effect, unless all its memory is mapped.
  bool take_fingerprint(const run::Launch& launch);
  double scripted_factor();
};

/// The kernel, linked with the functions that it calls.
const ptx::Function& linked(const Function& function);

/// The contents of a module's variables before the first launch, in the order of the module.
std::vector<std::vector<std::byte>> initial_variables(const ptx::Module& module);

/// Size in bytes of the ELF file that begins at `image`.
std::size_t elf_bytes(const char* image);

/// The program in `image`: PTX text, or machine code of one of `known`. nullptr for other machine
/// code.
std::unique_ptr<compile::Program> program_of(const char* image,
                                             const std::vector<compile::Program>& known);

}  // namespace warpgrade::gpu::testing
