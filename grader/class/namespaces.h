// SPDX-License-Identifier: Apache-2.0
// Linux namespaces for a process with a card, if the system has no bubblewrap.
//
// CUDA's driver names its threads in /proc/PID/task/TID/comm, of processes that start after the
// confinement, and listens on a local socket. So a confined process with a card must be allowed to
// write below /proc and to listen. In namespaces of its own it finds no other process in /proc, the
// kernel's settings there are read-only, and no process outside can connect to it.
#pragma once

#include <sys/types.h>

#include <functional>

namespace warpgrade::grader::class_book {

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

}  // namespace warpgrade::grader::class_book
