// SPDX-License-Identifier: Apache-2.0
// Counts a launch with scripts that replace Nsight Compute, and makes the counted launch itself on
// a fake GPU.
#include "common/gpu/ncu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "common/base/error.h"
#include "common/gpu/counted_launch.h"
#include "tests/compile/compiling.h"
#include "tests/gpu/fake_driver.h"

namespace warpgrade::gpu::ncu_test {
namespace fs = std::filesystem;

using ::testing::ElementsAre;
using testing::fake;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

const std::string kBytesRead = "dram__bytes_read.sum";

class NcuTest : public ::testing::Test {
 protected:
  NcuTest() {
    launch_.kernel = "copy";
    launch_.arguments = {run::BufferArgument{0}, run::BufferArgument{1},
                         run::ValueArgument(4, std::byte{2})};
    for (int value : {0, 7}) {
      run::Buffer buffer;
      buffer.bytes.assign(64, static_cast<std::byte>(value));
      buffers_.push_back(buffer);
    }
  }
  ~NcuTest() override { ::unsetenv("WARPGRADE_NCU"); }

  // Writes a shell script `name` to the test's folder. In `body`, $log is the log file to write,
  // and $job is the last argument: the file of the launch to count.
  fs::path script(const std::string& name, const std::string& body) {
    const auto file = folder_.write(name,
                                    "#!/bin/sh\njob=\nwhile [ $# -gt 0 ]; do\n"
                                    "  [ \"$1\" = --log-file ] && log=$2\n"
                                    "  job=$1; shift\ndone\n" +
                                        body);
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }

  Counters count(const std::string& body) {
    ::setenv("WARPGRADE_NCU", script("ncu", body).c_str(), 1);
    return count_launches({'c'}, launch_, buffers_, {kBytesRead}, 0);
  }

  static std::string table(const std::string& value) {
    return "cat > $log <<'END'\n==PROF== Profiling \"copy\"\n\"ID\",\"Kernel Name\",\"" +
           kBytesRead + "\"\n\"\",\"\",\"byte\"\n\"0\",\"copy\",\"" + value + "\"\nEND\n";
  }

  compile::TemporaryFolder folder_;
  run::Launch launch_;
  std::vector<run::Buffer> buffers_;
};

TEST_F(NcuTest, WhatNcuWritesToItsLogAreTheCounters) {
  EXPECT_THAT(count(table("4,096")).values, ElementsAre(Pair(kBytesRead, 4096)));
}

TEST_F(NcuTest, WhatTheKernelPrintsIsNoTable) {
  const auto found = count("log=/dev/stdout\n" + table("4,096"));
  EXPECT_THAT(found.values, IsEmpty());
  EXPECT_THAT(found.reason, HasSubstr("no whole table"));
}

TEST_F(NcuTest, NcuSeesTheWholeEnvironment) {
  ::setenv("WARPGRADE_TEST_COUNT", "77", 1);
  const auto found = count(table("COUNT") + "sed -i s/COUNT/$WARPGRADE_TEST_COUNT/ $log\n");
  ::unsetenv("WARPGRADE_TEST_COUNT");
  EXPECT_THAT(found.values, ElementsAre(Pair(kBytesRead, 77)));
}

TEST_F(NcuTest, AnExitCodeBesideATableIsAFailure) {
  const auto found = count(table("8") + "exit 9\n");
  EXPECT_THAT(found.values, IsEmpty());
  EXPECT_EQ("Nsight Compute ended with exit code 9", found.reason);
}

TEST_F(NcuTest, IsStoppedWhenItTakesTooLong) {
  ::setenv("WARPGRADE_NCU", script("ncu", table("8") + "sleep 100\n").c_str(), 1);
  const auto found =
      count_launches({'c'}, launch_, buffers_, {kBytesRead}, 0, std::chrono::milliseconds(300));
  EXPECT_THAT(found.values, IsEmpty());
  EXPECT_THAT(found.reason, HasSubstr("did not end in time"));
}

TEST_F(NcuTest, WhatCannotBeStartedIsAReason) {
  const auto file = folder_.write("ncu", "\x7f");
  fs::permissions(file, fs::perms::owner_all);
  ::setenv("WARPGRADE_NCU", file.c_str(), 1);
  const auto found = count_launches({'c'}, launch_, buffers_, {kBytesRead}, 0);
  EXPECT_THAT(found.values, IsEmpty());
  EXPECT_THAT(found.reason, HasSubstr("cannot run a child process"));
}

TEST_F(NcuTest, WithoutAFolderForItsFilesThereIsAReason) {
  const auto ncu = script("ncu", table("8"));
  ::setenv("WARPGRADE_NCU", ncu.c_str(), 1);
  const auto before = ::getenv("TMPDIR") == nullptr ? "" : std::string(::getenv("TMPDIR"));
  ::setenv("TMPDIR", "/nonexistent", 1);
  const auto found = count_launches({'c'}, launch_, buffers_, {kBytesRead}, 0);
  before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
  EXPECT_THAT(found.values, IsEmpty());
  EXPECT_THAT(found.reason, HasSubstr("needs a folder for its files"));
}

TEST_F(NcuTest, WithoutNcuItSaysWhatIsMissing) {
  ::setenv("WARPGRADE_NCU", (folder_.path() / "missing").c_str(), 1);
  const auto found = count_launches({'c'}, launch_, buffers_, {kBytesRead}, 0);
  EXPECT_THAT(found.values, IsEmpty());
  EXPECT_THAT(found.reason, HasSubstr("ncu is not on PATH"));
}

TEST_F(NcuTest, IsFoundOnThePath) {
  const auto before = std::string(::getenv("PATH"));
  const auto file = script("ncu", "");
  ::setenv("PATH", ("/nonexistent::" + folder_.path().string() + ":" + before).c_str(), 1);
  const auto found = find_ncu();
  ::setenv("PATH", before.c_str(), 1);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(file, *found);
}

TEST_F(NcuTest, CountsOneLaunchOfTheKernelByItsMangledName) {
  launch_.kernel = "_Z4copyPf";
  const auto all = ncu_arguments(launch_, {"a.sum", "b.sum"}, "log", "program", "job", 2);
  const auto text = ::testing::PrintToString(all);
  EXPECT_THAT(text, HasSubstr("\"--kernel-name\", \"_Z4copyPf\", \"--launch-count\", \"1\""));
  EXPECT_THAT(text, HasSubstr("\"--kernel-name-base\", \"mangled\""));
  EXPECT_THAT(text, HasSubstr("\"--metrics\", \"a.sum,b.sum\", \"--log-file\", \"log\", "
                              "\"program\", \"counted-launch\", \"job\", \"--gpu\", \"2\""));
}

TEST_F(NcuTest, CountsAsManyLaunchesAsTheSequenceHas) {
  run::Sequence sequence(launch_);
  sequence.launches.push_back(launch_);
  sequence.launches.back().kernel = "_ZN1a$b3addEPj";
  const auto text = ::testing::PrintToString(ncu_arguments(sequence, {"a.sum"}, "l", "p", "j", 0));
  EXPECT_THAT(text, HasSubstr("\"--kernel-name\", \"regex:^(copy|_ZN1a[$]b3addEPj)$\", "
                              "\"--launch-count\", \"2\""));
}

TEST_F(NcuTest, CountersOfTwoLaunchesAreAddedUp) {
  run::Sequence sequence(launch_);
  sequence.launches.push_back(launch_);
  auto two = table("4,096");
  two.insert(two.find("END\n"), "\"1\",\"copy\",\"100\"\n");
  ::setenv("WARPGRADE_NCU", script("ncu", two).c_str(), 1);
  EXPECT_THAT(count_launches({'c'}, sequence, buffers_, {kBytesRead}, 0).values,
              ElementsAre(Pair(kBytesRead, 4196)));
}

class CountedLaunchTest : public NcuTest {
 protected:
  CountedLaunchTest() { platform_ = testing::fake_platform(); }
  fs::path file() const { return folder_.path() / "job"; }

