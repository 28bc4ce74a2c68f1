// SPDX-License-Identifier: Apache-2.0
// Points in time as an LMS writes them, as seconds since 1970 in UTC, and as ISO 8601.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::grader::class_book {

/// Parses year, month, day and optionally hour, minute and second, each a run of digits
/// ("2026-11-20T23:59:00Z", "2026-11-20-23-59", "20261120235900"), or 9 to 10 digits of Unix time.
/// A following offset ("+01:00") counts; the default is UTC. Returns seconds since 1970, or nullopt
/// for other text.
std::optional<std::int64_t> parse_utc(std::string_view text);

/// "2026-11-20T23:59:00Z".
std::string utc_text(std::int64_t seconds);

/// The system's clock now.
std::int64_t utc_now();

}  // namespace warpgrade::grader::class_book
