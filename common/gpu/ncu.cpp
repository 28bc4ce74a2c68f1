// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/ncu.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "common/base/error.h"
#include "common/compile/child.h"
#include "common/gpu/counted_launch.h"

namespace warpgrade::gpu {
namespace {
namespace fs = std::filesystem;

// A folder for one run, removed with its contents.
class RunFolder {
 public:
  RunFolder() {
    std::string pattern = (fs::temp_directory_path() / "warpgrade-ncu-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw base::ToolError(fmt::format("no folder {}: {}", pattern, std::strerror(errno)));
    }
    path_ = pattern;
  }
  ~RunFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

// The folders in `parent` whose names begin with `prefix`, in descending order.
std::vector<fs::path> folders_in(const fs::path& parent, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

std::vector<fs::path> places() {
  std::vector<fs::path> found;
  if (const char* path = std::getenv("PATH")) {
    const std::string folders = path;
    for (std::size_t at = 0; at <= folders.size();) {
      const auto end = std::min(folders.find(':', at), folders.size());
      if (end > at) found.push_back(fs::path(folders.substr(at, end - at)) / "ncu");
      at = end + 1;
    }
  }
  if (const char* home = std::getenv("CUDA_HOME")) found.push_back(fs::path(home) / "bin/ncu");
  for (const auto& one : folders_in("/usr/local", "cuda")) found.push_back(one / "bin/ncu");
  for (const auto& one : folders_in("/opt/nvidia/nsight-compute", "")) found.push_back(one / "ncu");
  return found;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// By launch, in order.
std::vector<std::string> kernels_of(const run::Sequence& sequence) {
  std::vector<std::string> out;
  for (const auto& launch : sequence.launches) out.push_back(launch.kernel);
  return out;
}

// ncu's filter for the kernels of `sequence`: a name, or a regular expression for several.
std::string kernel_filter(const run::Sequence& sequence) {
  if (sequence.is_one_launch()) return sequence.first().kernel;
  std::string names;
  for (const auto& kernel : kernels_of(sequence)) {
    if (!names.empty()) names += '|';
    for (const char c : kernel) names += c == '$' ? std::string("[$]") : std::string(1, c);
  }
  return "regex:^(" + names + ")$";
}

Counters count_with(const fs::path& ncu, const std::vector<char>& machine_code,
                    const run::Sequence& sequence, const std::vector<run::Buffer>& buffers,
                    const std::vector<std::string>& metrics, int ordinal,
                    std::chrono::milliseconds time) {
  const RunFolder folder;
  const auto job = folder / "launch";
  const auto log = folder / "log.csv";
  write_counted_launch(job, machine_code, sequence, buffers);
  const auto program = fs::read_symlink("/proc/self/exe");
  const auto child = compile::run_child(
      {ncu, ncu_arguments(sequence, metrics, log, program, job, ordinal), true}, {}, time);
  if (child.timed_out) return {{}, "Nsight Compute did not end in time"};
  auto counters = read_counter_table(text_of(log), kernels_of(sequence), metrics);
  const bool failed = child.signal != 0 || child.exit_code != 0;
  if (failed && counters.reason.empty()) {
    return {{}, fmt::format("Nsight Compute ended with exit code {}", child.exit_code)};
  }
  return counters;
}

}  // namespace

std::optional<fs::path> find_ncu() {
  if (const char* only = std::getenv("WARPGRADE_NCU")) {
    return is_program(only) ? std::optional<fs::path>(only) : std::nullopt;
  }
  for (const auto& place : places()) {
    if (is_program(place)) return place;
  }
  return std::nullopt;
}

std::vector<std::string> ncu_arguments(const run::Sequence& sequence,
                                       const std::vector<std::string>& metrics, const fs::path& log,
                                       const fs::path& program, const fs::path& job, int ordinal) {
  return {"--csv", "--page", "raw", "--print-units", "base", "--print-fp", "--print-kernel-base",
          "mangled", "--kernel-name-base", "mangled", "--kernel-name", kernel_filter(sequence),
          "--launch-count", std::to_string(sequence.launches.size()), "--target-processes", "all",
          "--clock-control", "none", "--metrics", joined(metrics),
          // Not standard output, because the kernel could print another table there.
          "--log-file", log.string(), program.string(), kCountedLaunchCommand, job.string(),
          "--gpu", std::to_string(ordinal)};
}

Counters count_launches(const std::vector<char>& machine_code, const run::Sequence& sequence,
                        const std::vector<run::Buffer>& buffers,
                        const std::vector<std::string>& metrics, int ordinal,
                        std::chrono::milliseconds time) {
  const auto ncu = find_ncu();
  if (!ncu) {
    return {{},
            "Nsight Compute's ncu is not on PATH, in CUDA_HOME or in its usual places; install it, "
            "or name it in WARPGRADE_NCU"};
  }
  try {
    return count_with(*ncu, machine_code, sequence, buffers, metrics, ordinal, time);
  } catch (const base::ToolError& error) {
    return {{}, error.what()};
  } catch (const fs::filesystem_error& error) {
    return {{}, fmt::format("Nsight Compute needs a folder for its files: {}", error.what())};
  }
}

}  // namespace warpgrade::gpu