  Platform platform_;
};

TEST_F(CountedLaunchTest, LaunchesTheKernelOnceWithTheContentThatWasWritten) {
  int launches = 0;
  fake().kernels["copy"] = [&](void** arguments) {
    ++launches;
    DevicePointer in = 0;
    std::memcpy(&in, arguments[1], sizeof(in));
    EXPECT_EQ(7, *reinterpret_cast<const char*>(in));
    std::uint32_t n = 0;
    std::memcpy(&n, arguments[2], sizeof(n));
    EXPECT_EQ(0x02020202U, n);
  };
  write_counted_launch(file(), {'c'}, launch_, buffers_);
  make_counted_launch(file(), platform_);
  EXPECT_EQ(1, launches);
  EXPECT_EQ(1U, fake().count("launch_kernel"));
}

// The profiler counts the first two of four launches.
TEST_F(CountedLaunchTest, TwoLaunchesAreMadeInTheirOrderTwice) {
  std::string order;
  fake().kernels["copy"] = [&](void**) { order += 'c'; };
  fake().kernels["add"] = [&](void**) { order += 'a'; };
  run::Sequence sequence(launch_);
  sequence.launches.push_back(launch_);
  sequence.launches.back().kernel = "add";
  write_counted_launch(file(), {'c'}, sequence, buffers_);
  make_counted_launch(file(), platform_);
  EXPECT_EQ("caca", order);
}

TEST_F(CountedLaunchTest, AKernelThatFailsIsAnError) {
  fake().kernels["copy"] = [](void**) {};
  fake().failures["event_query"] = 700;  // CUDA_ERROR_ILLEGAL_ADDRESS.
  write_counted_launch(file(), {'c'}, launch_, buffers_);
  EXPECT_THROW(make_counted_launch(file(), platform_), base::ToolError);
}

TEST_F(CountedLaunchTest, AFileThatIsCutOffIsAnError) {
  fake().kernels["copy"] = [](void**) {};
  write_counted_launch(file(), {'c'}, launch_, buffers_);
  fs::resize_file(file(), fs::file_size(file()) - 1);
  EXPECT_THROW(make_counted_launch(file(), platform_), base::ToolError);
  EXPECT_THROW(make_counted_launch(folder_.path() / "missing", platform_), base::ToolError);
}

}  // namespace warpgrade::gpu::ncu_test
