// SPDX-License-Identifier: Apache-2.0
// Tesla C1060: a GT200 with slower memory than the GTX 280. Source: NVIDIA's board specification.
#include "common/device/catalogue.h"
#include "common/device/gt200.h"

namespace warpgrade::device {
namespace {

constexpr Profile c1060() {
  Profile p = gt200();
  p.name = "c1060";
  p.product = "NVIDIA Tesla C1060";
  p.dram_bytes_per_second = 102.4e9;  // 512 bits at 800 MHz, double data rate
  p.dram_efficiency = 0.92;           // [est] of a stream; opening pages comes on top
  return p;
}

}  // namespace

constinit const Profile kC1060 = c1060();

}  // namespace warpgrade::device
