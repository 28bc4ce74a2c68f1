// SPDX-License-Identifier: Apache-2.0
// A profile from the text of a TOML file.
//
//   product = "NVIDIA L40S"      marketing name
//   compute = "8.9"              its compute capability
//   like = "l40"                 embedded profile that supplies all missing numbers
//   validated = "..."            results that it was compared with
//   coalescing = "sectors"       half_warp_strict, half_warp_segments, sectors
//   shared_banks = "plain_32"    half_warp_16, kepler_4_byte, kepler_8_byte, plain_32
//   tag_banks = "hopper"         ampere (default), hopper
//   sm_count = 142               and the other keys of profile_fields.h
//
// Every mistake is a base::TomlError with its place: an unknown or missing key, a number out of
// range, an unknown unit, or numbers that contradict each other.
#pragma once

#include <functional>

#include "common/base/toml_text.h"
#include "common/device/profile.h"

namespace warpgrade::device {

/// The text of the profile that `like` names. Throws base::UsageError if it does not exist.
using TextOfProfile = std::function<std::string_view(std::string_view name)>;

/// `shown` is the file name for messages; `name` becomes the profile's name.
Profile read_profile(std::string_view text, const std::string& shown, const std::string& name,
                     const TextOfProfile& text_of);

}  // namespace warpgrade::device
