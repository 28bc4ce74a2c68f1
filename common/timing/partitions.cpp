// SPDX-License-Identifier: Apache-2.0
#include "common/timing/partitions.h"

#include <algorithm>
#include <numeric>

namespace warpgrade::timing {
namespace {

/// Clocks over which the busiest partition is determined: the time of a few blocks.
constexpr double kSpan = 4096;

}  // namespace

Partitions::Partitions(const device::Profile& profile)
    : width_(std::max<std::uint64_t>(profile.dram.partition_width, 1)),
      count_(profile.dram.partitions.value_or(1)),
      partitions_(profile.dram.partitions.value_or(0)) {
  if (partitions_.empty()) return;
  const double rate = profile.dram.bytes_per_second * profile.dram.efficiency /
                      static_cast<double>(partitions_.size());
  clocks_per_byte_ = profile.sm.clock_hz / rate;
  page_clocks_ = profile.dram.page_seconds * profile.sm.clock_hz;
  queue_clocks_ = profile.dram.partition_queue_bytes * clocks_per_byte_;
  page_bytes_ = memory::Divisor(std::max(1U, profile.dram.page_bytes));
  banks_ = memory::Divisor(std::max<std::uint64_t>(profile.dram.banks, 1));
  for (Partition& partition : partitions_) partition.open.resize(profile.dram.banks);
}

double Partitions::admission(double arrival, const memory::Transaction& transaction) const {
  const Partition& partition = partitions_[count_.remainder(width_.quotient(transaction.address))];
  return std::max(arrival, partition.free_at - queue_clocks_);
}

double Partitions::serve(double arrival, const memory::Transaction& transaction) {
  const std::uint64_t piece = width_.quotient(transaction.address);
  Partition& partition = partitions_[count_.remainder(piece)];
  const std::uint64_t page = page_bytes_.quotient(count_.quotient(piece) * width_.value() +
                                                  width_.remainder(transaction.address));
  double service = transaction.bytes * clocks_per_byte_;
  if (!partition.open.empty()) {
    // Banks are hashed, because arrays at round addresses would otherwise share one bank.
    const std::uint64_t bank = banks_.remainder(page * 0x9e3779b97f4a7c15U >> 32);
    std::uint64_t& open = partition.open[bank];
    if (open != page + 1) service += page_clocks_;
    open = page + 1;
  }
  const double begin = std::max(arrival, partition.free_at);
  partition.free_at = begin + service;
  const auto span = static_cast<std::size_t>(begin / kSpan);
  if (partition.busy.size() <= span) partition.busy.resize(span + 1);
  partition.busy[span] += service;
  return partition.free_at;
}

double Partitions::mean_busy() const {
  double sum = 0;
  for (const Partition& partition : partitions_) {
    sum = std::accumulate(partition.busy.begin(), partition.busy.end(), sum);
  }
  return partitions_.empty() ? 0 : sum / static_cast<double>(partitions_.size());
}

double Partitions::busiest() const {
  std::vector<double> most;
  for (const Partition& partition : partitions_) {
    most.resize(std::max(most.size(), partition.busy.size()));
    for (std::size_t i = 0; i < partition.busy.size(); ++i) {
      most[i] = std::max(most[i], partition.busy[i]);
    }
  }
  return std::accumulate(most.begin(), most.end(), 0.0);
}

}  // namespace warpgrade::timing
