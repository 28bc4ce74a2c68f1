// SPDX-License-Identifier: Apache-2.0
// The keys of a profile's file: for each key the number that it sets, its unit and its range.
//
// A key names the group and the number of profile.h, without the unit, because its value has one: a
// clock ("1980 MHz"), a time ("145 ns", or "212 clocks" of the profile's own clock), a bandwidth
// ("4.8 TB/s"), bytes ("228 KiB"), a rate ("17 /clock"). The value 0 unsets an optional number.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "common/device/profile.h"

namespace warpgrade::device {

enum class Unit { kNone, kBytes, kHertz, kSeconds, kBytesPerSecond, kPerSecond };

/// Returns a number of a profile.
template <typename Number>
using At = Number& (*)(Profile&);

struct Field {
  std::string_view key;
  std::variant<At<std::uint32_t>, At<double>, At<std::optional<std::uint32_t>>,
               At<std::optional<double>>, At<bool>>
      at;
  Unit unit = Unit::kNone;
  double least = 0;  ///< In the profile's own unit, like `most`.
  double most = 0;
  bool required = false;  ///< If not, the default of the number applies.
};

/// All numeric keys.
std::span<const Field> fields();

/// Converts a value with a unit to the profile's own unit (seconds, hertz, bytes, ...). Clocks are
/// periods of `clock_hz`. Throws base::UsageError that lists the valid units.
double quantity(std::string_view text, Unit unit, double clock_hz);

}  // namespace warpgrade::device
