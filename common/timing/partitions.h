// SPDX-License-Identifier: Apache-2.0
// The memory partitions of a card that interleaves addresses plainly: cc 1.x.
//
// Each is a queue of its own, partition_width bytes of addresses in turn. Where the transactions of
// all resident blocks go to one of them, the others idle: partition camping. A transaction takes
// its bytes' time, and more where its DRAM page is not open in its bank.
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

  /// When the transaction, ready at `arrival`, finds room in its partition's queue.
  double admission(double arrival, const memory::Transaction& transaction) const;
  /// End of the transaction's service, in clocks of the multiprocessors.
  double serve(double arrival, const memory::Transaction& transaction);

  /// Clocks that the partitions were busy, on average.
  double mean_busy() const;
  /// Sum over short spans of time of the clocks in which the busiest partition of the span was.
  double busiest() const;

 private:
  struct Partition {
    double free_at = 0;
    std::vector<std::uint64_t> open;  ///< Page of each bank, plus 1.
    std::vector<double> busy;         ///< By span of time.
  };
  double clocks_per_byte_ = 0;
  double page_clocks_ = 0;
  double queue_clocks_ = 0;  ///< Work waiting in a partition that takes no more.
  memory::Divisor width_;
  memory::Divisor count_;
  memory::Divisor page_bytes_;
  memory::Divisor banks_;
  std::vector<Partition> partitions_;
};

}  // namespace warpgrade::timing
