// SPDX-License-Identifier: Apache-2.0
// The list of profiles and the look-up by name. A new device is one line here.
#include <fmt/format.h>

#include <array>
#include <string>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/device/catalogue.h"

namespace warpgrade::device {
namespace {

constexpr std::array<const Profile*, 8> kProfiles = {&kG80, &kGtx280,     &kC1060, &kK20x,
                                                     &kK40, &kTitanBlack, &kV100,  &kH200};

}  // namespace

std::span<const Profile* const> profiles() { return kProfiles; }

const Profile& find(std::string_view name) {
  std::array<std::string_view, kProfiles.size()> names;
  std::string list;
  for (std::size_t i = 0; i < kProfiles.size(); ++i) {
    if (kProfiles[i]->name == name) return *kProfiles[i];
    names[i] = kProfiles[i]->name;
    list += fmt::format("{}{}", i == 0 ? "" : ", ", names[i]);
  }
  const std::string_view nearest = base::nearest(name, names);
  throw base::UsageError(
      fmt::format("there is no device '{}'{}; devices: {}", base::escape_controls(name),
                  nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest), list));
}

}  // namespace warpgrade::device
