// SPDX-License-Identifier: Apache-2.0
// Points in time: as seconds since 1970 in UTC, and as people and platforms write them.
//
// In: a text, an optional format of class.toml, and a time zone. Out: seconds since 1970, local
// time as text, or the days by which an attempt is late.
// Parsing is strict: the whole text must be a time. Local times are in a zone of the tz database,
// which the C library reads.
#include "grader/class/timestamps.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "grader/class/names.h"

namespace warpgrade::grader::class_book {

static constexpr const char* kUtcForm = "%Y-%m-%dT%H:%M:%SZ";

std::optional<std::int64_t> parse_utc(const std::string& text) {
  std::tm parts{};
  const auto* end = strptime(text.c_str(), kUtcForm, &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return timegm(&parts);
}

std::string utc_text(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> out{};
  return {out.data(), std::strftime(out.data(), out.size(), kUtcForm, &parts)};
}

std::int64_t utc_now() { return std::time(nullptr); }

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostDays = 3660;

// The process's time zone, until the end of a block.
class ZoneGuard {
 public:
  explicit ZoneGuard(const std::string& name) {
    if (const auto* before = std::getenv("TZ")) before_ = before;
    setenv("TZ", name == "UTC" ? "UTC0" : (":" + name).c_str(), 1);
    tzset();
  }
  ZoneGuard(const ZoneGuard&) = delete;
  ZoneGuard& operator=(const ZoneGuard&) = delete;
  ~ZoneGuard() {
    if (before_) {
      setenv("TZ", before_->c_str(), 1);
    } else {
      unsetenv("TZ");
    }
    tzset();
  }

 private:
  std::optional<std::string> before_;
};

std::tm tm_of(const TimeZone::Local& local) {
  std::tm out{};
  out.tm_year = local.year - 1900;
  out.tm_mon = local.month - 1;
  out.tm_mday = local.day;
  out.tm_hour = local.hour;
  out.tm_min = local.minute;
  out.tm_sec = local.second;
  return out;
}

bool same_clock(const std::tm& a, const std::tm& b) {
  return a.tm_mday == b.tm_mday && a.tm_hour == b.tm_hour && a.tm_min == b.tm_min;
}

bool is_local_time(const TimeZone::Local& local) {
  const std::chrono::year_month_day day{std::chrono::year(local.year),
                                        std::chrono::month(static_cast<unsigned>(local.month)),
                                        std::chrono::day(static_cast<unsigned>(local.day))};
  return day.ok() && local.year >= 1970 && local.hour >= 0 && local.hour < 24 &&
         local.minute >= 0 && local.minute < 60 && local.second >= 0 && local.second < 61;
}

int number_or(const std::string& text, int otherwise) {
  return text.empty() ? otherwise : std::stoi(text);
}

// Groups of a time: y, mo or month, d, h, mi, s, half (AM or PM), tail.
const NameRule& iso_form() {
  static const NameRule kForm(
      R"(^\s*(?<y>\d{4})-(?<mo>\d{1,2})-(?<d>\d{1,2})(?:[T _-]\s*(?<h>\d{1,2})[:.-]?(?<mi>\d\d)(?:[:.-]?(?<s>\d\d)(?:[.,]\d+)?)?)?\s*(?<half>[AaPp]\.?[Mm]\.?)?\s*(?<tail>.*)$(?<student>))");
  return kForm;
}

const NameRule& compact_form() {
  static const NameRule kForm(
      R"(^(?<y>\d{4})(?<mo>\d\d)(?<d>\d\d)(?:[T_-]?(?<h>\d\d)(?<mi>\d\d)(?<s>\d\d)?)?(?<half>)(?<tail>Z?)$(?<student>))");
  return kForm;
}

const NameRule& american_form() {
  static const NameRule kForm(
      R"(^\s*(?:[A-Z][a-z]+day,?\s+)?(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+(?<d>\d{1,2}),?\s+(?<y>\d{4}),?\s+(?:at\s+)?(?<h>\d{1,2}):?(?<mi>\d\d)(?::(?<s>\d\d))?\s*(?<half>[AaPp]\.?[Mm]\.?)?\s*(?<tail>.*)$(?<student>))");
  return kForm;
}

int month_called(const std::string& text) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  return static_cast<int>(kMonths.find(text) / 3) + 1;
}

// Converts an hour of a 12-hour clock to 24 hours; returns false if it is invalid.
bool apply_half(const std::string& half, TimeZone::Local& local) {
  if (half.empty()) return true;
  if (local.hour < 1 || local.hour > 12) return false;
  const bool is_pm = half.front() == 'P' || half.front() == 'p';
  local.hour = local.hour % 12 + (is_pm ? 12 : 0);
  return true;
}

// The local time with the zone that follows it.
std::optional<std::int64_t> with_tail(const TimeZone::Local& local, const std::string& tail,
                                      const TimeZone& zone) {
  if (tail.empty()) return zone.utc_of(local);
  static const NameRule kTail(
      R"(^(?:(?<utc>Z|UTC|GMT)|(?<sign>[+-])(?<oh>\d\d?):?(?<om>\d\d)?|(?<word>[A-Z]{3,5}))?\s*(?:\[(?<zone>[A-Za-z_+/0-9-]+)\])?\s*$(?<student>))");
  const auto parts = kTail.groups(tail, {"utc", "sign", "oh", "om", "word", "zone"});
  if (!parts) return std::nullopt;
  const auto& [utc, sign, hours, minutes, word, named] =
      std::tie((*parts)[0], (*parts)[1], (*parts)[2], (*parts)[3], (*parts)[4], (*parts)[5]);
  auto used = zone;
  if (!named.empty()) {
    const auto found = TimeZone::called(named);
    if (!found) return std::nullopt;
    used = *found;
  }
  if (!utc.empty()) return TimeZone().utc_of(local);
  if (!sign.empty()) {
    const auto offset = 3600 * number_or(hours, 0) + 60 * number_or(minutes, 0);
    if (offset > 14 * 3600) return std::nullopt;
    return TimeZone().utc_of(local) - (sign == "-" ? -offset : offset);
  }
  const auto out = used.utc_of(local);
  if (word.empty() || used.abbreviation(out) == word) return out;
  // The hour that a clock shows twice has both words.
  return used.abbreviation(out - 3600) == word && used.local_of(out - 3600).hour == local.hour
             ? std::optional(out - 3600)
             : std::nullopt;
}

std::optional<std::int64_t> time_in(const NameRule& form, const std::string& text,
                                    const TimeZone& zone) {
  const auto parts = form.groups(text, {"y", "mo", "month", "d", "h", "mi", "s", "half", "tail"});
  if (!parts) return std::nullopt;
  const auto& part = *parts;
  const bool has_clock = !part[4].empty();
  if (!has_clock && (!part[7].empty())) return std::nullopt;
  TimeZone::Local local{number_or(part[0], 0),
                        part[2].empty() ? number_or(part[1], 0) : month_called(part[2]),
                        number_or(part[3], 0),
                        has_clock ? number_or(part[4], 0) : 23,
                        has_clock ? number_or(part[5], 0) : 59,
                        has_clock ? number_or(part[6], 0) : 59};
  if (!apply_half(part[7], local) || !is_local_time(local)) return std::nullopt;
  return with_tail(local, part[8], zone);
}

}  // namespace

