// SPDX-License-Identifier: Apache-2.0
// The results of the probes: the numbers of a profile that can be measured without a profiler's
// counters.
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
  std::string value;  ///< As written in the file: `"145 ns"`, `4`.
  std::string how;    ///< The comment after it: how it was found.
};

/// Receives the key before each measurement.
using Progress = std::function<void(const std::string& key)>;

/// The numbers that the driver knows, then the measured ones. Throws base::ToolError if the card
/// fails or matches none of the rules.
std::vector<Number> card_numbers(Card& card, const Progress& progress);

/// The file: `numbers`, everything else from the profile `like`, and a header with source and date.
std::string profile_text(const gpu::DeviceInfo& info, const device::Profile& like,
                         const std::vector<Number>& numbers, const std::string& date);

}  // namespace warpgrade::probe
