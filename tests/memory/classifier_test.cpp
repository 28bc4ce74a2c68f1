// SPDX-License-Identifier: Apache-2.0
// The kind of access that a warp's request becomes. The rules have tests of their own;
// tests/evidence/golden compares their costs with cards.
#include "common/memory/classifier.h"

#include <gtest/gtest.h>

#include "common/memory/machine_access.h"
#include "tests/memory/patterns.h"

namespace warpgrade::memory::classifier_test {

using run::Operation;
using run::Space;

constexpr std::uint64_t kBase = 0x700000000000;

// Keeps the last classified access.
struct Kept {
  template <typename AnyLines>
  void on_global(const run::MemoryEvent& /*event*/, const GlobalUse& use, const AnyLines&) {
    global = use;
  }
  void on_shared(const run::MemoryEvent& event, const SharedAccess& access) {
    shared = access;
    bytes = event.bytes;
  }
  void on_shared_loop(const run::MemoryEvent& /*event*/, const SharedLoop& all) { loop = all; }
  void on_local(const run::MemoryEvent& /*event*/, const GlobalAccess& access,
                const Lines& /*touched*/) {
    local = access;
  }
  void on_cluster(const run::MemoryEvent& /*event*/, const GlobalAccess& access) {
    cluster = access;
  }
  std::optional<GlobalUse> global;
  std::optional<SharedAccess> shared;
  std::optional<SharedLoop> loop;
  std::optional<GlobalAccess> local;
  std::optional<GlobalAccess> cluster;
  std::uint32_t bytes = 0;
};

class ClassifierTest : public testing::Test {
 protected:
  ClassifierTest() {
    classifier_.on_launch({});
    classifier_.begin_block();
    event_.mask = run::kFullMask;
    event_.bytes = 4;
    event_.address = row_.data();
    event_.stride = 4;
  }
  Kept classify(Space space, Operation operation, const MachineAccess& machine = {}) {
    event_.space = space;
    event_.operation = operation;
    Kept out;
    classifier_.classify(machine, event_, out);
    return out;
  }

  Classifier classifier_{device::find("h200")};
  Addresses row_ = lanes([](auto l) { return kBase + 4 * l; });
  run::MemoryEvent event_;
};

TEST_F(ClassifierTest, OnlyLoadsFindTheirSectorsInL1) {
  EXPECT_EQ(4U, classify(Space::kGlobal, Operation::kLoad).global->l2_sectors);
  const auto again = classify(Space::kGlobal, Operation::kLoad);
  EXPECT_EQ(4U, again.global->access.sectors);
  EXPECT_EQ(0U, again.global->l2_sectors);
  EXPECT_TRUE(again.global->may_hit_l1);
  EXPECT_EQ(4U, classify(Space::kGlobal, Operation::kStore).global->l2_sectors);
  event_.is_volatile = true;
  EXPECT_EQ(4U, classify(Space::kGlobal, Operation::kLoad).global->l2_sectors);
}

TEST_F(ClassifierTest, ABulkCopyBypassesL1) {
  run::BulkEvent copy;
  copy.kind = run::BulkEvent::Kind::kToShared;
  copy.global = kBase;
  copy.bytes = 512;
  for (int i = 0; i < 2; ++i) {
    Kept kept;
    for_each_bulk_request(copy, [&](const run::MemoryEvent& part) {
      if (part.space == Space::kGlobal) classifier_.classify({}, part, kept);
    });
    EXPECT_EQ(16U, kept.global->l2_sectors);
    EXPECT_FALSE(kept.global->may_hit_l1);
  }
}

// Lanes on one word are serialized: one sector per lane.
TEST_F(ClassifierTest, AnAtomicsSectorsAreThoseOfItsLanes) {
  row_ = lanes([](auto) { return kBase; });
  event_.stride = 0;
  EXPECT_EQ(32U, classify(Space::kGlobal, Operation::kAtomic).global->l2_sectors);
}

TEST_F(ClassifierTest, OnlyAtomicsHaveAForm) {
  const AtomicForm count{.on_shared = AtomicForm::OnShared::kCount, .by_one_lane = true};
  const Classifier on_h200(device::find("h200"), count);
  const Classifier on_k40(device::find("k40"), count);
  event_.operation = Operation::kReduction;
  EXPECT_EQ(count, on_h200.form(event_));
  EXPECT_EQ(AtomicForm::OnShared::kCount, on_h200.form_on_shared(event_));
  EXPECT_EQ(AtomicForm::OnShared::kOneByOne, on_k40.form_on_shared(event_));
  event_.operation = Operation::kLoad;
  EXPECT_EQ(AtomicForm{}, on_h200.form(event_));
  EXPECT_EQ(AtomicForm::OnShared::kOneByOne, on_h200.form_on_shared(event_));
}

TEST_F(ClassifierTest, SharedMemoryIsOfTheBlockOrOfItsCluster) {
  EXPECT_EQ(1U, classify(Space::kShared, Operation::kLoad).shared->wavefronts);
  const auto far = classify(Space::kCluster, Operation::kLoad);
  EXPECT_FALSE(far.shared);
  EXPECT_EQ(4U, far.cluster->sectors);
}

TEST_F(ClassifierTest, TheAccessIsThatOfMachineCode) {
  EXPECT_EQ(16U, classify(Space::kShared, Operation::kLoad, {16}).bytes);
  EXPECT_FALSE(classify(Space::kShared, Operation::kLoad, {MachineAccess::kMerged}).shared);
  EXPECT_TRUE(classify(Space::kLocal, Operation::kLoad).local);
  EXPECT_FALSE(classify(Space::kLocal, Operation::kLoad, {.is_register = true}).local);
}

TEST(Classifier, CardsWithoutSectorsMoveTransactions) {
  Classifier classifier(device::find("c1060"));
  classifier.on_launch({});
  const auto row = lanes([](auto l) { return kBase + 4 * l; });
  run::MemoryEvent event;
  event.mask = run::kFullMask;
  event.space = Space::kGlobal;
  event.operation = Operation::kLoad;
  event.bytes = 4;
  event.address = row.data();
  Kept kept;
  classifier.classify({}, event, kept);
  EXPECT_EQ(2U, kept.global->access.requests);  // half-warps
  EXPECT_EQ(2U, classifier.transactions().count);
  EXPECT_EQ(64U, classifier.transactions().list[1].bytes);
}

}  // namespace warpgrade::memory::classifier_test
