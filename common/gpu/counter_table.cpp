// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/counter_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

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

}  // namespace warpgrade::gpu
