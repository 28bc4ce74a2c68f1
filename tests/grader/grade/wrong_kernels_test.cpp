// SPDX-License-Identifier: Apache-2.0
// Small wrong kernels, and the complete text that `warpgrade profile` prints for each.
//
// tests/evidence/cuda/wrong has one file per mistake, with kernel `k`. Its line "// launch: " has
// the options of `profile`, and the lines that begin with "// |" are the expected report.
// tests/evidence/cuda/right has similar kernels without a mistake, whose reports must be empty.
// With WARPGRADE_ACCEPT set, the test rewrites the expected lines: review the difference before you
// commit it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/base/finding_text.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"
#include "grader/cli/commands/commands.h"
#include "grader/profile/profiling.h"

namespace warpgrade::grader::grade::wrong_kernels_test {

const std::filesystem::path kWrong = WARPGRADE_WRONG_KERNELS;
const std::filesystem::path kRight = WARPGRADE_RIGHT_KERNELS;
constexpr const char* kLaunch = "// launch: ";
constexpr const char* kSays = "// | ";

std::vector<std::string> names(const std::filesystem::path& folder) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    found.push_back(entry.path().stem());
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct File {
  std::string launch;
  std::string says;
  std::string kernel;  // Everything else.
};

File read(const std::filesystem::path& path) {
  File file;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(kLaunch)) {
      file.launch = line.substr(std::string(kLaunch).size());
    } else if (line.starts_with(kSays)) {
      file.says += line.substr(std::string(kSays).size()) + '\n';
    } else if (!line.starts_with("// SPDX")) {
      file.kernel += line + '\n';
    }
  }
  return file;
}

void write(const std::filesystem::path& path, const File& file) {
  std::ofstream stream(path);
  stream << "// SPDX-License-Identifier: Apache-2.0\n" << kLaunch << file.launch << '\n';
  std::istringstream says(file.says);
  for (std::string line; std::getline(says, line);) stream << kSays << line << '\n';
  stream << file.kernel;
}

// The report of `profile` for `file` in the current folder.
std::string run(const std::string& file, const std::string& command) {
  profile::ProfiledLaunch asked;
  asked.file = file;
  asked.kernel = "k";
  std::string device = "h200";
  std::istringstream words(command);
  for (std::string option, value; words >> option;) {
    if (option == "--cooperative") {
      asked.launch.cooperative = true;
      continue;
    }
    words >> value;
    if (option == "--grid") asked.launch.grid = cli::parse_extents(value, option);
    if (option == "--block") asked.launch.block = cli::parse_extents(value, option);
    if (option == "--shared") {
      asked.launch.dynamic_shared_bytes = static_cast<std::uint32_t>(std::stoul(value));
    }
    if (option == "--device") device = value;
    if (option == "--arg") asked.arguments.push_back(profile::parse_argument(value));
  }
  const auto bench = measure::sim_bench(device::find(device));
  std::vector<run::Buffer> buffers;
  const auto report = profile::profile(asked, *bench, buffers);
  std::string out;
  for (const auto& diagnostic : report.diagnostics) {
    const bool own = diagnostic.where.file == report.file;
    out += base::render(diagnostic, own ? report.source : "");
  }
  if (!report.note.empty()) out += "note: " + report.note + '\n';
  return out;
}

class WrongKernels : public testing::TestWithParam<std::string> {};

TEST_P(WrongKernels, AreExplained) {
  const auto path = kWrong / (GetParam() + ".cu");
  std::filesystem::current_path(kWrong);
  auto file = read(path);
  auto says = run(path.filename(), file.launch);
  if (std::getenv("WARPGRADE_ACCEPT") != nullptr) {
    for (int i = 0; i < 3 && says != file.says; ++i) {  // The new lines shift the kernel's lines.
      file.says = says;
      write(path, file);
      says = run(path.filename(), file.launch);
    }
  }
  EXPECT_FALSE(says.empty());
  EXPECT_EQ(file.says, says);
}

INSTANTIATE_TEST_SUITE_P(Gallery, WrongKernels, testing::ValuesIn(names(kWrong)),
                         [](const auto& kernel) { return kernel.param; });

class RightKernels : public testing::TestWithParam<std::string> {};

TEST_P(RightKernels, RaiseNoAlarm) {
  std::filesystem::current_path(kRight);
  const auto file = GetParam() + ".cu";
  EXPECT_EQ("", run(file, read(file).launch));
}

INSTANTIATE_TEST_SUITE_P(Gallery, RightKernels, testing::ValuesIn(names(kRight)),
                         [](const auto& kernel) { return kernel.param; });

}  // namespace warpgrade::grader::grade::wrong_kernels_test
