// SPDX-License-Identifier: Apache-2.0
// Small files of device code (../small_files.h), each with a launch that runs with all checks.
//
// The differential corpus: the grader must accept or refuse each file of right/ and wrong/ as nvcc
// does, and its outputs must equal an H100's bit by bit. corpus.py documents the files, and
// renew.py makes the golden data. differences.txt lists the remaining differences and their
// reasons. A row that no longer differs, or differs in another way, fails the test.
//
// Wrong kernels: each of ../cuda/wrong has one mistake in its kernel `k`. The lines that begin with
// "// |" are the complete text that `warpgrade profile` prints for it. ../cuda/right has similar
// kernels without a mistake, whose reports must be empty. With WARPGRADE_ACCEPT set, the test
// rewrites the expected lines: review the difference before you commit it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"
#include "grader/profile/profiling.h"
#include "tests/evidence/small_files.h"

namespace warpgrade::grader::corpus_test {

using evidence::extent;
using evidence::names_in;
using evidence::SmallFile;
using evidence::words_of;

const std::filesystem::path kEvidence = WARPGRADE_EVIDENCE;
const std::filesystem::path kGolden = kEvidence / "golden" / "h100_nvcc";
constexpr std::size_t kDigits = 16;

// First word -> the rest of each row of a golden file.
std::map<std::string, std::string> rows(const std::filesystem::path& path) {
  std::map<std::string, std::string> result;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const auto space = line.find(' ');
    result[line.substr(0, space)] = space == std::string::npos ? "" : line.substr(space + 1);
  }
  return result;
}

// "right/atomics_half" -> the file.
const std::map<std::string, SmallFile>& files() {
  static const auto all = [] {
    std::map<std::string, SmallFile> found;
    for (const std::string folder : {"right", "wrong", "features"}) {
      for (auto& [name, file] : evidence::small_files(kEvidence / "nvcc" / folder)) {
        found[folder + "/" + name] = std::move(file);
      }
    }
    return found;
  }();
  return all;
}

struct Launch {
  profile::ProfiledLaunch asked;
  std::string device = "h100";
};

// Reads the options of `warpgrade profile` in the line "// launch: "; false if there is none.
bool read_launch(const std::string& text, Launch& launch) {
  const std::string head = "\n// launch: ";
  const auto at = text.find(head);
  if (at == std::string::npos) return false;
  const auto begin = at + head.size();
  const auto words = words_of(text.substr(begin, text.find('\n', begin) - begin));
  auto& asked = launch.asked;
  asked.launch.cooperative = std::find(words.begin(), words.end(), "--cooperative") != words.end();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto& value = words[i + 1];
    if (words[i] == "--kernel") asked.kernel = value;
    if (words[i] == "--grid") asked.launch.grid = extent(value);
    if (words[i] == "--block") asked.launch.block = extent(value);
    if (words[i] == "--cluster") asked.launch.cluster = extent(value);
    if (words[i] == "--arg") asked.arguments.push_back(profile::parse_argument(value));
    if (words[i] == "--device") launch.device = value;
    if (words[i] == "--shared") {
      asked.launch.dynamic_shared_bytes = static_cast<std::uint32_t>(std::stoul(value));
    }
  }
  return true;
}

// Runs the launch with all checks and in several orders of warps and blocks.
report::ProfileReport run(const Launch& launch, std::vector<run::Buffer>& buffers) {
  static std::map<std::string, std::unique_ptr<measure::SimBench>> benches;
  auto& bench = benches[launch.device];
  if (!bench) bench = measure::sim_bench(device::find(launch.device));
  return profile::profile(launch.asked, *bench, buffers);
}

// The outcome of a file: "accepted" or "refused"; if it runs, the digest of its outputs, "finding"
// or "unsupported". `more` has the details.
struct Outcome {
  std::string verdict;
  std::string more;
};

