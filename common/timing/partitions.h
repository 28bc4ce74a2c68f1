// SPDX-License-Identifier: Apache-2.0
// The memory partitions of a card with simply interleaved addresses: cc 1.x.
//
// Each partition is a queue and serves partition_width bytes of addresses in turn. If the
// transactions of all resident blocks go to one partition, the others idle: partition camping. A
// transaction needs time for its bytes, and more if its DRAM page is not open in its bank.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/divisor.h"
#include "common/memory/global_access.h"

namespace warpgrade::timing {

class Partitions {
 public:
  explicit Partitions(const device::Profile& profile);

  /// The time when the transaction, ready at `arrival`, enters its partition's queue.
  double admission(double arrival, const memory::Transaction& transaction) const;
  /// End of the transaction's service, in SM clocks.
  double serve(double arrival, const memory::Transaction& transaction);

  /// Busy clocks, averaged over the partitions.
  double mean_busy() const;
  /// Busy clocks of the busiest partition, determined per short span of time and summed.
  double busiest() const;

 private:
  struct Partition {
    double free_at = 0;
    std::vector<std::uint64_t> open;  ///< By bank: page number plus 1.
    std::vector<double> busy;         ///< By span of time.
  };
  double clocks_per_byte_ = 0;
  double page_clocks_ = 0;
  double queue_clocks_ = 0;  ///< Length of a full queue.
  memory::Divisor width_;
  memory::Divisor count_;
  memory::Divisor page_bytes_;
  memory::Divisor banks_;
  std::vector<Partition> partitions_;
};

}  // namespace warpgrade::timing
