// SPDX-License-Identifier: Apache-2.0
// Nsight Compute's recorded output (tests/gpu/data/README.md), and damaged copies of it.
#include "common/gpu/counter_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace warpgrade::gpu::counter_table_test {

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

}  // namespace warpgrade::gpu::counter_table_test