Outcome outcome_of(const std::vector<base::Diagnostic>& diagnostics) {
  const auto& first = diagnostics.front();
  switch (first.kind) {
    case base::DiagnosticKind::kCompileError:
      return {"refused", first.message};
    case base::DiagnosticKind::kUnsupported:
      return {"unsupported", first.message};
    default:
      return {"finding", first.message};
  }
}

Outcome compile_only(const std::filesystem::path& path) {
  auto read = compile::read_source(path);
  if (const auto* problems = std::get_if<std::vector<base::Diagnostic>>(&read)) {
    return outcome_of(*problems);
  }
  const auto compiled = compile::compile(std::get<compile::CompileRequest>(read));
  if (const auto* problems = std::get_if<std::vector<base::Diagnostic>>(&compiled)) {
    return outcome_of(*problems);
  }
  return {"accepted", ""};
}

Outcome outcome_of(const Launch& launch) {
  std::vector<run::Buffer> buffers;
  const auto report = run(launch, buffers);
  if (!report.diagnostics.empty()) return outcome_of(report.diagnostics);
  std::string bytes;
  for (const auto& buffer : buffers) {
    if (buffer.read_only) continue;
    bytes.append(reinterpret_cast<const char*>(buffer.bytes.data()), buffer.bytes.size());
  }
  auto digest = base::sha256_hex(bytes + report.measurement.result.printed).substr(0, kDigits);
  return {std::move(digest), fmt::format("{} bytes", bytes.size())};
}

// "right/atomics_half" in a folder of its own.
evidence::StoredFile stored(const std::string& name) {
  return {name.substr(name.find('/') + 1), files().at(name).text};
}

Outcome outcome_here(const std::string& name) {
  const auto file = stored(name);
  try {
    Launch launch;
    launch.asked.file = file.path();
    const bool runs = read_launch(files().at(name).text, launch);
    return runs ? outcome_of(launch) : compile_only(file.path());
  } catch (const base::ToolError& error) {
    return {"unsupported", error.what()};
  } catch (const base::UsageError& error) {
    return {"unsupported", error.what()};
  }
}

// The digest of the card's output, or nvcc's verdict if the file has no launch.
std::string expected(const std::string& name) {
  static const auto verdicts = rows(kGolden / "verdicts.txt");
  static const auto outputs = rows(kGolden / "outputs.txt");
  const auto output = outputs.find(name);
  if (output != outputs.end()) return output->second.substr(0, kDigits);
  const auto verdict = verdicts.find(name);
  return verdict == verdicts.end() ? "not compiled" : words_of(verdict->second).front();
}

const std::map<std::string, std::string>& differences() {
  static const auto all = rows(kEvidence / "nvcc" / "differences.txt");
  return all;
}

class Corpus : public testing::TestWithParam<std::string> {};

// `right/atomics_half` -> "works", "refused: MESSAGE" or "not yet: MESSAGE": the rows of
// docs/features.md.
const std::map<std::string, std::string>& features() {
  static const auto all = [] {
    std::map<std::string, std::string> found;
    std::ifstream file(kEvidence.parent_path().parent_path() / "docs" / "features.md");
    for (std::string line; std::getline(file, line);) {
      const auto first = line.find(" | ");
      const auto second = line.rfind(" | `");
      if (first == std::string::npos || second == std::string::npos) continue;
      const auto name = line.substr(second + 4, line.rfind('`') - second - 4);
      const auto added = found.emplace(name, line.substr(first + 3, second - first - 3)).second;
      EXPECT_TRUE(added) << name << " has two rows";
    }
    return found;
  }();
  return all;
}

// Checks that a file has the status of its feature. "works" requires the output of a card.
void expect_status(const std::string& status, const std::string& name, const Outcome& here) {
  static const auto outputs = rows(kGolden / "outputs.txt");
  if (status == "works") {
    EXPECT_EQ(1U, outputs.count(name)) << "no output of a card";
    EXPECT_EQ(expected(name), here.verdict) << here.more;
    return;
  }
  const auto colon = status.find(": ");
  const auto word = status.substr(0, colon);
  ASSERT_NE(std::string::npos, colon) << name << " has no reason";
  ASSERT_TRUE(word == "refused" || word == "not yet") << word;
  EXPECT_EQ(word == "refused" ? "refused" : "unsupported", here.verdict) << here.more;
  EXPECT_NE(std::string::npos, here.more.find(status.substr(colon + 2))) << here.more;
}

