// SPDX-License-Identifier: Apache-2.0
// A judge of a small course, with the real compiler and simulator: tasks in, outcomes out. A test
// acts inside a submission's process when the judge requests the provenance there.
#include "grader/class/worker.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <new>
#include <string>

#include "common/base/child_process.h"
#include "common/base/error.h"
#include "common/base/wire.h"
#include "grader/class/spool.h"
#include "tests/compile/compiling.h"
#include "tests/grader/course/manifest_text.h"

namespace warpgrade::grader::class_book::worker_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr double kPatience = 100;  // seconds; only a broken judge is silent for so long

constexpr const char* kTwice =
    "__global__ void twice(float* out, const float* in, int n) {\n"
    "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
    "  if (i < n) out[i] = 2 * in[i];\n"
    "}\n";
constexpr const char* kThrice =
    "#include \"factor.cuh\"\n"
    "__global__ void twice(float* out, const float* in, int n) {\n"
    "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
    "  if (i < n) out[i] = kFactor * in[i];\n"
    "}\n";
constexpr const char* kReference =
    "__global__ void twice_reference(float* out, const float* in, int n) {\n"
    "  out[blockIdx.x] = 2 * in[blockIdx.x];\n"
    "}\n";
constexpr const char* kQuestions = R"toml(title = "Questions"
summary = "For tests."

[[exercise]]
id = "predict"
title = "Predict"
hints = ["one"]

[[exercise.questions]]
id = "strides"
rule = "shared_wavefronts"
on = "v100"
word_bytes = 4
strides = 1
points = 2
meaning = "Wavefronts for stride 1."
)toml";

Task task(const std::string& key, const std::string& code) {
  return {key, "small", "twice", {{"twice.cu", code}}, {}};
}

Task answers(const std::string& key) {
  return {key, "asks", "predict", {{"predict.toml", "strides = 1\n"}}, {}};
}

template <typename Resource>
void lower_limit(Resource resource, rlim_t most) {
  rlimit limit{};
  getrlimit(resource, &limit);
  limit.rlim_cur = most;
  setrlimit(resource, &limit);
}

// Shared with all processes that are forked later.
struct Shared {
  std::atomic<int> tries;
  std::atomic<bool> solution_is_readable;
  std::atomic<bool> passwords_are_readable;
  std::atomic<bool> labs_are_readable;
  std::atomic<bool> next_task_is_readable;
};

class JudgeTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    course_ = std::make_unique<compile::TemporaryFolder>();
    const auto manifest =
        course::manifest_with("\"sectors\"", "\"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum\"");
    for (const std::string lab : {"small", "broken"}) {
      course_->write("labs/" + lab + "/grader.toml", manifest);
      course_->write("labs/" + lab + "/twice.cu", kTwice);
    }
    course_->write("labs/small/reference.cu", kReference);
    course_->write("labs/broken/reference.cu", "this is no reference\n");
    course_->write("solutions/small/twice.cu", kTwice);
    course_->write("solutions/broken/twice.cu", kTwice);
    course_->write("labs/asks/grader.toml", kQuestions);
    course_->write("labs/asks/predict.toml", "strides = 0\n");
    fs::create_directories(course_->path() / "tmp");
  }
  static void TearDownTestSuite() { course_.reset(); }

  void SetUp() override {
    void* memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(MAP_FAILED, memory);
    shared_ = new (memory) Shared();
  }
  void TearDown() override { munmap(shared_, sizeof(Shared)); }

  /// A judge. The process of each submission calls `act` after grading.
  base::ForkedChild judge(const std::function<void()>& act = {}) const {
    return base::ForkedChild([this, act](const base::ForkedChild::Ends& ends) {
      dup2(ends.in, STDIN_FILENO);
      dup2(ends.out, STDOUT_FILENO);
      for (const int end : {ends.in, ends.out}) close(end);
      setenv("WARPGRADE_ROOT", course_->path().c_str(), 1);
      setenv("XDG_CACHE_HOME", (course_->path() / "cache").c_str(), 1);
      setenv("TMPDIR", temporary_.c_str(), 1);
      const pid_t own = getpid();
      return run_judge(run::Backend::kSim, [&] {
        if (getpid() == own) {
          if (prepare_) prepare_();
          return report::Provenance();
        }
        ++shared_->tries;
        if (act) act();
        return report::Provenance{"0.2.0", "6885a25", "13.0.88", "2026-11-22T14:20:00Z"};
      });
    });
  }
  static Outcome outcome_of(base::ForkedChild& judge, const Task& task) {
    EXPECT_TRUE(judge.send(base::encode(task)));
    return next_outcome(judge);
  }
  static Outcome next_outcome(base::ForkedChild& judge) {
    const auto message = judge.receive(kPatience);
    if (!message) throw std::runtime_error("the judge has ended");
    return base::decode<Outcome>(*message).value();
  }

  static BookGrade grade_of(base::ForkedChild& judge, const Task& task) {
    return std::get<BookGrade>(outcome_of(judge, task).result);
  }
  /// The reason why a judge exits at a task that is not at fault.
  static std::string failure_of(base::ForkedChild& judge) {
    const auto outcome = outcome_of(judge, task("key", kTwice));
    EXPECT_EQ("key", outcome.key);
    EXPECT_TRUE(is_trouble(outcome.result, Trouble::Kind::kJudgeFailed));
    EXPECT_EQ(std::nullopt, judge.receive(kPatience));
    EXPECT_EQ(3, WEXITSTATUS(judge.end()));
    return outcome.trouble()->why;
  }

  static std::unique_ptr<compile::TemporaryFolder> course_;
  std::function<void()> prepare_;  ///< Called in the judge before its first task.
  std::string temporary_ = (course_->path() / "tmp").string();
  Shared* shared_ = nullptr;
};

