// SPDX-License-Identifier: Apache-2.0
#include "common/compile/job.h"

#include <gtest/gtest.h>

namespace warpgrade::compile::job_test {

TEST(Job, ComesBackAsItWasSent) {
  Job job;
  job.library = "/lib/libnvrtc.so";
  job.toolkit_folders = {"/include", "/include/cccl"};
  job.folder = "/home/x";
  job.root = "/home";
  job.include_folders = {"/course/include", ""};
  job.name = "copy.cu";
  job.source = std::string("\0\xff\n", 3);
  job.architecture = "sm_90";
  job.expressions = {"reduce<4>", ""};
  job.cpu_seconds = 20;
  job.memory_bytes = ~std::uint64_t{0};
  auto read = base::decode<Job>(base::encode(job));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(wire_fields(job), wire_fields(*read));
}

TEST(Answer, ComesBackAsItWasSent) {
  Answer answer;
  answer.outcome = CompileStatus::kCompiled;
  answer.failure = "none";
  answer.log = "log";
  answer.ptx = ".version 9.0";
  answer.machine_code = std::string("\0\xff\n", 3);
  answer.lowered = {"a", ""};
  answer.left_out = {{"a.cu", 3, 1, "main"}};
  answer.source = "source";
  auto read = base::decode<Answer>(base::encode(answer));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(wire_fields(answer), wire_fields(*read));
}

// The compiler process may die while it writes its answer.
TEST(Answer, ThatWasCutOffIsNone) {
  Answer answer;
  answer.ptx = ".version 9.0";
  answer.lowered = {"a", ""};
  const auto bytes = base::encode(answer);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(base::decode<Answer>(bytes.substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(base::decode<Answer>(bytes + "x").has_value());
}

}  // namespace warpgrade::compile::job_test
