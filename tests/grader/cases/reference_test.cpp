// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <thread>

#include "common/base/error.h"
#include "tests/grader/course/manifest_text.h"
#include "tests/grader/grade/fakes.h"

namespace warpgrade::grader::cases::reference_test {

// The reference's inputs and outputs, and the cache that keeps them up to a limit on memory.

class References : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::path(testing::TempDir()) / (std::string("reference_") + info->name());
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "reference.cu") << "__global__ void twice_reference() {}\n";
    lab_ = course::parse_manifest(course::kManifest, "labs/small/grader.toml", "small",
                                  course::kVocabulary);
    lab_.folder = folder_;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static compile::Result compile_well(const compile::CompileRequest& request) {
    compile::Program program;
    program.architecture = request.architecture;
    compile::Kernel kernel;
    kernel.name = "twice_reference";
    kernel.signature = "twice_reference(float*, float const*, int)";
    program.kernels.push_back(kernel);
    return program;
  }
  std::shared_ptr<const Expected> expected(const std::string& name, double n) {
    return reference_.expected(lab_, sized(name, n));
  }
  SizedCase sized(const std::string& name, double n = 100) const {
    return size_case(lab_.exercises.front(), name, {{"n", n}});
  }

  std::filesystem::path folder_;
  course::Lab lab_;
  grade::FakeRunner runner_;
  Compilations compilations_{compile_well, 1};
  Reference reference_{in_turn_on(runner_), "sm_90", compilations_, 1};
};

TEST_F(References, InputsComeBackAndOutputsAreTheReferences) {
  const auto made = expected("a", 100);
  const auto& first = *made;
  ASSERT_EQ(2u, first.before.size());
  const auto in = grade::floats(first.before[1]);
  ASSERT_EQ(100u, in.size());
  EXPECT_EQ("in", first.before[1].name);
  const auto out = grade::floats(first.after[0]);
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_EQ(2 * in[i], out[i]);
  EXPECT_NE(first.before[0].bytes, first.after[0].bytes);  // poison
  EXPECT_TRUE(first.after[1].bytes.empty());
}

// No kernel is right where the reference writes nothing, so that is no verdict about one.
TEST_F(References, AnElementThatItNeverWritesIsAnErrorOfTheLab) {
  const auto buffers = sized("a").buffers;
  Expected made = *expected("a", 100);
  auto got = made.after;
  EXPECT_EQ(std::nullopt, first_difference(buffers, made, got));
  // Element 3 keeps the content from before; a kernel wrote something there.
  std::memcpy(made.after[0].bytes.data() + 12, made.before[0].bytes.data() + 12, 4);
  try {
    first_difference(buffers, made, got);
    ADD_FAILURE();
  } catch (const base::ToolError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the lab's own reference never writes out[3]"));
  }
}

// Each result has 6 million floats three times, two buffers before and one after: 72 MB. One result
// alone exceeds the cache's limit.
TEST_F(References, TheLatestTwoAreThereHoweverLargeTheyAre) {
  constexpr double kLarge = 6e6;
  const auto a = expected("a", kLarge);
  expected("b", kLarge);
  EXPECT_EQ(a, expected("a", kLarge));
  EXPECT_EQ(2, runner_.launches);
  expected("c", kLarge);  // evicts b, the least recently used
  expected("a", kLarge);
  EXPECT_EQ(3, runner_.launches);
  expected("b", kLarge);
  EXPECT_EQ(4, runner_.launches);
}

TEST_F(References, SmallOnesAreAllKept) {
  for (int round = 0; round < 2; ++round) {
    for (int n = 1; n <= 20; ++n) expected("a", n);
  }
  EXPECT_EQ(20, runner_.launches);
}

TEST_F(References, ThoseWhoAskForOneAtATimeShareIt) {
  std::vector<std::future<std::shared_ptr<const Expected>>> asked;
  for (int i = 0; i < 4; ++i) {
    asked.push_back(std::async(std::launch::async, [this] { return expected("a", 1e5); }));
  }
  const auto first = asked.front().get();
  for (std::size_t i = 1; i < asked.size(); ++i) EXPECT_EQ(first, asked[i].get());
  EXPECT_EQ(1, runner_.launches);
}

// Each of the two launches waits until the other has started.
TEST_F(References, DifferentOnesAreWorkedOutBesideOneAnother) {
  std::mutex mutex;
  std::condition_variable began;
  int running = 0;
  const auto execute = [&](const compile::Program&, const run::Launch&, std::vector<run::Buffer>&,
                           const run::Options&) {
    std::unique_lock lock(mutex);
    ++running;
    began.notify_all();
    began.wait(lock, [&] { return running == 2; });
    return run::Result();
  };
  Reference reference(execute, "sm_90", compilations_, 1);
  const auto other =
      std::async(std::launch::async, [&] { reference.make(lab_, sized("b"), 0, 1); });
  reference.make(lab_, sized("a"), 0, 1);
}

