// SPDX-License-Identifier: Apache-2.0
// Reads a profile from the text of a TOML file, and reports every mistake with its place.
//
// The first part is a table of the keys: for each key the number that it sets, its unit and its
// range. The second part reads the rules and names, and inherits missing numbers from the profile
// called by `like`. It also checks that the numbers do not contradict each other.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "common/base/diagnostic.h"
#include "common/base/place.h"
#include "common/device/profile.h"

namespace warpgrade::device {

// The keys of a profile's file: for each key the number that it sets, its unit and its range.
//
// A key names the group and the number of profile.h, without the unit, because its value has one: a
// clock ("1980 MHz"), a time ("145 ns", or "212 clocks" of the profile's own clock), a bandwidth
// ("4.8 TB/s"), bytes ("228 KiB"), a rate ("17 /clock"). The value 0 unsets an optional number.

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

/// The text of the profile that `like` names. Throws base::UsageError if it does not exist.
using TextOfProfile = std::function<std::string_view(std::string_view name)>;

/// `shown` is the file name for messages; `name` becomes the profile's name.
Profile read_profile(std::string_view text, const std::string& shown, const std::string& name,
                     const TextOfProfile& text_of);

}  // namespace warpgrade::device
