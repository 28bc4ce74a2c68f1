// SPDX-License-Identifier: Apache-2.0
// Tesla K40: 15 SMs of a GK110B at the default clock; its boost clock of 875 MHz is opt-in.
// Source: NVIDIA's board specification.
#include "common/device/catalogue.h"
#include "common/device/gk110.h"

namespace warpgrade::device {
namespace {

constexpr Profile k40() {
  Profile p = gk110(15, 745e6);
  p.name = "k40";
  p.product = "NVIDIA Tesla K40";
  p.dram_bytes_per_second = 288.4e9;  // 384 bits at 3.004 GHz, double data rate
  p.dram_efficiency = 0.65;           // [est] 0.60 to 0.70 with ECC on; the K20X has 0.635
  return p;
}

}  // namespace

constinit const Profile kK40 = k40();

}  // namespace warpgrade::device
