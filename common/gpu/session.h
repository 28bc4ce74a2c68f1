// SPDX-License-Identifier: Apache-2.0
// One GPU used by one process: load a program, launch, time, copy.
//
// In: a program, a sequence of launches, buffers. Out: the buffers after it, its time, and
// findings. Buffers are between guard bytes, which reveal writes past either end. Inputs are
// compared with their old content. Reads past a buffer, reads of uninitialised bytes and races go
// unnoticed here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/gpu/device_info.h"
#include "common/gpu/platform.h"
#include "common/run/launch.h"
#include "common/run/runner.h"

namespace warpgrade::gpu {

// Device memory of one buffer between guard bytes that reveal writes past either end.

/// Guard bytes on each side of a buffer; writes further away go unnoticed.
constexpr std::size_t kGuardBytes = 4096;

/// An allocation that is freed at the end of its life, ignoring errors.
class Allocation {
 public:
  Allocation(const Driver& driver, std::size_t bytes);
  ~Allocation();
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  DevicePointer address() const { return address_; }

 private:
  const Driver& driver_;
  DevicePointer address_ = 0;
};

class GuardedMemory {
 public:
  /// Allocates room for `bytes` bytes, aligned to 256, and writes the guards.
  GuardedMemory(const Driver& driver, std::size_t bytes);
  /// The same in existing memory of the caller: room_for(bytes) bytes at `room`.
  GuardedMemory(const Driver& driver, std::size_t bytes, DevicePointer room);
  static std::size_t room_for(std::size_t bytes) { return bytes + 2 * kGuardBytes; }

  DevicePointer address() const { return room_ + kGuardBytes; }
  std::size_t size() const { return bytes_; }
  void write(std::span<const std::byte> content) const;
  void read(std::span<std::byte> content) const;

  /// "wrote 4 bytes past the end of out, first at byte 4096 (out has 4096 bytes)" if a guard
  /// changed; `name` is the buffer's name.
  std::optional<std::string> damage(const std::string& name) const;

 private:
  void write_guards() const;

  const Driver& driver_;
  std::size_t bytes_;
  std::unique_ptr<Allocation> own_;
  DevicePointer room_;
};

// The driver's inputs of a launch: a kernel of a loaded module, and the arguments.

/// A loaded module; unloaded at the end of its life.
class Module {
 public:
  Module(const Driver& driver, const std::vector<char>& code);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  /// Throws base::UsageError if the module has no kernel of that name.
  Handle function(const std::string& kernel) const;
  /// The address of a variable. Throws base::UsageError if the module has none of that name, or if
  /// it has another size.
  DevicePointer variable(const std::string& name, std::size_t bytes) const;

 private:
  const Driver& driver_;
  Handle module_ = nullptr;
};

using DeviceBuffers = std::vector<std::unique_ptr<GuardedMemory>>;

/// Arguments in the form that the driver requires: a pointer to each value.
class Arguments {
 public:
  /// Throws base::UsageError if an argument names a missing buffer.
  Arguments(const run::Launch& launch, const DeviceBuffers& memory);

  /// Throws base::UsageError if the kernel has other parameters; drivers before 12.4 do not report
  /// them.
  void check_against(const Driver& driver, Handle function, const std::string& kernel) const;
  void** pointers() { return pointers_.data(); }

 private:
  std::vector<std::vector<std::byte>> values_;
  std::vector<void*> pointers_;
};

struct LaunchOutcome {
  std::vector<base::Diagnostic> diagnostics;
  std::vector<double> seconds;         ///< By finished sample.
  std::vector<double> launch_seconds;  ///< By launch, each run separately, if there are several.
  bool device_lost = false;            ///< This process can no longer use the device.
};

/// How long the device was busy, by its own events and by the host's clock around them.
struct Timing {
  double seconds = 0;
  double host_seconds = 0;
};

class Session {
 public:
  /// Opens the device with this number. A kernel that runs longer than `limit` seconds by the clock
  /// `now` is a runaway. Throws DriverError or base::ToolError if no device is usable, and
  /// base::UsageError if only other devices exist.
  Session(const Driver& driver, double limit, std::function<double()> now, int ordinal = 0);
  ~Session();

  const DeviceInfo& device() const { return device_; }
  const Driver& driver() const { return driver_; }
  double limit() const { return limit_; }

  /// Stores a cubin; the next launch reports an error if it does not match the device.
  void load(std::vector<char> machine_code) { machine_code_ = std::move(machine_code); }

  /// Runs `sequence` `samples` times, each from the same content of `buffers`, and flushes L2
  /// before each if `flush`; `buffers` then contain the last result. Several launches first run
  /// once more, separately, so that a fault names its launch. Throws base::UsageError if geometry
  /// or arguments do not match.
  LaunchOutcome run(const run::Sequence& sequence, std::vector<run::Buffer>& buffers,
                    std::uint32_t samples, bool flush);

  /// Seconds of the driver's device-to-device copies of `bytes` bytes, L2 flushed before each.
  std::vector<double> copy(std::uint64_t bytes, std::uint32_t samples);

  /// Runs launches of kernels of `module` back to back and waits for the last; returns nullopt if
  /// they exceed the limit, and then the device is lost. Throws base::UsageError if the device
  /// rejects one of them.
  std::optional<Timing> launch(const Module& module, const run::Sequence& sequence,
                               const DeviceBuffers& memory);

  /// Throws base::UsageError if the device does not support the grid or block of a launch.
  void check_geometry(const run::Sequence& sequence) const;

  int attribute(int which) const;

  /// Overwrites the contents of L2 and resets the lines that a kernel marked as persisting.
  void flush_l2();

  /// Creates a new context, in which no data of earlier kernels survives (heap, shared memory,
  /// freed buffers). All memory must have been freed. Returns false if the driver does not support
  /// this.
  bool renew();

 private:
  void open_context();
  std::optional<Timing> timed(const std::function<void()>& work);
  void prepare(Handle function, const run::Launch& launch, const Arguments& arguments);
  bool launch_apart(const run::Sequence& sequence, const DeviceBuffers& memory,
                    LaunchOutcome& outcome);
  void abandon();

  Driver driver_;  // a copy, because abandon() changes it
  double limit_;
  std::function<double()> now_;
  int handle_ = 0;  // The driver's handle of the device.
  DeviceInfo device_;
  std::vector<char> machine_code_;
  std::unique_ptr<Allocation> flush_;
  unsigned char flush_value_ = 0;
};

/// The diagnostic for a forbidden write by `kernel`: past a buffer, or to an input.
base::Diagnostic damage_diagnostic(const std::string& kernel, const std::string& damage);
base::Diagnostic input_diagnostic(const std::string& kernel, const run::Buffer& input,
                                  std::span<const std::byte> found);

}  // namespace warpgrade::gpu
