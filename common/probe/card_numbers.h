// SPDX-License-Identifier: Apache-2.0
// What the probes find out about a card: the numbers of a profile that can be measured without
// counters of a profiler.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/probe/card.h"

namespace warpgrade::probe {

/// A line of a profile's file (device/profile_reader.h).
struct Number {
  std::string key;
  std::string value;  ///< Text for the file: `"145 ns"`, `4`.
  std::string how;    ///< How it was found, for the comment behind it.
};

/// Told the key before each measurement.
using Progress = std::function<void(const std::string& key)>;

/// The numbers that the driver knows, then those that are measured. Throws base::ToolError where
/// the card cannot do it, or follows none of the rules.
std::vector<Number> card_numbers(Card& card, const Progress& progress);

/// The file: `numbers`, and all else as in the profile `like`, headed by what and when.
std::string profile_text(const gpu::DeviceInfo& info, const device::Profile& like,
                         const std::vector<Number>& numbers, const std::string& date);

}  // namespace warpgrade::probe
