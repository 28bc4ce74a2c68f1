// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/request_cost.h"

#include "common/memory/global_access.h"
#include "common/memory/shared_banks.h"

namespace warpgrade::grader::grade {

report::RequestCost cost_of(const device::Profile& profile, const memory::TracedLine& line,
                            const memory::TracedRequest& traced) {
  const memory::Request request{traced.address.data(), traced.mask, line.bytes};
  const auto operation = line.operation.operation;
  report::RequestCost out;
  if (line.operation.space == run::Space::kShared) {
    const auto use = run::is_atomic(operation)             ? memory::SharedUse::kAtomic
                     : operation == run::Operation::kStore ? memory::SharedUse::kStore
                                                           : memory::SharedUse::kLoad;
    const auto access = memory::shared_access(profile.rules.shared_banks, request, use);
    out.wavefronts = access.wavefronts;
    out.conflicts = access.conflicts;
    out.words = memory::bank_words(profile.rules.shared_banks, request, use);
    return out;
  }
  memory::Lines lines;
  memory::gather(request, lines);
  auto access = memory::count_sectors(lines);
  if (profile.rules.coalescing != device::Coalescing::kSectors) {
    memory::Transactions transactions;
    access = memory::count_transactions(profile.rules.coalescing, request, transactions);
  }
  out.sectors = run::is_atomic(operation) ? memory::count_atomic_sectors(request) : access.sectors;
  out.used_bytes = access.used_bytes;
  return out;
}

}  // namespace warpgrade::grader::grade
