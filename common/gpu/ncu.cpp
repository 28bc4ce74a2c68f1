// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/ncu.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/base/temporary_folder.h"
#include "common/base/wire.h"
#include "common/compile/child.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/platform.h"
#include "common/gpu/session.h"
#include "common/run/runner.h"

namespace warpgrade::gpu {
namespace {

using Row = std::vector<std::string>;

constexpr std::string_view kFirstColumn = "ID";
constexpr std::string_view kKernelColumn = "Kernel Name";
constexpr std::string_view kError = "==ERROR==";

struct Explanation {
  std::string_view word;  ///< A word in Nsight Compute's message.
  std::string_view text;
};
constexpr std::array kExplanations = {
    Explanation{"ERR_NVGPUCTRPERM",
                "this user may not read the GPU's performance counters (ERR_NVGPUCTRPERM); an "
                "administrator allows it by loading the nvidia module with "
                "NVreg_RestrictProfilingToAdminUsers=0, or by running this as root"},
    Explanation{"LibraryNotLoaded",
                "the driver's performance counters cannot be reached from here (LibraryNotLoaded); "
                "some containers and virtual machines do not hand them on: run it on the host"},
};

struct Table {
  Row names;
  Row units;
  std::vector<Row> launches;
};

Counters none(std::string reason) { return {{}, std::move(reason)}; }

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The cells of one line. All are quoted; a quote inside a cell is doubled.
std::optional<Row> cells_of(std::string_view line) {
  Row cells;
  while (true) {
    if (!line.starts_with('"')) return std::nullopt;
    line.remove_prefix(1);
    auto& cell = cells.emplace_back();
    while (true) {
      const auto quote = line.find('"');
      if (quote == std::string_view::npos) return std::nullopt;
      cell += line.substr(0, quote);
      line.remove_prefix(quote + 1);
      if (!line.starts_with('"')) break;
      cell += '"';
      line.remove_prefix(1);
    }
    if (line.empty()) return cells;
    if (!line.starts_with(',')) return std::nullopt;
    line.remove_prefix(1);
  }
}

// The table; nullopt if it is missing or a line is malformed.
std::optional<Table> table_of(const std::vector<std::string_view>& lines) {
  Table table;
  for (const auto line : lines) {
    if (!line.starts_with('"')) continue;
    auto cells = cells_of(line);
    if (!cells) return std::nullopt;
    if (table.names.empty()) {
      if (cells->front() != kFirstColumn) return std::nullopt;
      table.names = *std::move(cells);
      continue;
    }
    if (cells->size() != table.names.size()) return std::nullopt;
    if (table.units.empty()) {
      table.units = *std::move(cells);
    } else {
      table.launches.push_back(*std::move(cells));
    }
  }
  if (table.units.empty()) return std::nullopt;
  return table;
}

std::optional<std::size_t> column_of(const Table& table, std::string_view name) {
  const auto found = std::find(table.names.begin(), table.names.end(), name);
  if (found == table.names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.names.begin());
}

// The factor of a number in `unit`. Nsight Compute's prefixes are powers of 1000. Base units
// ("sector", "byte/sector", "") are in lower case.
std::optional<double> factor_of(std::string_view unit) {
  if (unit.empty() || (unit.front() >= 'a' && unit.front() <= 'z')) return 1;
  constexpr std::string_view kPrefixes = "KMGT";
  const auto power = kPrefixes.find(unit.front());
  if (power == std::string_view::npos || unit.substr(1) != "byte") return std::nullopt;
  return std::pow(1000.0, static_cast<double>(power + 1));
}

// A number, with or without thousands separators.
std::optional<double> number_of(std::string text) {
  const auto point = text.find('.');
  const auto separator = text.rfind(',');
  if (point != std::string::npos && separator != std::string::npos && separator > point) {
    return std::nullopt;  // a number in another locale: 1.234,5
  }
  text.erase(std::remove(text.begin(), text.end(), ','), text.end());
  double value = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value) || value < 0) {
    return std::nullopt;
  }
  return value;
}

bool is_absent(std::string_view text) {
  return text.empty() || text == "n/a" || text == "nan" || text == "-nan";
}

// The reason why Nsight Compute returned no counters, from its messages; empty without an error.
std::string error_in(const std::vector<std::string_view>& lines) {
  std::string first;
  for (const auto line : lines) {
    if (!line.starts_with(kError)) continue;
    for (const auto& known : kExplanations) {
      if (line.find(known.word) != std::string_view::npos) return std::string(known.text);
    }
    auto text = line.substr(kError.size());
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (first.empty()) first = text;
  }
  return first.empty() ? first : "Nsight Compute says: " + first;
}

