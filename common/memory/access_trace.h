// SPDX-License-Identifier: Apache-2.0
// Records the requests of a few warps address by address, as input for pictures of a kernel's
// accesses.
//
// An observer of one launch. The requests are those of machine code, as counters have them
// (classifier.h). It groups accesses to global and shared memory by source line, kind, width and
// memory (a buffer or a variable), and joins the copies of an unrolled loop. It keeps only the
// first requests of each group and warp, so a trace stays small for every kernel.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/device/profile.h"
#include "common/memory/classifier.h"
#include "common/memory/counters.h"
#include "common/memory/machine_access.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

struct TracedRequest {
  std::uint64_t block = 0;  ///< Linear index.
  std::uint32_t warp = 0;   ///< Within its block.
  std::uint32_t pass = 0;   ///< Number among its warp's requests of this line, from 0.
  std::uint32_t mask = 0;
  std::array<std::uint64_t, run::kWarpSize> address{};  ///< See run::MemoryEvent; 0: inactive.

  friend bool operator==(const TracedRequest&, const TracedRequest&) = default;
};

/// The memory of an access: a buffer, a variable of the module, or a variable in shared memory.
struct TracedMemory {
  std::string name;         ///< As in the source; empty if no memory contains the address.
  std::uint64_t first = 0;  ///< Address of its first byte.
  std::uint64_t bytes = 0;

  friend bool operator==(const TracedMemory&, const TracedMemory&) = default;
};

struct TracedLine {
  base::SourceLocation where;  ///< File and line.
  MemoryOperation operation;
  AtomicForm form;          ///< The implementation of an atomic.
  std::uint32_t bytes = 0;  ///< Bytes per lane.
  TracedMemory memory;      ///< The memory that the first active lane accesses.
  std::vector<TracedRequest> requests;
};

/// Selects the traced warps and limits the requests per line.
struct TraceLimits {
  std::vector<std::uint64_t> blocks = {0};  ///< Linear indices.
  std::uint32_t warp = 0;                   ///< The first traced warp of each block.
  std::uint32_t warps = 8;                  ///< Traced warps of the first block; others have one.
  std::uint32_t passes = 16;                ///< For the first traced warp of the first block.
  std::uint32_t passes_elsewhere = 4;
  std::uint32_t lines = 64;
};

class AccessTrace final : public run::Observer {
 public:
  /// Requests as on `profile`, which must outlive this; `machine` as for Counters.
  AccessTrace(const device::Profile& profile, TraceLimits limits, MachineAccesses machine = {})
      : profile_(&profile),
        limits_(std::move(limits)),
        machine_(std::move(machine)),
        classifier_(profile) {}

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_block_begin(std::uint64_t linear_block) override;
  void on_memory(const run::MemoryEvent& event) override;

  /// Lines in source order, then in order of execution. The requests of a line are sorted by block
  /// (in the order of the limits) and warp, then by execution.
  std::vector<TracedLine> lines() const;

 private:
  friend class Classifier;  // calls:
  template <typename AnyLines>
  void on_global(const run::MemoryEvent& event, const GlobalUse& /*use*/,
                 const AnyLines& /*touched*/) {
    keep(event);
  }
  void on_shared(const run::MemoryEvent& event, const SharedAccess& /*access*/) { keep(event); }
  void on_shared_loop(const run::MemoryEvent& event, const SharedLoop& /*loop*/) { keep(event); }
  void on_local(const run::MemoryEvent& /*event*/, const GlobalAccess& /*access*/,
                const Lines& /*touched*/) {}
  void on_cluster(const run::MemoryEvent& /*event*/, const GlobalAccess& /*access*/) {}

  void keep(const run::MemoryEvent& event);
  TracedLine* line_for(const run::MemoryEvent& event, std::uint64_t address);
  TracedMemory memory_at(run::Space space, std::uint64_t address) const;

  const device::Profile* profile_;
  TraceLimits limits_;
  MachineAccesses machine_;
  Classifier classifier_;
  std::vector<base::SourceLocation> places_;  // by instruction
  std::vector<TracedMemory> buffers_;         // and variables in global memory
  std::vector<TracedMemory> shared_;
  std::vector<TracedLine> lines_;
  std::uint64_t block_ = 0;
  std::uint32_t warps_ = 0;  // traced warps of the current block
};

}  // namespace warpgrade::memory
