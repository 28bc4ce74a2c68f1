// SPDX-License-Identifier: Apache-2.0
#include "common/compile/job.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "common/base/wire.h"
#include "common/compile/compiler.h"
#include "tests/compile/compiling.h"

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

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Kept : public testing::Test {
 protected:
  Kept() : folder_(fs::path(testing::TempDir()) / ("kept" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Kept() override {
    keep_own_answers_in({});
    fs::remove_all(folder_);
  }
  fs::path only_file() const { return fs::directory_iterator(folder_ / "answers")->path(); }

  fs::path folder_;
};

using KeptAnswersOnDisk = Kept;

TEST_F(KeptAnswersOnDisk, GiveBackWhatTheyWereGiven) {
  const KeptAnswers answers(folder_ / "answers");
  const std::string answer("a\0b\n", 4);
  EXPECT_EQ(std::nullopt, answers.find("key"));
  answers.keep("key", answer);
  EXPECT_EQ(answer, answers.find("key"));
  EXPECT_EQ(std::nullopt, answers.find("other"));
}

TEST_F(KeptAnswersOnDisk, AreNotThereWhereTheirFileIsDamagedOrCutOff) {
  const KeptAnswers answers(folder_ / "answers");
  answers.keep("key", "some content");
  const auto whole = read(only_file());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write(only_file(), whole.substr(0, size));
    EXPECT_EQ(std::nullopt, answers.find("key")) << size;
    auto changed = whole;
    changed[size] = static_cast<char>(changed[size] ^ 1);
    write(only_file(), changed);
    EXPECT_EQ(std::nullopt, answers.find("key")) << size;
  }
  answers.keep("key", "some content");
  EXPECT_EQ("some content", answers.find("key"));
}

TEST_F(KeptAnswersOnDisk, AreNotKeptWhereNothingCanBeWritten) {
  write(folder_ / "answers", "a file in the folder's place");
  const KeptAnswers answers(folder_ / "answers");
  answers.keep("key", "content");
  EXPECT_EQ(std::nullopt, answers.find("key"));
  const KeptAnswers nowhere{fs::path()};
  nowhere.keep("key", "content");
  EXPECT_EQ(std::nullopt, nowhere.find("key"));
}

TEST_F(KeptAnswersOnDisk, AreABoundedNumberOfFiles) {
  const KeptAnswers answers(folder_ / "answers");
  for (std::size_t i = 0; i < kMostAnswers + 5; ++i) answers.keep(std::to_string(i), "content");
  const auto files = std::distance(fs::directory_iterator(folder_ / "answers"), {});
  EXPECT_EQ(static_cast<std::ptrdiff_t>(kMostAnswers), files);
}

// The key changes with each input of the answer: the job, the compiler, its library, and the
// library of builtins.
TEST_F(Kept, KeyIsThatOfTheJobAndOfAllFilesOfTheCompiler) {
  const auto compiler = folder_ / "compiler";
  const auto library = folder_ / "libnvrtc.so.13";
  const auto builtins = folder_ / "libnvrtc-builtins.so.13.0";
  for (const auto& file : {compiler, library, builtins}) write(file, "first");
  const auto first = answer_key("job", {compiler, library});
  EXPECT_EQ(64U, first.size());
  EXPECT_EQ(first, answer_key("job", {compiler, library}));
  EXPECT_NE(first, answer_key("another", {compiler, library}));
  for (const auto& file : {compiler, library, builtins}) {
    const auto before = answer_key("job", {compiler, library});
    write(file, "another size");
    const auto after_size = answer_key("job", {compiler, library});
    EXPECT_NE(before, after_size) << file;
    fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(1));
    EXPECT_NE(after_size, answer_key("job", {compiler, library})) << file;
  }
  fs::remove(library);
  EXPECT_EQ("", answer_key("job", {compiler, library}));
}

TEST(KeptSources, MayNameNoOtherFile) {
  EXPECT_TRUE(is_self_contained("__global__ void k() {}"));
  EXPECT_FALSE(is_self_contained("#include \"x.h\"\n__global__ void k() {}"));
  EXPECT_FALSE(is_self_contained("#  include <cub/cub.cuh>\n"));
  EXPECT_FALSE(is_self_contained("%:include \"x.h\"\n"));
  EXPECT_FALSE(is_self_contained("#if __has_include(\"x.h\")\n#endif\n"));
}

// A compiler process that logs each start and then runs the real compiler.
class CountedCompiler : public Kept {
 protected:
  CountedCompiler() {
    const auto script = folder_ / "compiler";
    write(script, "#!/bin/sh\necho start >>'" + (folder_ / "starts").string() + "'\nexec '" +
                      compiler_files().front().string() + "'\n");
    fs::permissions(script, fs::perms::owner_all);
    compiler_.emplace("WARPGRADE_COMPILER", script.string());
    keep_own_answers_in(folder_ / "answers");
    request_.file = "k.cu";
    request_.source = "extern \"C\" __global__ void k(int* out) { *out = 1; }";
  }
  std::ptrdiff_t starts() const {
    const auto text = read(folder_ / "starts");
    return std::count(text.begin(), text.end(), '\n');
  }

  CompileRequest request_;
  std::optional<ScopedVariable> compiler_;
};

TEST_F(CountedCompiler, IsNotStartedForATextOfOursThatItKnows) {
  const auto first = std::get<Program>(compile_own(request_));
  const auto second = std::get<Program>(compile_own(request_));
  EXPECT_EQ(1, starts());
  EXPECT_EQ(first.ptx.text(), second.ptx.text());
  EXPECT_EQ(first.machine_code, second.machine_code);
  EXPECT_EQ(first.kernels.at(0).resources.registers_per_thread,
            second.kernels.at(0).resources.registers_per_thread);
  request_.architecture = "sm_75";
  compile_own(request_);
  EXPECT_EQ(2, starts());
  write(only_file(), "damaged");
  compile_own(request_);
  request_.architecture = "sm_90";
  compile_own(request_);
  EXPECT_EQ(3, starts());
}

TEST_F(CountedCompiler, IsStartedForEachSubmissionAndEachTextThatIncludes) {
  compile_own(request_);
  compile(request_);
  EXPECT_EQ(2, starts());
  request_.source = "#include <stdint.h>\n" + request_.source;
  compile_own(request_);
  compile_own(request_);
  EXPECT_EQ(4, starts());
}

}  // namespace warpgrade::compile::job_test
