// SPDX-License-Identifier: Apache-2.0
// Confines a process that reads a student's bytes, on Linux, in two layers.
//
// In: the paths that the process may read and write, and whether it uses a card. Out: a process
// that is confined for good, with everything that it starts, and a description of what holds.
// The layers are bubblewrap, if available, and Landlock with seccomp in the process itself.
// Without bubblewrap, a process with a card gets Linux namespaces of its own.
// If a kernel has neither layer, the process runs with limits alone, and the caller reports it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace warpgrade::grader::class_book {

// Linux namespaces for a process with a card, if the system has no bubblewrap.
//
// CUDA's driver names its threads in /proc/PID/task/TID/comm, of processes that start after the
// confinement, and listens on a local socket. So a confined process with a card must be allowed to
// write below /proc and to listen. In namespaces of its own it finds no other process in /proc, the
// kernel's settings there are read-only, and no process outside can connect to it.

/// fork() into new namespaces of processes, mounts, network and System V IPC. The parent gets a
/// process that ends as the child does, and whose end kills the child. Without namespaces that
/// process exits with 1 and starts no child.
pid_t fork_apart();

/// Whether `act` returns true in a child of fork_apart(); false without namespaces.
bool works_apart(const std::function<bool()>& act);

/// Whether fork_apart() works for this user and this kernel; tries it.
inline bool can_fork_apart() {
  return works_apart([] { return true; });
}

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
  /// Without bubblewrap: namespaces for processes with a card (sandbox.h).
  bool apart_with_card = false;
};

/// "bubblewrap, Landlock 7, seccomp", or "none: ..." with advice.
std::string describe(const Confinement& confinement);

/// Confines this process, for good, to `view`: Landlock and seccomp. Returns what holds.
Confinement confine(const View& view);

/// The confinement that confine() would give; does not change this process.
Confinement available_confinement();

/// The words before a command that run it under bubblewrap with `view` and an empty /tmp; with a
/// `gpu` it has the machine's devices.
std::vector<std::string> bubblewrap_words(const View& view, bool gpu);

}  // namespace warpgrade::grader::class_book