std::unique_ptr<compile::TemporaryFolder> JudgeTest::course_;

TEST_F(JudgeTest, ARightKernelGetsItsGrade) {
  auto child = judge();
  const auto outcome = outcome_of(child, task("key", kTwice));
  EXPECT_EQ("key", outcome.key);
  EXPECT_EQ("", outcome.worker);
  EXPECT_EQ(run::Backend::kSim, outcome.backend);
  ASSERT_NE(nullptr, outcome.grade());
  const auto& grade = *outcome.grade();
  EXPECT_EQ(6, grade.points);
  EXPECT_EQ(6, grade.max_points);
  EXPECT_EQ(report::Verdict::kPass, grade.verdict);
  EXPECT_EQ(report::Reason::kNone, grade.reason);
  EXPECT_EQ("h200, k40", grade.device);
  EXPECT_EQ("", grade.card);
  EXPECT_EQ("6885a25", grade.provenance.commit);
  EXPECT_EQ("2026-11-22T14:20:00Z", grade.provenance.time);
  EXPECT_LT(0, grade.seconds);
  EXPECT_THAT(grade.report, AllOf(HasSubstr("\"twice\""), HasSubstr("6885a25")));
  EXPECT_THAT(grade.text, HasSubstr("Twice as much"));
  // The picture of the traced warps needs a separate run.
  EXPECT_THAT(unpack_text(grade.page), AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("<svg")));
}

TEST_F(JudgeTest, EachSubmissionIsJudgedByItself) {
  auto child = judge();
  const std::string wrong = std::string(kTwice).replace(std::string(kTwice).find("2 *"), 3, "3 *");
  EXPECT_EQ(report::Reason::kNone, grade_of(child, task("a", kTwice)).reason);
  EXPECT_EQ(report::Reason::kIncorrect, grade_of(child, task("b", wrong)).reason);
  EXPECT_EQ(report::Reason::kCompile, grade_of(child, task("c", "no kernel")).reason);
  const auto last = outcome_of(child, task("d", kTwice));
  EXPECT_EQ("d", last.key);
  EXPECT_EQ(report::Verdict::kPass, last.grade()->verdict);
}

TEST_F(JudgeTest, AnswersToQuestionsAreGraded) {
  auto child = judge();
  EXPECT_EQ(2, grade_of(child, answers("key")).points);
}

TEST_F(JudgeTest, TheFilesOfATaskAreInOneFolderThatIsRemoved) {
  auto child = judge();
  const Task asked{"key",
                   "small",
                   "twice",
                   {{"../other/twice.cu", kThrice}, {"factor.cuh", "#define kFactor 2\n"}},
                   {}};
  EXPECT_EQ(report::Verdict::kPass, grade_of(child, asked).verdict);
  EXPECT_TRUE(fs::is_empty(temporary_));
}