TEST_P(Corpus, IsAsNvccAndTheCardSay) {
  const auto name = GetParam();
  const auto here = outcome_here(name);
  const auto feature = features().find(name);
  if (feature != features().end()) expect_status(feature->second, name, here);
  if (name.rfind("features/", 0) == 0) return;  // no card ran these
  const auto known = differences().find(name);
  if (known == differences().end()) {
    EXPECT_EQ(expected(name), here.verdict) << name << ": " << here.more;
    return;
  }
  EXPECT_NE(expected(name), here.verdict) << name << ": take its row out of differences.txt";
  const auto kind = words_of(known->second).front();
  const bool is_digest = here.verdict.find_first_not_of("0123456789abcdef") == std::string::npos;
  EXPECT_EQ(kind, is_digest ? "output" : here.verdict) << name << ": " << here.more;
}

std::vector<std::string> names(const std::string& folder) {
  std::vector<std::string> result;
  for (const auto& [name, file] : files()) {
    if (name.starts_with(folder + "/")) result.push_back(name);
  }
  return result;
}

// Each file has a row, each row a file, and each difference a reason. An output of the card is
// proof that nvcc accepted the file.
TEST(CorpusFiles, HaveARowEachAndHalfOfThemAnError) {
  const auto verdicts = rows(kGolden / "verdicts.txt");
  const auto outputs = rows(kGolden / "outputs.txt");
  const auto right = names("right");
  const auto wrong = names("wrong");
  EXPECT_LE(400U, right.size() + wrong.size());
  EXPECT_EQ(verdicts.size() + outputs.size(), right.size() + wrong.size());
  for (const auto& name : wrong) EXPECT_EQ(0U, verdicts.at(name).rfind("refused ", 0)) << name;
  for (const auto& name : right) {
    EXPECT_NE(outputs.contains(name), verdicts.contains(name)) << name;
    EXPECT_TRUE(outputs.contains(name) || verdicts.at(name) == "accepted") << name;
  }
  for (const auto& name : right) {
    Launch launch;
    EXPECT_EQ(read_launch(files().at(name).text, launch), outputs.count(name) == 1) << name;
  }
  for (const auto& [name, row] : differences()) {
    EXPECT_NE("not compiled", expected(name)) << name;
    EXPECT_LE(3U, words_of(row).size()) << name << ": no reason";
  }
}

// Each row of the features names a file, and each file of features/ has a row.
TEST(CorpusFiles, AreThoseOfTheFeatures) {
  EXPECT_LE(150U, features().size());
  for (const auto& [name, status] : features()) EXPECT_EQ(1U, files().count(name)) << name;
  for (const auto& name : names("features")) EXPECT_EQ(1U, features().count(name)) << name;
}

