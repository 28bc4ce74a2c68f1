// SPDX-License-Identifier: Apache-2.0
// The differential corpus: small files of device code. The grader must accept or refuse each file
// as nvcc does, and its outputs must equal an H100's bit by bit.
//
// The files are parts of those in right/ and wrong/. corpus.py documents them, and renew.py makes
// the golden data. differences.txt lists the remaining differences and their reasons. A row that no
// longer differs, or differs in another way, fails the test.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"
#include "grader/profile/profiling.h"

namespace warpgrade::grader::corpus_test {

const std::filesystem::path kCorpus = WARPGRADE_CORPUS;
const std::filesystem::path kGolden = WARPGRADE_GOLDEN;
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

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    std::erase(word, '\'');  // 'fill(float*)', for the shell
    words.push_back(word);
  }
  return words;
}

base::Dim3 extent(const std::string& text) {
  base::Dim3 result;
  char comma = 0;
  std::istringstream stream(text);
  stream >> result.x;
  if (stream >> comma) stream >> result.y;
  if (stream >> comma) stream >> result.z;
  return result;
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// "right/atomics_half" -> its text. A part begins with its first line, the licence, as a file does.
const std::map<std::string, std::string>& parts() {
  static const auto all = [] {
    std::map<std::string, std::string> found;
    for (const std::string folder : {"right", "wrong"}) {
      for (const auto& entry : std::filesystem::directory_iterator(kCorpus / folder)) {
        const auto text = text_of(entry.path());
        const std::string mark = "\n//--- ";
        const auto licence = text.substr(0, text.find('\n') + 1);
        for (auto at = text.find(mark); at != std::string::npos;) {
          const auto name = at + mark.size();
          const auto body = text.find('\n', name) + 1;
          at = text.find(mark, body);
          const auto end = at == std::string::npos ? text.size() : at;
          found[folder + "/" + text.substr(name, body - 1 - name)] =
              licence + text.substr(body, end - body);
        }
      }
    }
    return found;
  }();
  return all;
}

// Parses "// launch: --kernel sum --grid 2 --block 64 --arg out:f32:64"; false if there is none.
bool read_launch(const std::string& text, profile::ProfiledLaunch& asked) {
  const std::string head = "// launch: ";
  std::istringstream file(text);
  std::string line;
  while (line.rfind(head, 0) != 0) {
    if (!std::getline(file, line)) return false;
  }
  const auto words = words_of(line.substr(head.size()));
  asked.launch.cooperative = std::find(words.begin(), words.end(), "--cooperative") != words.end();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto& value = words[i + 1];
    if (words[i] == "--kernel") asked.kernel = value;
    if (words[i] == "--grid") asked.launch.grid = extent(value);
    if (words[i] == "--block") asked.launch.block = extent(value);
    if (words[i] == "--cluster") asked.launch.cluster = extent(value);
    if (words[i] == "--arg") asked.arguments.push_back(profile::parse_argument(value));
    if (words[i] == "--shared") {
      asked.launch.dynamic_shared_bytes = static_cast<std::uint32_t>(std::stoul(value));
    }
  }
  return true;
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

// Runs the launch with all checks and in several orders of warps and blocks.
Outcome run(const profile::ProfiledLaunch& asked) {
  static const auto bench = measure::sim_bench(device::find("h100"));
  std::vector<run::Buffer> buffers;
  const auto report = profile::profile(asked, *bench, buffers);
  if (!report.diagnostics.empty()) return outcome_of(report.diagnostics);
  std::string bytes;
  for (const auto& buffer : buffers) {
    if (buffer.read_only) continue;
    bytes.append(reinterpret_cast<const char*>(buffer.bytes.data()), buffer.bytes.size());
  }
  auto digest = base::sha256_hex(bytes + report.measurement.result.printed).substr(0, kDigits);
  return {std::move(digest), fmt::format("{} bytes", bytes.size())};
}

// A part of the corpus as a file of its own, or a file of features/, beside the folder of this one.
class File {
 public:
  explicit File(const std::string& name) {
    const auto part = parts().find(name);
    is_part_ = part != parts().end();
    if (!is_part_) {
      path_ = kCorpus.parent_path() / (name + ".cu");
      text_ = text_of(path_);
      return;
    }
    text_ = part->second;
    folder_ = testing::TempDir() + "warpgrade_corpus_XXXXXX";
    if (mkdtemp(folder_.data()) == nullptr) throw base::ToolError("no folder for a part");
    path_ = std::filesystem::path(folder_) / (name.substr(name.find('/') + 1) + ".cu");
    std::ofstream(path_) << text_;
  }
  ~File() {
    std::error_code ignored;
    if (is_part_) std::filesystem::remove_all(folder_, ignored);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::filesystem::path& path() const { return path_; }
  bool read_launch_to(profile::ProfiledLaunch& asked) const {
    asked.file = path_;
    return read_launch(text_, asked);
  }

 private:
  bool is_part_ = false;
  std::string folder_;
  std::filesystem::path path_;
  std::string text_;
};

Outcome outcome_here(const std::string& name) {
  const File file(name);
  try {
    profile::ProfiledLaunch asked;
    return file.read_launch_to(asked) ? run(asked) : compile_only(file.path());
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
  static const auto all = rows(kCorpus / "differences.txt");
  return all;
}

class Corpus : public testing::TestWithParam<std::string> {};

// `right/atomics_half` -> "works", "refused: MESSAGE" or "not yet: MESSAGE": the rows of
// docs/features.md.
const std::map<std::string, std::string>& features() {
  static const auto all = [] {
    std::map<std::string, std::string> found;
    std::ifstream file(WARPGRADE_FEATURES);
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
  for (const auto& [name, text] : parts()) {
    if (name.rfind(folder + "/", 0) == 0) result.push_back(name);
  }
  if (!result.empty()) return result;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus.parent_path() / folder)) {
    if (entry.path().extension() == ".cu") {
      result.push_back(folder + "/" + entry.path().stem().string());
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

// Each file has a row, each row a file, and each difference a reason.
TEST(CorpusFiles, HaveARowEachAndHalfOfThemAnError) {
  const auto verdicts = rows(kGolden / "verdicts.txt");
  const auto right = names("right");
  const auto wrong = names("wrong");
  EXPECT_LE(400U, right.size() + wrong.size());
  EXPECT_EQ(verdicts.size(), right.size() + wrong.size());
  for (const auto& name : right) EXPECT_EQ("accepted", verdicts.at(name)) << name;
  for (const auto& name : wrong) EXPECT_EQ(0U, verdicts.at(name).rfind("refused ", 0)) << name;
  const auto outputs = rows(kGolden / "outputs.txt");
  for (const auto& [name, digest] : outputs) EXPECT_EQ(1U, verdicts.count(name)) << name;
  for (const auto& name : right) {
    profile::ProfiledLaunch asked;
    EXPECT_EQ(read_launch(parts().at(name), asked), outputs.count(name) == 1) << name;
  }
  for (const auto& [name, row] : differences()) {
    EXPECT_EQ(1U, verdicts.count(name)) << name;
    EXPECT_LE(3U, words_of(row).size()) << name << ": no reason";
  }
}

// Each row of the features names a file, and each file of features/ has a row.
TEST(CorpusFiles, AreThoseOfTheFeatures) {
  EXPECT_LE(150U, features().size());
  for (const auto& [name, status] : features()) {
    const File file(name);
    EXPECT_TRUE(std::filesystem::exists(file.path())) << name;
  }
  for (const auto& name : names("features")) EXPECT_EQ(1U, features().count(name)) << name;
}

// A block that waits at a grid barrier polls one word: once here, and at least once on a card. So a
// card may count more loads. The other counters are equal.
TEST(CorpusCounters, OfCooperativeLaunchesAreThoseOfTheCard) {
  const auto bench = measure::sim_bench(device::find("h100"));
  for (const auto& [name, row] : rows(kGolden / "counters.txt")) {
    profile::ProfiledLaunch asked;
    const File file(name);
    ASSERT_TRUE(file.read_launch_to(asked)) << name;
    std::vector<run::Buffer> buffers;
    const auto metrics = profile::profile(asked, *bench, buffers).measurement.metrics;
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

}  // namespace warpgrade::grader::corpus_test