std::optional<TimeZone> TimeZone::called(const std::string& name) {
  const auto* folder = std::getenv("TZDIR");
  const auto file = fs::path(folder == nullptr ? "/usr/share/zoneinfo" : folder) / name;
  std::error_code ignored;
  const bool is_plain = !name.empty() && name.front() != '/' && name.find("..") == name.npos;
  TimeZone out;
  if (name == "UTC") return out;
  if (!is_plain || !fs::is_regular_file(file, ignored)) return std::nullopt;
  out.name_ = name;
  return out;
}

std::int64_t TimeZone::utc_of(const Local& local) const {
  const ZoneGuard guard(name_);
  // The 32nd of a month is the first of the next.
  const std::chrono::year_month month{std::chrono::year(local.year),
                                      std::chrono::month(static_cast<unsigned>(local.month))};
  const std::chrono::year_month_day day(std::chrono::sys_days(month / 1) +
                                        std::chrono::days(local.day - 1));
  auto wanted = tm_of(local);
  wanted.tm_year = static_cast<int>(day.year()) - 1900;
  wanted.tm_mon = static_cast<int>(static_cast<unsigned>(day.month())) - 1;
  wanted.tm_mday = static_cast<int>(static_cast<unsigned>(day.day()));
  std::optional<std::int64_t> out;
  // Tries summer time and winter time: one, both or neither may have this local time.
  for (const int summer : {1, 0}) {
    auto one = wanted;
    one.tm_isdst = summer;
    const auto time = std::mktime(&one);
    if (same_clock(one, wanted) && (!out || time > *out)) out = time;
  }
  if (out) return *out;
  auto one = wanted;
  one.tm_isdst = 0;
  return std::mktime(&one);
}