// A runner holds one program, so no other load() may come between load() and launch().
TEST_F(References, OnOneRunnerEachLaunchIsOfItsOwnProgram) {
  class Checked final : public run::Runner {
   public:
    void load(const compile::Program& program) override {
      loaded_ = &program;
      std::this_thread::yield();
    }
    run::Result launch(const run::Launch& launch, std::vector<run::Buffer>&,
                       const run::Options&) override {
      if (loaded_.load()->file != launch.kernel) ++wrong;
      return {};
    }
    std::atomic<int> wrong = 0;

   private:
    std::atomic<const compile::Program*> loaded_ = nullptr;
  };
  Checked runner;
  const auto execute = in_turn_on(runner);
  std::vector<std::future<void>> threads;
  for (const auto* name : {"a", "b", "c"}) {
    threads.push_back(std::async(std::launch::async, [&execute, name] {
      compile::Program program;
      program.file = name;
      run::Launch launch;
      launch.kernel = name;
      std::vector<run::Buffer> buffers;
      for (int i = 0; i < 2000; ++i) execute(program, launch, buffers, {});
    }));
  }
  for (auto& thread : threads) thread.get();
  EXPECT_EQ(0, runner.wrong);
}

TEST_F(References, ALaunchTakesNoMoreThreadsThanItMay) {
  reference_.expected(lab_, sized("a"), 0, 3);
  EXPECT_EQ(3u, runner_.threads);
  reference_.make(lab_, sized("a"), 0, 1);
  EXPECT_EQ(1u, runner_.threads);
}

TEST_F(References, WhatFailedIsTriedAgain) {
  runner_.failures = 1;
  EXPECT_THROW(expected("a", 100), base::ToolError);
  EXPECT_EQ(2u, expected("a", 100)->before.size());
}

// Compares a submission's outputs with the reference's: bit for bit, or by their total.

using testing::HasSubstr;

run::Buffer buffer(const std::string& name, const std::vector<float>& values) {
  run::Buffer out;
  out.name = name;
  out.bytes.resize(values.size() * sizeof(float));
  if (!values.empty()) std::memcpy(out.bytes.data(), values.data(), out.bytes.size());
  return out;
}

// out[4] and in[4]; in holds 10, 11, 12, 13 and out should, too.
class OutputsTest : public testing::Test {
 protected:
  OutputsTest() {
    buffers = {
        {"out", verify::ElementType::kF32, 1, 4, false, course::Poison{}, verify::Tolerance{}},
        {"in", verify::ElementType::kF32, 1, 4, false, verify::Fill{}, course::NotCompared{}},
    };
    expected.before = {buffer("out", {-1, -1, -1, -1}), buffer("in", {10, 11, 12, 13})};
    expected.after = {buffer("out", {10, 11, 12, 13}), buffer("in", {})};
  }
  SizedBuffer& out() { return buffers[0]; }
  std::string difference(const std::vector<float>& out) const {
    const auto found =
        first_difference(buffers, expected, {buffer("out", out), buffer("in", {10, 11, 12, 13})});
    return found ? found->text : "";
  }
  std::vector<SizedBuffer> buffers;
  Expected expected;
};

TEST_F(OutputsTest, EqualBitsAreRight) { EXPECT_EQ("", difference({10, 11, 12, 13})); }

TEST_F(OutputsTest, TheFirstDifferenceIsToldWithItsCause) {
  EXPECT_THAT(difference({10, 12, 12, 13}),
              testing::AllOf(HasSubstr("out[1]: expected 11, got 12"), HasSubstr("in[2]")));
  EXPECT_THAT(difference({10, -1, 12, 13}), HasSubstr("never written"));
}

TEST_F(OutputsTest, ATotalLooksAtTheSumAlone) {
  out().comparison = course::EqualTotal{};
  EXPECT_EQ("", difference({46, 0, 0, 0}));
  EXPECT_EQ("the elements of out add up to 45, but should add up to 46", difference({45, 0, 0, 0}));
}

TEST_F(OutputsTest, PiecesMayBeInAnyOrder) {
  out().comparison = SizedPieces{2};
  expected.after.at(0) = buffer("out", {10, -1, 12, 13});  // 10, and 12 13
  EXPECT_EQ("", difference({12, 13, 10, 99}));
  EXPECT_EQ("", difference({10, 12, 13, 99}));
  EXPECT_THAT(difference({10, 13, 12, 99}), HasSubstr("out[1]: expected the begin of a piece"));
}

TEST_F(OutputsTest, AnElementMayBeOffByItsUlps) {
  out().comparison = verify::Tolerance{2};
  EXPECT_EQ("", difference({10, 11 + 0x1p-19F, 12, 13}));  // two steps of 2^-20
  EXPECT_THAT(difference({10, 11 + 0x1.8p-19F, 12, 13}),
              HasSubstr("3 units in the last place apart; 2 are allowed"));
}

TEST_F(OutputsTest, ANanIsNoTotal) {
  out().comparison = course::EqualTotal{};
  EXPECT_NE("", difference({std::nanf(""), 46, 0, 0}));
}

TEST_F(OutputsTest, InputsAreNotCompared) {
  out().content = verify::Fill{};
  out().comparison = course::NotCompared{};
  EXPECT_EQ("", difference({0, 0, 0, 0}));
}

TEST_F(OutputsTest, ABufferInPlaceIsComparedWithWhatItBecomes) {
  out().content = verify::Fill{};
  EXPECT_EQ("", difference({10, 11, 12, 13}));
  EXPECT_THAT(difference({10, -1, 12, 13}),
              testing::AllOf(HasSubstr("out[1]: expected 11, got -1"),
                             HasSubstr("unchanged: this is the content from before the launch")));
  EXPECT_THAT(difference({10, 12, 12, 13}), testing::Not(HasSubstr("unchanged")));
}

}  // namespace warpgrade::grader::cases::reference_test