TEST_F(JudgeTest, AKilledProcessIsNoEvidenceAgainstItsSubmission) {
  auto child = judge([this] {
    if (shared_->tries == 1) kill(getpid(), SIGKILL);
  });
  EXPECT_EQ(report::Verdict::kPass, grade_of(child, task("key", kTwice)).verdict);
  EXPECT_EQ(2, shared_->tries);
}

TEST_F(JudgeTest, AProcessThatIsKilledThreeTimesIsTrouble) {
  auto child = judge([] { kill(getpid(), SIGKILL); });
  const auto outcome = outcome_of(child, task("key", kTwice));
  EXPECT_EQ("key", outcome.key);
  EXPECT_EQ(run::Backend::kSim, outcome.backend);
  ASSERT_NE(nullptr, outcome.trouble());
  EXPECT_EQ(Trouble::Kind::kNoGrade, outcome.trouble()->kind);
  EXPECT_EQ("the grader ended on it without a grade (signal 9)", outcome.trouble()->why);
  EXPECT_EQ(3, shared_->tries);
}

TEST_F(JudgeTest, AnErrorOfTheGraderIsTroubleWithItsText) {
  auto child = judge([] { throw base::ToolError("no version of the compiler"); });
  const auto outcome = outcome_of(child, task("key", kTwice));
  EXPECT_TRUE(is_trouble(outcome.result, Trouble::Kind::kNoGrade));
  EXPECT_EQ("no version of the compiler", outcome.trouble()->why);
}

TEST_F(JudgeTest, AReferenceThatFailsCostsItsOwnExerciseOnly) {
  auto child = judge();
  auto broken = task("broken", kTwice);
  broken.lab = "broken";
  const auto outcome = outcome_of(child, broken);
  EXPECT_EQ("broken", outcome.key);
  EXPECT_TRUE(is_trouble(outcome.result, Trouble::Kind::kNoGrade));
  EXPECT_THAT(outcome.trouble()->why, HasSubstr("reference.cu"));
  EXPECT_NE(nullptr, outcome_of(child, task("key", kTwice)).grade());
}

TEST_F(JudgeTest, WithoutAFolderForTheFilesItReportsThatAndEnds) {
  temporary_ = course_->path() / "missing";
  auto child = judge();
  EXPECT_THAT(failure_of(child), HasSubstr("TMPDIR"));
}

TEST_F(JudgeTest, WithoutRoomForTheFilesItReportsThatAndEnds) {
  prepare_ = [] {
    std::signal(SIGXFSZ, SIG_IGN);  // a write past the limit fails instead of killing the process
    lower_limit(RLIMIT_FSIZE, 10);
  };
  auto child = judge();
  EXPECT_THAT(failure_of(child), HasSubstr("cannot be written"));
  EXPECT_TRUE(fs::is_empty(temporary_));
}

TEST_F(JudgeTest, WithoutAProcessForASubmissionItReportsThatAndGoesOn) {
  prepare_ = [] {
    const int lowest = open("/dev/null", O_RDONLY);
    close(lowest);
    lower_limit(RLIMIT_NOFILE, static_cast<rlim_t>(lowest) + 2);
  };
  auto child = judge();
  for (const auto* key : {"a", "b"}) {
    const auto outcome = outcome_of(child, answers(key));
    EXPECT_EQ(key, outcome.key);
    EXPECT_TRUE(is_trouble(outcome.result, Trouble::Kind::kNoGrade));
    EXPECT_THAT(outcome.trouble()->why, HasSubstr("no child process can be started"));
  }
}

TEST_F(JudgeTest, ANameThatNoFolderCanHaveCostsItsOwnTaskOnly) {
  auto child = judge();
  auto with_header = task("a", kTwice);
  with_header.files.push_back({std::string(300, 'y') + ".cuh", ""});
  const auto outcome = outcome_of(child, with_header);
  EXPECT_EQ("a", outcome.key);
  EXPECT_TRUE(is_trouble(outcome.result, Trouble::Kind::kNoGrade));
  EXPECT_THAT(outcome.trouble()->why, HasSubstr("a file name has more than 255 bytes: yyy"));
  EXPECT_EQ(report::Verdict::kPass, grade_of(child, task("b", kTwice)).verdict);
}

// Writes `message` to each pipe of this process, as a submission that controls it could.
void forge(const std::string& message) {
  for (int descriptor = STDERR_FILENO + 1; descriptor < 256; ++descriptor) {
    struct stat found {};
    if (fstat(descriptor, &found) == 0 && S_ISFIFO(found.st_mode)) {
      base::write_message(descriptor, message);
    }
  }
  _exit(0);
}

