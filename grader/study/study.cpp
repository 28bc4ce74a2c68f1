// SPDX-License-Identifier: Apache-2.0
#include "grader/study/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::study {
namespace {

/// A column of values: its name, which is its unit, and the unit's factor to SI units.
struct Unit {
  std::string_view name;
  double factor;
  bool is_time;
};

constexpr std::array<Unit, 6> kUnits = {{{"ms", 1e-3, true},
                                         {"GB_per_s", 1e9, false},
                                         {"GiB_per_s", 1073741824.0, false},
                                         {"wavefronts", 1, false},
                                         {"clocks", 1, false},
                                         {"best", 1, false}}};

const Unit* unit_called(std::string_view name) {
  const auto* found = std::find_if(kUnits.begin(), kUnits.end(),
                                   [&](const Unit& unit) { return unit.name == name; });
  return found == kUnits.end() ? nullptr : found;
}

[[noreturn]] void fail(const std::string& shown, std::uint32_t line, const std::string& why) {
  throw base::UsageError(fmt::format("{}:{}: {}", base::escape_controls(shown), line, why));
}

std::vector<std::string> cells_in(std::string_view line) {
  std::vector<std::string> out;
  while (true) {
    const auto comma = line.find(',');
    out.emplace_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    line.remove_prefix(comma + 1);
  }
}

/// Reads the rows below the head line, which names the columns.
class Reader {
 public:
  Reader(std::string shown, std::string value)
      : shown_(std::move(shown)), value_(std::move(value)) {
    unit_ = unit_called(value_);
    if (unit_ == nullptr) {
      std::vector<std::string_view> names;
      for (const auto& unit : kUnits) names.push_back(unit.name);
      throw base::UsageError(fmt::format(
          "{}: `{}` is not a column of values{}; they are: {}", base::escape_controls(shown_),
          base::escape_controls(value_), text::did_you_mean(value_, names), text::joined(names)));
    }
  }

  const Unit& unit() const { return *unit_; }

  void head(std::string_view line, std::uint32_t number) {
    columns_ = cells_in(line);
    for (const auto wanted : std::array<std::string_view, 3>{"device", "kernel", value_}) {
      if (std::find(columns_.begin(), columns_.end(), wanted) != columns_.end()) continue;
      const std::vector<std::string_view> names(columns_.begin(), columns_.end());
      fail(shown_, number,
           fmt::format("unknown column `{}`; columns: {}", wanted, text::joined(names)));
    }
  }

  PublishedRow row(std::string_view line, std::uint32_t number) const {
    const auto cells = cells_in(line);
    if (cells.size() != columns_.size()) {
      fail(shown_, number, fmt::format("{} cells, but {} columns", cells.size(), columns_.size()));
    }
    PublishedRow out;
    out.line = number;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto& column = columns_[i];
      if (column == "device") {
        out.device = cells[i];
      } else if (column == "kernel") {
        out.kernel = cells[i];
      } else if (column == value_) {
        out.value = number_in(cells[i], number) * unit_->factor;
      } else if (column != "note" && unit_called(column) == nullptr) {
        out.variables[column] = number_in(cells[i], number);
      }
    }
    return out;
  }

 private:
  double number_in(const std::string& cell, std::uint32_t line) const {
    double value = 0;
    const auto* end = cell.data() + cell.size();
    const auto [stop, error] = std::from_chars(cell.data(), end, value);
    if (error != std::errc{} || stop != end || !std::isfinite(value)) {
      fail(shown_, line, fmt::format("`{}` is not a number", base::escape_controls(cell)));
    }
    return value;
  }

  std::string shown_;
  std::string value_;
  const Unit* unit_ = nullptr;
  std::vector<std::string> columns_;
};

}  // namespace

std::optional<double> PublishedTable::find(std::string_view device, std::string_view kernel,
                                           const text::Variables& variables) const {
  const auto agrees = [&](const auto& named) {
    const auto found = variables.find(named.first);
    return found != variables.end() && found->second == named.second;
  };
  for (const auto& row : rows) {
    if (row.device == device && row.kernel == kernel &&
        std::all_of(row.variables.begin(), row.variables.end(), agrees)) {
      return row.value;
    }
  }
  return std::nullopt;
}

PublishedTable read_published(const std::filesystem::path& file, const std::string& shown,
                              const std::string& value) {
  std::istringstream in(text::read_file(file, shown));
  Reader reader(shown, value);
  PublishedTable out;
  out.shown = shown;
  out.is_time = reader.unit().is_time;
  std::string line;
  bool has_head = false;
  for (std::uint32_t number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!has_head && line.starts_with('#')) {
      const auto text = line.find_first_not_of("# ");
      if (text == std::string::npos) continue;
      if (!out.source.empty()) out.source += ' ';
      out.source.append(line, text);
    } else if (!has_head) {
      reader.head(line, number);
      has_head = true;
    } else if (!line.empty()) {
      out.rows.push_back(reader.row(line, number));
    }
  }
  if (out.rows.empty()) fail(shown, 1, "there are no rows");
  if (out.source.empty()) fail(shown, 1, "the source is missing: begin with a line `# ...`");
  return out;
}

text::Variables Part::variables_at(double value) const {
  auto out = variables;
  out[axis] = value;
  return out;
}

text::Variables Part::variables_at(double value, const Kernel& kernel) const {
  auto out = variables_at(value);
  for (const auto& [name, own] : kernel.variables) out[name] = own;
  return out;
}

}  // namespace warpgrade::grader::study
