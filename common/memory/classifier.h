// SPDX-License-Identifier: Apache-2.0
// Classifies an access of a warp: the work that it causes in a profile's memory system.
//
// Counters, the time model and pictures get it from here, so they cannot disagree. The access is
// first turned into the one that machine code makes (machine_access.h). L1 and scratch memory are
// those of the blocks that one observer sees, so each has a classifier.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/global_access.h"
#include "common/memory/l1_cache.h"
#include "common/memory/lines.h"
#include "common/memory/machine_access.h"
#include "common/memory/shared_banks.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

// The bytes of global memory that an access touches, in the form that is cheapest to count.

class Places {
 public:
  /// Calls `use` with a Range, an Apart or Lines.
  template <typename Use>
  void visit(const run::MemoryEvent& event, Use use) {
    if (event.stride == event.bytes) return use(Range{event.address[0], kLanes * event.bytes});
    const Request request{event.address, event.mask, event.bytes};
    if (const auto apart = event.stride != run::kIrregular ? as_apart(request, event.stride)
                                                           : as_apart(request, filter_)) {
      return use(*apart);
    }
    gather(request, lines_);
    use(lines_);
  }

 private:
  KeyFilter filter_;
  Lines lines_;
};

/// An access to global memory.
struct GlobalUse {
  GlobalAccess access;           ///< An atomic's sectors are count_atomic_sectors().
  std::uint32_t l2_sectors = 0;  ///< The sectors that go to L2: a load's only if L1 lacks them.
  bool may_hit_l1 = false;       ///< A load that looks for its sectors in L1 and leaves them there.
};

class Classifier {
 public:
  explicit Classifier(const device::Profile& profile)
      : profile_(&profile), bank_memo_(profile.rules.shared_banks) {}
  /// For accesses outside a launch: L1 is empty, and instruction 0 has the form `atomic`.
  Classifier(const device::Profile& profile, const AtomicForm& atomic) : Classifier(profile) {
    forms_ = {atomic};
  }

  void on_launch(const run::LaunchContext& context) {
    if (context.function != nullptr) {
      forms_ = atomic_forms(*context.function, *profile_);
      l1_uses_ = l1_uses(*context.function);
    }
    l1_bytes_ = l1_share(*profile_, context);
    l1_ = empty_l1();
  }
  void begin_block() { l1_.begin_block(); }

  /// Calls a member of `consumer` with the machine code's access for `event`, if there is one:
  ///   on_global(event, GlobalUse, touched)   `touched`, the bytes: a Range, an Apart or Lines
  ///   on_shared(event, SharedAccess)
  ///   on_shared_loop(event, SharedLoop)
  ///   on_local(event, GlobalAccess, Lines)   lines of the warp's part of local memory
  ///   on_cluster(event, GlobalAccess)        shared memory of another block
  template <typename Consumer>
  void classify(const MachineAccess& machine, const run::MemoryEvent& event, Consumer& consumer) {
    if (is_left_out(machine, event.space)) return;
    if (machine.shared_bytes != 0 || run::is_atomic(event.operation)) {
      return classify_remade(machine, event, consumer);
    }
    classify_made(event, consumer);
  }

  /// Calls on_shared() or on_shared_loop().
  template <typename Consumer>
  void classify_shared(const run::MemoryEvent& event, Consumer& consumer) {
    if (is_direct_copy(event)) return consumer.on_shared(event, {});
    const auto how = form_on_shared(event);
    if (how == AtomicForm::OnShared::kLoop) {
      const Request request{event.address, event.mask, event.bytes};
      return consumer.on_shared_loop(event, shared_loop(request, marks_));
    }
    consumer.on_shared(event, bank_memo_.count(event, shared_use(event.operation, how), marks_));
  }

  /// `access` is count_sectors(touched), or the transactions of the same bytes.
  template <typename AnyLines>
  GlobalUse global_use(const run::MemoryEvent& event, const GlobalAccess& access,
                       const AnyLines& touched) {
    const bool is_cached = event.operation == run::Operation::kLoad &&
                           profile_->l1.caches_global_loads && !event.is_volatile;
    const auto use = is_cached ? l1_use(event) : L1Use::kBypasses;
    if (is_direct_copy(event)) {
      const Request sources{event.address, event.mask, event.bytes};
      const auto copy = count_copy(sources, event.other_side, access);
      return {copy.access, copy.l2_sectors, false};
    }
    if (use == L1Use::kBypasses) return {access, access.sectors, false};
    const bool fills = use == L1Use::kServes;
    return {access, l1_.load(touched, fills), fills};
  }

