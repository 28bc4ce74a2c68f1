// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/work_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>

#include "common/base/error.h"

namespace warpgrade::grader::cases::work_ahead_test {

// Concurrent results: their number, their order, and failures.

TEST(OrderedPrefetch, SeveralAreMadeAtATime) {
  std::latch both(2);  // neither ends before the other has begun
  OrderedPrefetch<std::size_t> squares(2, 2, [&](std::size_t i) {
    both.arrive_and_wait();
    return i * i;
  });
  EXPECT_EQ(0U, squares.take(0));
  EXPECT_EQ(1U, squares.take(1));
}

TEST(OrderedPrefetch, NoMoreThanThatAreMadeAtATime) {
  std::mutex mutex;
  std::set<std::size_t> running;
  std::size_t most = 0;
  OrderedPrefetch<bool> all(500, 3, [&](std::size_t i) {
    {
      const std::lock_guard lock(mutex);
      running.insert(i);
      most = std::max(most, running.size());
    }
    std::this_thread::yield();
    const std::lock_guard lock(mutex);
    running.erase(i);
    return true;
  });
  for (std::size_t i = 0; i < 500; ++i) EXPECT_TRUE(all.take(i));
  EXPECT_GE(3U, most);
}

TEST(OrderedPrefetch, OneAtATimeIsMadeWhenItIsTaken) {
  std::size_t made = 0;
  OrderedPrefetch<std::size_t> numbers(3, 1, [&](std::size_t i) {
    ++made;
    return i;
  });
  EXPECT_EQ(0U, made);
  EXPECT_EQ(1U, numbers.take(1));
  EXPECT_EQ(1U, made);
}

TEST(OrderedPrefetch, AFailureIsThatOfTheOneWhoTakesTheResult) {
  OrderedPrefetch<std::size_t> numbers(3, 2, [](std::size_t i) {
    if (i == 1) throw std::runtime_error("the second");
    return i;
  });
  EXPECT_EQ(0U, numbers.take(0));
  EXPECT_THROW(numbers.take(1), std::runtime_error);
  EXPECT_EQ(2U, numbers.take(2));
}

TEST(OrderedPrefetch, WhatHasBegunWhenNobodyAsksAnyMoreComesToItsEnd) {
  std::atomic<int> begun{0};
  std::atomic<int> ended{0};
  {
    OrderedPrefetch<bool> all(1000, 2, [&](std::size_t) {
      ++begun;
      std::this_thread::yield();
      ++ended;
      return true;
    });
    all.take(0);
  }
  EXPECT_LE(1, begun);
  EXPECT_EQ(begun, ended);
}

// The pool of compilations: each file compiles once, and errors reach the caller.

compile::CompileRequest request(const std::string& file, const std::string& architecture) {
  compile::CompileRequest out;
  out.file = file;
  out.architecture = architecture;
  return out;
}

TEST(Compilations, EachFileIsCompiledOncePerArchitecture) {
  std::atomic<int> count = 0;
  Compilations compilations(
      [&](const compile::CompileRequest& asked) -> compile::Result {
        ++count;
        compile::Program program;
        program.architecture = asked.architecture;
        return program;
      },
      2);
  for (int i = 0; i < 3; ++i) {
    compilations.begin(request("a.cu", "sm_75"));
    compilations.begin(request("a.cu", "sm_90"));
  }
  const auto architecture_of = [&](const std::string& architecture) {
    return std::get<compile::Program>(compilations.get(request("a.cu", architecture))).architecture;
  };
  EXPECT_EQ("sm_75", architecture_of("sm_75"));
  EXPECT_EQ("sm_90", architecture_of("sm_90"));
  EXPECT_EQ(2, count);
}

// The same text in another place may include other files.
TEST(Compilations, AFileIsCompiledAgainForOtherFolders) {
  std::atomic<int> count = 0;
  Compilations compilations(
      [&](const compile::CompileRequest&) -> compile::Result {
        ++count;
        return compile::Program();
      },
      1);
  auto asked = request("a.cu", "sm_90");
  compilations.get(asked);
  asked.root = "/ada";
  compilations.get(asked);
  asked.include_folders = {"/course"};
  compilations.get(asked);
  compilations.get(asked);
  EXPECT_EQ(3, count);
}

TEST(Compilations, WhatTheCompilerThrowsReachesWhoeverAsks) {
  Compilations compilations(
      [](const compile::CompileRequest&) -> compile::Result {
        throw base::ToolError("no compiler");
      },
      1);
  compilations.begin(request("a.cu", "sm_90"));
  EXPECT_THROW(compilations.get(request("a.cu", "sm_90")), base::ToolError);
}

TEST(Compilations, WhatNobodyAsksForIsDroppedAtTheEnd) {
  std::atomic<int> count = 0;
  {
    Compilations compilations(
        [&](const compile::CompileRequest&) -> compile::Result {
          ++count;
          return compile::Program{};
        },
        1);
    for (int i = 0; i < 100; ++i) compilations.begin(request(std::to_string(i), "sm_90"));
  }
  EXPECT_LE(count, 100);
}

}  // namespace warpgrade::grader::cases::work_ahead_test
