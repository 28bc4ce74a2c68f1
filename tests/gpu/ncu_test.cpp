// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/ncu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "common/base/error.h"
#include "tests/compile/compiling.h"
#include "tests/gpu/fake_driver.h"

namespace warpgrade::gpu::ncu_test {

// Nsight Compute's recorded output (tests/gpu/data/README.md), and damaged copies of it.

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

const std::string kRead = "dram__bytes_read.sum";
const std::string kStores = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
const std::string kRatio = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio";

std::string recorded(const std::string& name) {
  std::ifstream in(WARPGRADE_GPU_TEST_DATA "/" + name);
  if (!in) throw std::runtime_error("there is no " + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A table with one launch of `copy` and one metric.
std::string table(const std::string& unit, const std::string& value) {
  return "\"ID\",\"Process ID\",\"Kernel Name\",\"" + kRead + "\"\n\"\",\"\",\"\",\"" + unit +
         "\"\n\"0\",\"7\",\"copy\",\"" + value + "\"\n";
}

double read_one(const std::string& unit, const std::string& value) {
  const auto found = read_counter_table(table(unit, value), {"copy"}, {kRead});
  EXPECT_THAT(found.reason, IsEmpty());
  return found.values.at(kRead);
}

std::string reason_of(const std::string& log) {
  const auto found = read_counter_table(log, {"copy"}, {kRead});
  EXPECT_THAT(found.values, IsEmpty());
  return found.reason;
}

TEST(RecordedCounters, OfOneLaunch) {
  const std::string conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
  const auto found = read_counter_table(recorded("one_launch.csv"), {"reduce3"},
                                        {kRead, kStores, kRatio, conflicts});
  EXPECT_THAT(found.reason, IsEmpty());
  EXPECT_THAT(found.values, ElementsAre(Pair(kRead, 16780544), Pair(conflicts, 5861),
                                        Pair(kStores, 8192), Pair(kRatio, 32)));
}

TEST(RecordedCounters, TheSameKernelInTwoProcessesIsNotOneLaunch) {
  const auto log = recorded("two_processes.csv");
  EXPECT_EQ("Nsight Compute counted more launches than one",
            read_counter_table(log, {"_Z5firstPf"}, {kRead}).reason);
  // The log of the first process alone.
  const auto first = log.substr(0, log.find("\"2\",\"977\""));
  EXPECT_THAT(read_counter_table(first, {"_Z6secondPf"}, {kRead, kStores, kRatio}).values,
              ElementsAre(Pair(kRead, 3072), Pair(kStores, 32), Pair(kRatio, 32)));
}

TEST(RecordedCounters, NoKernelOfTheName) {
  const auto found = read_counter_table(recorded("no_kernel.csv"), {"nothing"}, {kRead});
  EXPECT_THAT(found.values, IsEmpty());
  EXPECT_EQ("Nsight Compute saw no launch of nothing", found.reason);
}

TEST(RecordedCounters, AProgramThatFailsBesideATable) {
  const auto found = read_counter_table(recorded("program_fails.csv"), {"first(float *)"}, {kRead});
  EXPECT_THAT(found.values, IsEmpty());
  EXPECT_EQ("Nsight Compute says: The application returned an error code (3).", found.reason);
}

TEST(RecordedCounters, AMetricThatNcuDoesNotKnowIsNotInItsTable) {
  const auto log = recorded("unknown_metric.csv")
                       .substr(0, recorded("unknown_metric.csv").find("\"1\",\"1050\""));
  const auto found = read_counter_table(log, {"first(float *)"}, {kRead, "no__such_metric.sum"});
  EXPECT_THAT(found.reason, IsEmpty());
  EXPECT_THAT(found.values, ElementsAre(Pair(kRead, 3072)));
}

// Users of Nsight Compute reported the texts of this test and of the next one.
TEST(CounterTable, AUserWithoutPermissionIsToldWhatAnAdministratorCanDo) {
  EXPECT_THAT(reason_of("==PROF== Connected to process 7 (copy)\n"
                        "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access "
                        "NVIDIA GPU Performance Counters on the target device 0. For instructions "
                        "on enabling permissions and to get more information see "
                        "https://developer.nvidia.com/ERR_NVGPUCTRPERM\n"
                        "==PROF== Disconnected from process 7\n"),
              ::testing::AllOf(HasSubstr("this user may not read"),
                               HasSubstr("NVreg_RestrictProfilingToAdminUsers=0")));
}

TEST(CounterTable, CountersThatAMachineDoesNotHandOnAreNamed) {
  EXPECT_THAT(reason_of("==PROF== Connected to process 7 (copy)\n"
                        "==ERROR== An error was reported by the counter measurement library:\n"
                        "==ERROR== Failed to initialize the profiler: LibraryNotLoaded. Check that "
                        "a compatible driver library is loaded.\n"
                        "==PROF== Trying to shutdown target application\n"
                        "==ERROR== The application returned an error code (9).\n"),
              ::testing::AllOf(HasSubstr("LibraryNotLoaded"), HasSubstr("containers")));
}

TEST(CounterTable, NumbersHaveSeparatorsOfThousandsAndUnitsPrefixes) {
  EXPECT_EQ(4197376, read_one("byte", "4,197,376"));
  EXPECT_EQ(4197376, read_one("byte", "4197376.000000"));
  EXPECT_EQ(4200000, read_one("Mbyte", "4.2"));
  EXPECT_EQ(1500, read_one("Kbyte", "1.5"));
  EXPECT_EQ(0, read_one("", "0"));
}

TEST(CounterTable, WhatIsNoNumberOrHasNoKnownUnitGivesNoCounters) {
  EXPECT_THAT(reason_of(table("byte", "4x")), HasSubstr("dram__bytes_read.sum cannot be read: 4x"));
  EXPECT_THAT(reason_of(table("byte", "1.234,5")), HasSubstr("cannot be read"));
  EXPECT_THAT(reason_of(table("byte", "-1")), HasSubstr("cannot be read"));
  EXPECT_THAT(reason_of(table("Xbyte", "4")), HasSubstr("cannot be read: 4 Xbyte"));
  EXPECT_THAT(reason_of(table("Kinst", "4")), HasSubstr("cannot be read: 4 Kinst"));
}

TEST(CounterTable, WhatTheCardDoesNotHaveIsLeftOut) {
  const auto log = "\"ID\",\"Kernel Name\",\"" + kRead + "\",\"" + kStores +
                   "\"\n\"\",\"\",\"byte\",\"\"\n\"0\",\"copy\",\"n/a\",\"8\"\n";
  const auto found = read_counter_table(log, {"copy"}, {kRead, kStores, kRatio});
  EXPECT_THAT(found.values, ElementsAre(Pair(kStores, 8)));
  EXPECT_THAT(reason_of(table("byte", "n/a")), HasSubstr("none of these counters"));
}

TEST(CounterTable, ALineThatIsBrokenGivesNoCounters) {
  const auto whole = table("byte", "8");
  EXPECT_THAT(reason_of(whole + "\"1\",\"7\",\"other\n"), HasSubstr("no whole table"));
  EXPECT_THAT(reason_of(whole + "\"1\",\"7\",\"other\"\n"), HasSubstr("no whole table"));
  EXPECT_THAT(reason_of("\"0\",\"7\",\"copy\",\"8\"\n"), HasSubstr("no whole table"));
  EXPECT_THAT(reason_of(""), HasSubstr("no whole table"));
}

TEST(CounterTable, QuotesAndCommasWithinNamesBelongToThem) {
  const auto found =
      read_counter_table("\"ID\",\"Kernel Name\",\"" + kRead +
                             "\"\n\"\",\"\",\"byte\"\n\"0\",\"say(\"\"x\"\", int)\",\"8\"\n",
                         {"say(\"x\", int)"}, {kRead});
  EXPECT_THAT(found.values, ElementsAre(Pair(kRead, 8)));
}

TEST(CounterTable, OneLaunchIsWanted) {
  EXPECT_THAT(reason_of(table("byte", "8") + "\"1\",\"8\",\"copy\",\"9\"\n"),
              HasSubstr("more launches than one"));
  const auto other = read_counter_table(table("byte", "8"), {"transpose"}, {kRead});
  EXPECT_THAT(other.values, IsEmpty());
  EXPECT_EQ("Nsight Compute saw no launch of transpose", other.reason);
}

// A table with one launch of `first`, then two of `second`.
std::string three_launches() {
  return "\"ID\",\"Kernel Name\",\"" + kRead + "\",\"" + kStores + "\",\"" + kRatio +
         "\"\n\"\",\"\",\"Kbyte\",\"\",\"\"\n\"0\",\"first\",\"1\",\"8\",\"32\"\n"
         "\"1\",\"second\",\"2\",\"n/a\",\"32\"\n\"2\",\"second\",\"4\",\"1\",\"16\"\n";
}

TEST(CounterTable, SumsOfSeveralLaunchesAreAddedAndTheirRatiosAreLeftOut) {
  const auto found =
      read_counter_table(three_launches(), {"first", "second", "second"}, {kRead, kStores, kRatio});
  EXPECT_THAT(found.reason, IsEmpty());
  EXPECT_THAT(found.values, ElementsAre(Pair(kRead, 7000)));
}

TEST(CounterTable, EachLaunchOfASequenceMustBeThereInItsOrder) {
  const auto reason = [](const std::vector<std::string>& kernels) {
    return read_counter_table(three_launches(), kernels, {kRead}).reason;
  };
  EXPECT_EQ("Nsight Compute counted first before second", reason({"second", "first", "second"}));
  EXPECT_EQ("Nsight Compute counted more launches than 2", reason({"first", "second"}));
  EXPECT_EQ("Nsight Compute saw no launch of second",
            reason({"first", "second", "second", "second"}));
}

TEST(CounterTable, AnErrorBesideATableGivesNoCounters) {
  EXPECT_EQ("Nsight Compute says: Failed to profile \"copy\" in process 7",
            reason_of(table("byte", "8") + "==ERROR== Failed to profile \"copy\" in process 7\n"));
}

// Counts a launch with scripts that replace Nsight Compute, and makes the counted launch itself on
// a fake GPU.

namespace fs = std::filesystem;
using testing::fake;

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
  EXPECT_THAT(found.reason, HasSubstr("TMPDIR cannot be used"));
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
