// SPDX-License-Identifier: Apache-2.0
// The requests of a few warps as they were made, address by address: what a picture of a kernel's
// accesses is drawn from.
//
// An observer of one launch. Accesses to global and shared memory are kept by source line, kind,
// width and memory (a buffer, a variable), those of an unrolled loop together. Of a warp the first
// so many of each are kept, so that a trace is small whatever the kernel does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/memory/memory_operation.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

struct TracedRequest {
  std::uint64_t block = 0;  ///< Linear index.
  std::uint32_t warp = 0;   ///< Within its block.
  std::uint32_t pass = 0;   ///< Which of its warp's in this line, from 0.
  std::uint32_t mask = 0;
  std::array<std::uint64_t, run::kWarpSize> address{};  ///< See run::MemoryEvent; 0: inactive.

  friend bool operator==(const TracedRequest&, const TracedRequest&) = default;
};

/// The memory that an access goes to: a buffer, a variable of the module, or one in shared memory.
struct TracedMemory {
  std::string name;         ///< In the source's words; empty where no memory holds the address.
  std::uint64_t first = 0;  ///< Address of its first byte.
  std::uint64_t bytes = 0;

  friend bool operator==(const TracedMemory&, const TracedMemory&) = default;
};

struct TracedLine {
  base::SourceLocation where;  ///< File and line.
  MemoryOperation operation;
  std::uint32_t bytes = 0;  ///< The bytes that each lane moves.
  TracedMemory memory;      ///< The memory of the first active lane's address.
  std::vector<TracedRequest> requests;
};

/// Which warps are traced, and how many requests a line of each.
struct TraceLimits {
  std::vector<std::uint64_t> blocks = {0};  ///< Linear indices; of the first one several warps.
  std::uint32_t warp = 0;                   ///< The first one that is traced of each block ...
  std::uint32_t warps = 8;                  ///< ... and how many of the first block; else one.
  std::uint32_t passes = 16;                ///< Of that warp in the first block.
  std::uint32_t passes_elsewhere = 4;
  std::uint32_t lines = 64;
};

class AccessTrace final : public run::Observer {
 public:
  explicit AccessTrace(TraceLimits limits) : limits_(std::move(limits)) {}

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_block_begin(std::uint64_t linear_block) override;
  void on_memory(const run::MemoryEvent& event) override;

  /// In the order of the source, in a line in that of execution. The requests of each by block, the
  /// first of the limits before the others, and by warp in the order of execution.
  std::vector<TracedLine> lines() const;

 private:
  TracedLine* line_for(const run::MemoryEvent& event, std::uint64_t address);
  TracedMemory memory_at(run::Space space, std::uint64_t address) const;

  TraceLimits limits_;
  std::vector<base::SourceLocation> places_;  // Of each instruction.
  std::vector<TracedMemory> buffers_;         // And variables, of global memory.
  std::vector<TracedMemory> shared_;
  std::vector<TracedLine> lines_;
  std::uint64_t block_ = 0;
  std::uint32_t warps_ = 0;  // Of the current block that are traced.
};

}  // namespace warpgrade::memory
