// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/request_cost.h"

#include "common/memory/atomics.h"
#include "common/memory/classifier.h"

namespace warpgrade::grader::grade {
namespace {

// A consumer of the classifier.
struct Cost {
  report::RequestCost out;

  template <typename AnyLines>
  void on_global(const run::MemoryEvent& /*event*/, const memory::GlobalUse& use,
                 const AnyLines& /*touched*/) {
    out.sectors = use.access.sectors;
    out.used_bytes = use.access.used_bytes;
  }
  void on_shared(const run::MemoryEvent& /*event*/, const memory::SharedAccess& access) {
    out.wavefronts = access.wavefronts;
    out.conflicts = access.conflicts;
  }
  void on_shared_loop(const run::MemoryEvent& /*event*/, const memory::SharedLoop& loop) {
    out.wavefronts = loop.loads.wavefronts + loop.swaps.wavefronts;
    out.conflicts = out.wavefronts - loop.one_round;
  }
  void on_local(const run::MemoryEvent& /*event*/, const memory::GlobalAccess& /*access*/) {}
  void on_cluster(const run::MemoryEvent& /*event*/, const memory::GlobalAccess& /*access*/) {}
};

}  // namespace

report::RequestCost cost_of(const device::Profile& profile, const memory::TracedLine& line,
                            const memory::TracedRequest& traced) {
  run::MemoryEvent event;
  event.mask = traced.mask;
  event.space = line.operation.space;
  event.operation = line.operation.operation;
  event.bytes = static_cast<std::uint8_t>(line.bytes);
  event.address = traced.address.data();
  Cost cost;
  memory::Classifier classifier(profile, line.form);
  classifier.classify(memory::kAsInPtx, event, cost);
  if (event.space == run::Space::kShared) {
    const auto use = memory::shared_use(event.operation, classifier.form_on_shared(event));
    cost.out.words = memory::bank_words(profile.rules.shared_banks,
                                        {event.address, event.mask, event.bytes}, use);
  }
  return cost.out;
}

}  // namespace warpgrade::grader::grade