TimeZone::Local TimeZone::local_of(std::int64_t utc) const {
  const ZoneGuard guard(name_);
  const std::time_t time = utc;
  std::tm out{};
  localtime_r(&time, &out);
  return {out.tm_year + 1900, out.tm_mon + 1, out.tm_mday, out.tm_hour, out.tm_min, out.tm_sec};
}

std::string TimeZone::abbreviation(std::int64_t utc) const {
  const ZoneGuard guard(name_);
  const std::time_t time = utc;
  std::tm out{};
  localtime_r(&time, &out);
  return out.tm_zone == nullptr ? "" : out.tm_zone;
}

std::optional<std::int64_t> parse_time(std::string_view text, const TimeZone& zone) {
  if (text.size() > 64) return std::nullopt;
  const std::string whole(text);
  const bool is_count = whole.find_first_not_of("0123456789") == whole.npos;
  if (is_count && (whole.size() == 9 || whole.size() == 10)) return std::stoll(whole);
  for (const auto* form : {&iso_form(), &compact_form(), &american_form()}) {
    if (const auto out = time_in(*form, whole, zone)) return out;
  }
  return std::nullopt;
}

std::optional<std::int64_t> parse_time(const std::string& text, const std::string& format,
                                       const TimeZone& zone) {
  auto padded = text;
  // "%I%M" has three digits before ten o'clock, and strptime() would read two for the hour.
  static const NameRule kShort(
      R"(^(?<before>.*\s)(?<clock>\d{3})(?<after>\s*[AaPp][Mm])$(?<student>))");
  if (format.find("%I%M") != format.npos) {
    if (const auto parts = kShort.groups(text, {"before", "clock", "after"})) {
      padded = (*parts)[0] + "0" + (*parts)[1] + (*parts)[2];
    }
  }
  std::tm out{};
  out.tm_hour = -1;
  out.tm_mday = -1;
  const auto* end = strptime(padded.c_str(), format.c_str(), &out);
  if (end == nullptr || *end != '\0' || out.tm_mday < 0) return std::nullopt;
  const bool has_clock = out.tm_hour >= 0;
  const TimeZone::Local local{out.tm_year + 1900,
                              out.tm_mon + 1,
                              out.tm_mday,
                              has_clock ? out.tm_hour : 23,
                              has_clock ? out.tm_min : 59,
                              has_clock ? out.tm_sec : 59};
  if (!is_local_time(local)) return std::nullopt;
  if (format.find("%z") != format.npos) return TimeZone().utc_of(local) - out.tm_gmtoff;
  return zone.utc_of(local);
}

std::string local_text(std::int64_t utc, const TimeZone& zone) {
  const auto local = zone.local_of(utc);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} {}", local.year, local.month, local.day,
                     local.hour, local.minute, zone.abbreviation(utc));
}

std::string exact_local_text(std::int64_t utc, const TimeZone& zone) {
  const auto local = zone.local_of(utc);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} {}", local.year, local.month, local.day,
                     local.hour, local.minute, local.second, zone.abbreviation(utc));
}

std::int64_t end_of_deadline(std::int64_t deadline) {
  return deadline % 60 == 0 ? deadline + 59 : deadline;
}

std::int64_t days_late(std::int64_t deadline, std::int64_t submitted, std::int64_t grace,
                       const TimeZone& zone) {
  deadline = end_of_deadline(deadline);
  if (submitted <= deadline + grace) return 0;
  auto local = zone.local_of(deadline);
  for (std::int64_t days = 1; days < kMostDays; ++days) {
    ++local.day;
    const auto boundary = zone.utc_of(local);
    if (submitted <= boundary + grace) return days;
  }
  return kMostDays;
}

}  // namespace warpgrade::grader::class_book
