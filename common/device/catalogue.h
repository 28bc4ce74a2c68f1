// SPDX-License-Identifier: Apache-2.0
// Every profile by its C++ name, for profiles.cpp; others ask find() in profile.h.
#pragma once

#include "common/device/profile.h"

namespace warpgrade::device {

extern const Profile kG80;
extern const Profile kGtx280;
extern const Profile kC1060;
extern const Profile kK20x;
extern const Profile kK40;
extern const Profile kTitanBlack;
extern const Profile kV100;
extern const Profile kH200;

}  // namespace warpgrade::device
