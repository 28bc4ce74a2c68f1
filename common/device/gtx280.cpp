// SPDX-License-Identifier: Apache-2.0
// GeForce GTX 280: a GT200 with GDDR3 at 1107 MHz. Source: NVIDIA's data sheet.
#include "common/device/catalogue.h"
#include "common/device/gt200.h"

namespace warpgrade::device {
namespace {

constexpr Profile gtx280() {
  Profile p = gt200();
  p.name = "gtx280";
  p.product = "NVIDIA GeForce GTX 280";
  p.dram_bytes_per_second = 141.7e9;  // 512 bits at 1107 MHz, double data rate
  p.dram_efficiency = 0.92;           // [est] of a stream; opening pages comes on top
  return p;
}

}  // namespace

constinit const Profile kGtx280 = gtx280();

}  // namespace warpgrade::device