TEST_F(JudgeTest, NoSubmissionStopsTheJudge) {
  const Outcome::Result forged = Trouble{Trouble::Kind::kJudgeFailed, "stop them all"};
  for (const auto& message : {base::encode(forged), std::string("noise")}) {
    auto child = judge([&] { forge(message); });
    const auto outcome = outcome_of(child, task("key", kTwice));
    EXPECT_TRUE(is_trouble(outcome.result, Trouble::Kind::kNoGrade));
    EXPECT_THAT(outcome.trouble()->why, HasSubstr("without a grade (signal 0)"));
  }
}

TEST_F(JudgeTest, ASubmissionReachesNeitherSolutionsNorOtherTasks) {
  if (available_confinement().landlock == 0) GTEST_SKIP() << "this kernel has no Landlock";
  const auto can_read = [](const fs::path& path) { return open(path.c_str(), O_RDONLY) >= 0; };
  auto child = judge([&] {
    shared_->solution_is_readable = can_read(course_->path() / "solutions/small/twice.cu");
    shared_->passwords_are_readable = can_read("/etc/passwd");
    shared_->labs_are_readable = can_read(course_->path() / "labs/small/twice.cu");
    char byte = 0;
    shared_->next_task_is_readable = read(STDIN_FILENO, &byte, 1) != 0;
    if (write(STDOUT_FILENO, "forged", 6) != 6) _exit(1);
  });
  ASSERT_TRUE(child.send(base::encode(task("a", kTwice))));
  ASSERT_TRUE(child.send(base::encode(task("b", kTwice))));
  for (const auto* key : {"a", "b"}) {
    const auto outcome = next_outcome(child);
    EXPECT_EQ(key, outcome.key);
    EXPECT_NE(nullptr, outcome.grade());
  }
  EXPECT_TRUE(shared_->labs_are_readable);
  EXPECT_FALSE(shared_->solution_is_readable);
  EXPECT_FALSE(shared_->passwords_are_readable);
  EXPECT_FALSE(shared_->next_task_is_readable);
}

TEST_F(JudgeTest, AMessageThatIsNoTaskEndsIt) {
  for (const auto& message :
       {std::string("noise"), base::encode(Task{"key", "small", "twice", {}, {}})}) {
    auto child = judge();
    ASSERT_TRUE(child.send(message));
    EXPECT_EQ(std::nullopt, child.receive(kPatience));
    EXPECT_EQ(1, WEXITSTATUS(child.end()));
  }
}

TEST_F(JudgeTest, TheEndOfItsInputEndsIt) {
  base::ForkedChild child([](const base::ForkedChild::Ends&) {
    setenv("WARPGRADE_ROOT", course_->path().c_str(), 1);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    return run_judge(run::Backend::kSim, [] { return report::Provenance(); });
  });
  const int status = child.wait();
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(0, WEXITSTATUS(status));
}

TEST_F(JudgeTest, ItsViewHasTheLabsAndNoSolutions) {
  const compile::ScopedVariable root("WARPGRADE_ROOT", course_->path().string());
  const auto view = judge_view(run::Backend::kSim);
  EXPECT_FALSE(view.card);
  EXPECT_THAT(view.writable, ElementsAre("/dev/null"));
  EXPECT_THAT(view.readable, Contains((course_->path() / "labs").string()));
  EXPECT_THAT(view.readable, Contains(fs::read_symlink("/proc/self/exe").parent_path().string()));
  EXPECT_THAT(view.readable, Each(Not(HasSubstr("solutions"))));
  EXPECT_THAT(view.readable, Not(Contains(course_->path().string())));
  EXPECT_THAT(view.readable, Not(Contains("/")));
  EXPECT_THAT(view.readable, Not(Contains("/proc")));
}

TEST_F(JudgeTest, AViewWithACardHasWhatADriverNeeds) {
  const compile::ScopedVariable root("WARPGRADE_ROOT", course_->path().string());
  const auto view = judge_view(run::Backend::kGpu);
  EXPECT_TRUE(view.card);
  for (const auto* path : {"/proc", "/sys", "/etc"}) EXPECT_THAT(view.readable, Contains(path));
  EXPECT_THAT(view.writable, Contains("/proc"));
}

}  // namespace

}  // namespace warpgrade::grader::class_book::worker_test
