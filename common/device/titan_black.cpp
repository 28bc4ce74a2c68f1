// SPDX-License-Identifier: Apache-2.0
// GeForce GTX TITAN Black: 15 SMs of a GK110B, boosts by itself from 889 to 980 MHz, no ECC.
// Source: NVIDIA's data sheet.
#include "common/device/catalogue.h"
#include "common/device/gk110.h"

namespace warpgrade::device {
namespace {

constexpr Profile titan_black() {
  Profile p = gk110(15, 980e6);
  p.name = "titan_black";
  p.product = "NVIDIA GeForce GTX TITAN Black";
  p.dram_bytes_per_second = 336e9;  // 384 bits at 3.5 GHz, double data rate
  p.dram_efficiency = 0.765;        // [est] 0.75 to 0.78
  return p;
}

}  // namespace

constinit const Profile kTitanBlack = titan_black();

}  // namespace warpgrade::device
