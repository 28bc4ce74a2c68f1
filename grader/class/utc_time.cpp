// SPDX-License-Identifier: Apache-2.0
#include "grader/class/utc_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <vector>

#include "grader/text/scalars.h"

namespace warpgrade::grader::class_book {
namespace {

namespace chrono = std::chrono;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::vector<std::string> digit_runs(std::string_view text) {
  std::vector<std::string> out;
  bool inside = false;
  for (const char c : text) {
    if (is_digit(c) && !inside) out.emplace_back();
    inside = is_digit(c);
    if (inside) out.back() += c;
  }
  return out;
}

// "20261120" or "20261120235900" as year, month, day ...
std::vector<std::string> cut_compact(const std::string& run) {
  std::vector<std::string> out = {run.substr(0, 4)};
  for (std::size_t at = 4; at + 1 < run.size(); at += 2) out.push_back(run.substr(at, 2));
  return out;
}

// Removes "+01:00" or "-0530" from the end of a text with a time of day; returns seconds.
std::int64_t take_offset(std::string_view& text) {
  const auto sign = text.find_last_of("+-");
  const auto colon = text.find(':');
  if (sign == std::string_view::npos || colon == std::string_view::npos || sign < colon) return 0;
  const auto runs = digit_runs(text.substr(sign));
  if (runs.empty()) return 0;
  const bool is_joined = runs.size() == 1 && runs[0].size() == 4;
  const auto hours = is_joined ? runs[0].substr(0, 2) : runs[0];
  const auto minutes = is_joined ? runs[0].substr(2) : runs.size() > 1 ? runs[1] : "0";
  const auto seconds = 3600 * std::int64_t(text::parse_count(hours).value_or(0)) +
                       60 * std::int64_t(text::parse_count(minutes).value_or(0));
  const bool is_west = text[sign] == '-';
  text = text.substr(0, sign);
  return is_west ? -seconds : seconds;
}

}  // namespace

std::optional<std::int64_t> parse_utc(std::string_view text) {
  if (text.size() > 64) return std::nullopt;
  const auto offset = take_offset(text);
  auto runs = digit_runs(text);
  if (runs.size() == 1 && (runs[0].size() == 9 || runs[0].size() == 10)) {
    return std::int64_t(text::parse_count(runs[0]).value_or(0));
  }
  if (!runs.empty() && (runs[0].size() == 8 || runs[0].size() == 12 || runs[0].size() == 14)) {
    auto cut = cut_compact(runs[0]);
    // "20261120_2359": the time of day may follow as a separate run.
    if (runs[0].size() == 8 && runs.size() == 2 && runs[1].size() >= 4) {
      for (std::size_t at = 0; at + 1 < runs[1].size(); at += 2) {
        cut.push_back(runs[1].substr(at, 2));
      }
    } else {
      cut.insert(cut.end(), runs.begin() + 1, runs.end());
    }
    runs = std::move(cut);
  }
  if (runs.size() < 3 || runs[0].size() != 4) return std::nullopt;
  std::array<unsigned, 6> parts = {0, 1, 1, 0, 0, 0};
  for (std::size_t i = 0; i < std::min(runs.size(), parts.size()); ++i) {
    if (runs[i].size() > 4) return std::nullopt;
    // Leading zeros are allowed here.
    parts.at(i) = 0;
    for (const char c : runs[i]) parts.at(i) = 10 * parts.at(i) + static_cast<unsigned>(c - '0');
  }
  const chrono::year_month_day day{chrono::year(static_cast<int>(parts[0])),
                                   chrono::month(parts[1]), chrono::day(parts[2])};
  if (!day.ok() || parts[3] > 23 || parts[4] > 59 || parts[5] > 60) return std::nullopt;
  const auto days = chrono::sys_days(day).time_since_epoch().count();
  return std::int64_t{days} * 86400 + parts[3] * 3600 + parts[4] * 60 + parts[5] - offset;
}

std::string utc_text(std::int64_t seconds) {
  const chrono::sys_seconds time{chrono::seconds(seconds)};
  const auto days = chrono::floor<chrono::days>(time);
  const chrono::year_month_day day(days);
  const chrono::hh_mm_ss clock(time - days);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

std::int64_t utc_now() { return chrono::system_clock::to_time_t(chrono::system_clock::now()); }

}  // namespace warpgrade::grader::class_book