  /// By instruction of the launch's function; empty without PTX.
  const std::vector<AtomicForm>& forms() const { return forms_; }
  /// The implementation of an atomic; without PTX, its operation decides whether it is a reduction.
  AtomicForm form(const run::MemoryEvent& event) const {
    if (!run::is_atomic(event.operation)) return {};
    if (event.instruction < forms_.size()) return forms_[event.instruction];
    return {.is_reduction = event.operation == run::Operation::kReduction};
  }
  /// How a load uses L1; without PTX, like a plain one.
  L1Use l1_use(const run::MemoryEvent& event) const {
    return event.instruction < l1_uses_.size() ? l1_uses_[event.instruction] : L1Use::kServes;
  }
  /// The transactions of the last access to global memory; none if the profile moves sectors.
  const Transactions& transactions() const { return transactions_; }
  BlockL1& l1() { return l1_; }
  /// The implementation of an access to shared memory on the banks of this profile.
  AtomicForm::OnShared form_on_shared(const run::MemoryEvent& event) const {
    const bool is_known = profile_->rules.shared_banks == device::SharedBanks::kThirtyTwo;
    return is_known ? form(event).on_shared : AtomicForm::OnShared::kOneByOne;
  }
  std::uint64_t l1_bytes() const { return l1_bytes_; }
  /// For a block of the same launch that runs beside others.
  BlockL1 empty_l1() const { return BlockL1(l1_bytes_); }

 private:
  /// cp.async.cg. Its data come from L2, past the units that load and store.
  bool is_direct_copy(const run::MemoryEvent& event) const {
    return event.other_side != nullptr && event.bytes == 16 && l1_use(event) == L1Use::kBypasses;
  }

  /// An access that machine code widens, or an atomic that it executes in fewer lanes.
  template <typename Consumer>
  [[gnu::noinline]] void classify_remade(const MachineAccess& machine,
                                         const run::MemoryEvent& event, Consumer& consumer) {
    if (machine.shared_bytes != 0 && event.space == run::Space::kShared) {
      return classify_made(WideAccess(event, machine.shared_bytes).event(), consumer);
    }
    classify_made(as_executed(form(event), event), consumer);
  }

  /// An access as machine code makes it.
  template <typename Consumer>
  void classify_made(const run::MemoryEvent& event, Consumer& consumer) {
    switch (event.space) {
      case run::Space::kGlobal:
        return classify_global(event, consumer);
      case run::Space::kShared:
        return classify_shared(event, consumer);
      case run::Space::kLocal:
        gather_local({event.address, event.mask, event.bytes}, lines_);
        return consumer.on_local(event, count_sectors(lines_), lines_);
      case run::Space::kCluster:
        gather({event.address, event.mask, event.bytes}, lines_);
        return consumer.on_cluster(event, count_sectors(lines_));
      case run::Space::kConstant:
      case run::Space::kParam:
        return;
    }
  }

  template <typename Consumer>
  [[gnu::noinline]] void classify_global(const run::MemoryEvent& event, Consumer& consumer) {
    if (profile_->rules.coalescing != device::Coalescing::kSectors) {
      const auto access = transaction_memo_.count(profile_->rules.coalescing, event, transactions_);
      return places_.visit(event, [&](const auto& touched) {
        consumer.on_global(event, global_use(event, access, touched), touched);
      });
    }
    places_.visit(event, [&](const auto& touched) {
      GlobalAccess access = count_sectors(touched);
      if (run::is_atomic(event.operation)) {
        access.sectors = count_atomic_sectors({event.address, event.mask, event.bytes});
      }
      consumer.on_global(event, global_use(event, access, touched), touched);
    });
  }

  const device::Profile* profile_;
  std::vector<AtomicForm> forms_;
  std::vector<L1Use> l1_uses_;  // by instruction, like forms_
  std::uint64_t l1_bytes_ = 0;
  BlockL1 l1_{0};
  BankMemo bank_memo_;
  WordMarks marks_;
  Lines lines_;
  Places places_;
  Transactions transactions_;
  TransactionMemo transaction_memo_;
};

}  // namespace warpgrade::memory