// Adds one launch's value of `metric`; false if its text cannot be read.
bool add_value(const Table& table, const Row& launch, std::size_t column, double& sum) {
  const auto factor = factor_of(table.units[column]);
  const auto value = number_of(launch[column]);
  if (!factor || !value) return false;
  sum += *value * *factor;
  return true;
}

Counters values_of(const Table& table, const std::vector<const Row*>& launches,
                   const std::vector<std::string>& metrics) {
  Counters out;
  for (const auto& metric : metrics) {
    if (launches.size() > 1 && !metric.ends_with(".sum")) continue;
    const auto column = column_of(table, metric);
    const auto has_none = [&](const Row* launch) { return is_absent((*launch)[*column]); };
    if (!column || std::any_of(launches.begin(), launches.end(), has_none)) continue;
    double sum = 0;
    for (const auto* launch : launches) {
      if (add_value(table, *launch, *column, sum)) continue;
      return none(fmt::format("Nsight Compute's {} cannot be read: {} {}", metric,
                              (*launch)[*column], table.units[*column]));
    }
    out.values[metric] = sum;
  }
  if (out.values.empty()) return none("Nsight Compute has none of these counters for this GPU");
  return out;
}

}  // namespace

Counters read_counter_table(std::string_view log, const std::vector<std::string>& kernels,
                            const std::vector<std::string>& metrics) {
  const auto lines = lines_of(log);
  auto error = error_in(lines);
  if (!error.empty()) return none(std::move(error));
  const auto table = table_of(lines);
  const auto names = table ? column_of(*table, kKernelColumn) : std::nullopt;
  if (!names) {
    const bool nothing = log.find("No kernels were profiled") != std::string_view::npos;
    return none(nothing ? fmt::format("Nsight Compute saw no launch of {}", kernels.front())
                        : "Nsight Compute's output cannot be read: it holds no whole table");
  }
  std::vector<const Row*> launches;
  for (const auto& row : table->launches) {
    const auto& name = row[*names];
    if (std::find(kernels.begin(), kernels.end(), name) == kernels.end()) continue;
    if (launches.size() == kernels.size()) {
      return none(fmt::format("Nsight Compute counted more launches than {}",
                              kernels.size() == 1 ? "one" : std::to_string(kernels.size())));
    }
    if (name != kernels[launches.size()]) {
      return none(
          fmt::format("Nsight Compute counted {} before {}", name, kernels[launches.size()]));
    }
    launches.push_back(&row);
  }
  if (launches.size() < kernels.size()) {
    return none(fmt::format("Nsight Compute saw no launch of {}", kernels[launches.size()]));
  }
  return values_of(*table, launches, metrics);
}

void write_counted_launch(const std::filesystem::path& file, const std::vector<char>& machine_code,
                          const run::Sequence& sequence, const std::vector<run::Buffer>& buffers) {
  base::WireWriter message;
  message(machine_code, sequence, buffers);
  std::ofstream out(file, std::ios::binary);
  const auto bytes = message.take();
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw base::ToolError(fmt::format("{}: cannot be written", file.string()));
}

void make_counted_launch(const std::filesystem::path& file, const Platform& platform) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) throw base::ToolError(fmt::format("{}: cannot be read", file.string()));
  std::string bytes(static_cast<std::size_t>(in.tellg()), '\0');
  in.seekg(0).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::vector<char> machine_code;
  run::Sequence sequence;
  std::vector<run::Buffer> buffers;
  base::WireReader message(bytes);
  message(machine_code, sequence, buffers);
  if (!message.is_complete()) {
    throw base::ToolError(fmt::format("{}: holds no launch, or not all of it", file.string()));
  }

  Session session(platform.driver, GpuRunner::kTimeLimit, platform.now, platform.ordinal);
  session.load(std::move(machine_code));
  const auto outcome = session.run(sequence, buffers, 1, /*flush=*/false);
  if (!outcome.diagnostics.empty()) throw base::ToolError(base::text(outcome.diagnostics.front()));
}

namespace {

namespace fs = std::filesystem;

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
  const base::TemporaryFolder folder("ncu");
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
    return {{}, fmt::format("Nsight Compute cannot be started: {}", error.what())};
  }
}

}  // namespace warpgrade::gpu
