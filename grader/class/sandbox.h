// SPDX-License-Identifier: Apache-2.0
// Confines a process that reads a student's bytes, on Linux, in two layers that hold for all that
// it starts:
//
// - bubblewrap, if available: namespaces without a network or other processes, and a read-only file
//   system of the few folders that grading needs;
// - Landlock and seccomp in the process itself: it opens no other file, makes no connection, starts
//   no program but the compiler, traces no process, and gains no privileges.
//
// If a kernel has neither, the process runs with limits alone, and the caller reports it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpgrade::grader::class_book {

struct ProcessLimits {
  std::uint64_t cpu_seconds = 600;
  /// Limit on address space: a launch reserves buffers of many gigabytes and touches little of
  /// them. The simulator limits the memory that it touches.
  std::uint64_t memory_bytes = std::uint64_t{64} << 30;
  std::uint64_t file_bytes = std::uint64_t{64} << 20;  ///< The largest file that it may write.
  std::uint64_t open_files = 256;
  std::uint64_t processes = 1024;  ///< Includes threads; no limit on root outside a namespace.
};

/// Lowers this process's limits and disables core dumps; never raises a limit.
void limit_process(const ProcessLimits& limits);

/// Paths that a confined process sees; missing ones are skipped.
struct View {
  std::vector<std::string> readable;  ///< Files and folders, to be read and executed.
  std::vector<std::string> writable;  ///< To be read and written: devices.
  /// It uses a GPU: a separate process holds the card, at the other end of a pair of sockets.
  bool card = false;
};

/// The nodes of graphics cards in the folder `devices`: a driver writes to no others.
std::vector<std::string> card_devices(const std::filesystem::path& devices = "/dev");

/// The confinement that holds for a process.
struct Confinement {
  bool bubblewrap = false;
  int landlock = 0;  ///< The version of the kernel's interface; 0: none.
  bool seccomp = false;
  /// Without bubblewrap: namespaces for processes with a card (namespaces.h).
  bool apart_with_card = false;
};

/// "bubblewrap, Landlock 7, seccomp", or "none: ..." with advice.
std::string describe(const Confinement& confinement);

/// Confines this process, for good, to `view`: Landlock and seccomp. Returns what holds.
Confinement confine(const View& view);

/// The confinement that confine() would give; does not change this process.
Confinement available_confinement();

/// Whether bubblewrap is installed and may make its namespaces here.
bool has_bubblewrap();

/// The words before a command that run it under bubblewrap with `view` and an empty /tmp; with a
/// `gpu` it has the machine's devices.
std::vector<std::string> bubblewrap_words(const View& view, bool gpu);

}  // namespace warpgrade::grader::class_book
