// SPDX-License-Identifier: Apache-2.0
// The events of a thread block cluster as those of one large block, for checkers.
//
// The checkers know the threads and the shared memory of one block. The blocks of a cluster share
// their memory and can order each other, so the checkers see the cluster as a block with the warps
// of all its blocks: warp w of rank r is warp r * W + w, and byte b of its shared memory is byte r
// * S + b. A barrier of one block is a barrier of a part of that block, and a barrier of the
// cluster is a barrier of all of it.
//
// Not modelled: scopes narrower than the cluster between its blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/run/observer.h"

namespace warpgrade::check {

class ClusterEvents {
 public:
  explicit ClusterEvents(const run::LaunchContext& context);

  /// The launch with the cluster as a block.
  const run::LaunchContext& context() const { return context_; }
  /// Bytes of shared memory of one block.
  std::uint32_t stride() const { return stride_; }

  /// A block of the cluster begins. Returns true for the first one.
  bool begin() { return running_++ == 0; }
  /// A block has ended. Returns true for the last one.
  bool end() { return --running_ == 0; }

  /// The results are valid until the next event.
  const run::MemoryEvent& memory(const run::MemoryEvent& event, std::uint32_t rank);
  /// nullopt for the repetition of a barrier of the cluster, which each of its blocks reports.
  std::optional<run::BarrierEvent> barrier(const run::BarrierEvent& event, std::uint32_t rank);
  run::OrderEvent order(const run::OrderEvent& event, std::uint32_t rank);
  run::CopyEvent copy(const run::CopyEvent& event, std::uint32_t rank);
  run::BulkEvent bulk(const run::BulkEvent& event, std::uint32_t rank) const;

 private:
  std::uint64_t place(std::uint64_t offset, std::uint32_t rank) const;
  std::uint64_t object(std::uint64_t number, std::uint32_t rank) const;
  const std::uint64_t* objects(const std::uint64_t* numbers, std::uint32_t mask,
                               std::uint32_t rank);

  run::LaunchContext context_;
  std::uint32_t warps_ = 0;   // of one block
  std::uint32_t stride_ = 0;  // from one block's shared memory to the next one's
  std::uint32_t running_ = 0;
  std::uint64_t phases_ = 0;  // barriers of the cluster
  run::MemoryEvent event_;
  std::uint64_t addresses_[run::kWarpSize] = {};
  std::vector<std::uint32_t> members_;
};

}  // namespace warpgrade::check
