// SPDX-License-Identifier: Apache-2.0
// Points in time: as seconds since 1970 in UTC, as ISO 8601, and as people and platforms write
// them in their time zone.
//
// The C library has one zone for the whole process, so call the functions of TimeZone from one
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::grader::class_book {

/// Seconds since 1970 of a time as utc_text() writes it; nullopt for other text.
std::optional<std::int64_t> parse_utc(const std::string& text);

/// "2026-11-20T23:59:00Z".
std::string utc_text(std::int64_t seconds);

/// The system's clock now.
std::int64_t utc_now();

/// A zone of the tz database: "Europe/Berlin". UTC by default.
class TimeZone {
 public:
  TimeZone() = default;
  /// nullopt if the machine's tz database does not have the zone.
  static std::optional<TimeZone> called(const std::string& name);
  const std::string& name() const { return name_; }

  struct Local {
    int year = 1970;
    int month = 1;
    int day = 1;
    int hour = 0;
    int minute = 0;
    int second = 0;
  };
  /// Seconds since 1970. A time that a clock shows twice is the later one, in the student's favour
  /// for a deadline; one that it leaves out is as long after the gap began.
  std::int64_t utc_of(const Local& local) const;
  Local local_of(std::int64_t utc) const;
  /// "CET", "CEST" at that time.
  std::string abbreviation(std::int64_t utc) const;

 private:
  std::string name_ = "UTC";
};

/// Seconds since 1970 of "2026-11-20T23:59:00+01:00", "2026-11-20 23:59", "2026-11-20 11:59 PM",
/// "2026-11-20-23-59-00", "20261120235900", "Nov 20, 2026 1159 PM", or of 9 to 10 digits that are
/// such seconds. "Z", "UTC", an offset, "[Europe/Berlin]" or the zone's own abbreviation may
/// follow; otherwise it is local in `zone`. A date alone is the end of that day. Nullopt for any
/// other text.
std::optional<std::int64_t> parse_time(std::string_view text, const TimeZone& zone);

/// The same by a format of strptime() ("%b %d, %Y %I%M %p"), which has to match the whole text.
std::optional<std::int64_t> parse_time(const std::string& text, const std::string& format,
                                       const TimeZone& zone);

/// "2026-11-20 23:59 CET": for people, in minutes.
std::string local_text(std::int64_t utc, const TimeZone& zone);

/// The same with seconds: "2026-11-20 23:59:07 CET".
std::string exact_local_text(std::int64_t utc, const TimeZone& zone);

/// The last second of a deadline. One of a whole minute lasts through that minute, since platforms
/// and people give minutes.
std::int64_t end_of_deadline(std::int64_t deadline);

/// The days that work is late: how often the clock of `zone` showed the deadline's time of day,
/// with `grace` seconds each time, before it came; 0 if it came in time. So a day is a calendar
/// day, of 23 or 25 hours when the clocks change.
std::int64_t days_late(std::int64_t deadline, std::int64_t submitted, std::int64_t grace,
                       const TimeZone& zone);

}  // namespace warpgrade::grader::class_book