// A block that waits at a grid barrier polls one word: once here, and at least once on a card. So a
// card may count more loads. The other counters are equal.
TEST(CorpusCounters, OfCooperativeLaunchesAreThoseOfTheCard) {
  for (const auto& [name, row] : rows(kGolden / "counters.txt")) {
    const auto file = stored(name);
    Launch launch;
    launch.asked.file = file.path();
    ASSERT_TRUE(read_launch(files().at(name).text, launch)) << name;
    std::vector<run::Buffer> buffers;
    const auto metrics = run(launch, buffers).measurement.metrics;
    std::vector<double> here;
    for (const char* operation : {"atom", "st", "ld"}) {
      for (const char* unit : {"requests", "sectors"}) {
        here.push_back(
            metrics.at(fmt::format("l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum", unit, operation)));
      }
    }
    std::vector<double> card;
    for (const auto& word : words_of(row)) card.push_back(std::stod(word));
    ASSERT_EQ(here.size(), card.size()) << name;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(card[i], here[i]) << name << " " << i;
    for (std::size_t i = 4; i < 6; ++i) EXPECT_GE(card[i], here[i]) << name << " " << i;
    if (name == "right/cooperative_stencil") {
      EXPECT_EQ(card, here);
    }
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  return info.param.substr(info.param.find('/') + 1);
}

INSTANTIATE_TEST_SUITE_P(Right, Corpus, testing::ValuesIn(names("right")), test_name);
INSTANTIATE_TEST_SUITE_P(Features, Corpus, testing::ValuesIn(names("features")), test_name);
INSTANTIATE_TEST_SUITE_P(Wrong, Corpus, testing::ValuesIn(names("wrong")), test_name);

// The text of `warpgrade profile` for one kernel of ../cuda/wrong or ../cuda/right.
std::string explained(const std::string& name, const std::string& text) {
  const evidence::StoredFile file(name, text);
  Launch launch;
  launch.asked.file = file.path().filename();  // Reports show it as it is named.
  launch.asked.kernel = "k";
  launch.device = "h200";
  EXPECT_TRUE(read_launch(text, launch));
  std::vector<run::Buffer> buffers;
  std::filesystem::current_path(file.path().parent_path());
  const auto report = run(launch, buffers);
  std::filesystem::current_path(testing::TempDir());
  std::string out;
  for (const auto& diagnostic : report.diagnostics) {
    const bool own = diagnostic.where.file == report.file;
    out += base::render(diagnostic, own ? report.source : "");
  }
  if (!report.note.empty()) out += "note: " + report.note + '\n';
  return out;
}

const std::string kSays = "// | ";

std::string expected_text(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kSays)) out += line.substr(kSays.size()) + '\n';
  }
  return out;
}

// The file with other expected lines, which follow the launch.
std::string with_text(const std::string& text, const std::string& says) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kSays)) continue;
    out += line + '\n';
    if (!line.starts_with("// launch: ")) continue;
    std::istringstream added(says);
    for (std::string more; std::getline(added, more);) out += kSays + more + '\n';
  }
  return out;
}

// Replaces the part `before` in the file that holds it.
void accept(const SmallFile& before, const std::string& after) {
  auto whole = evidence::text_of(before.source);
  const auto licence = before.text.find('\n') + 1;
  whole.replace(whole.find(before.text.substr(licence)), before.text.size() - licence,
                after.substr(licence));
  std::ofstream(before.source) << whole;
}

class WrongKernels : public testing::TestWithParam<std::string> {};

TEST_P(WrongKernels, AreExplained) {
  const auto file = evidence::small_files(kEvidence / "cuda" / "wrong").at(GetParam());
  auto text = file.text;
  auto says = explained(GetParam(), text);
  if (std::getenv("WARPGRADE_ACCEPT") != nullptr) {
    for (int i = 0; i < 3 && says != expected_text(text); ++i) {
      text = with_text(text, says);  // The new lines shift the kernel's lines.
      says = explained(GetParam(), text);
    }
    if (text != file.text) accept(file, text);
  }
  EXPECT_FALSE(says.empty());
  EXPECT_EQ(expected_text(text), says);
}

INSTANTIATE_TEST_SUITE_P(Kernels, WrongKernels,
                         testing::ValuesIn(names_in(kEvidence / "cuda" / "wrong")), test_name);

class RightKernels : public testing::TestWithParam<std::string> {};

TEST_P(RightKernels, RaiseNoAlarm) {
  const auto file = evidence::small_files(kEvidence / "cuda" / "right").at(GetParam());
  EXPECT_EQ("", explained(GetParam(), file.text));
}

INSTANTIATE_TEST_SUITE_P(Kernels, RightKernels,
                         testing::ValuesIn(names_in(kEvidence / "cuda" / "right")), test_name);

}  // namespace warpgrade::grader::corpus_test
