// SPDX-License-Identifier: Apache-2.0
// Tesla K20X: 14 SMs of a GK110. Source: NVIDIA's board specification.
#include "common/device/catalogue.h"
#include "common/device/gk110.h"

namespace warpgrade::device {
namespace {

constexpr Profile k20x() {
  Profile p = gk110(14, 732e6);
  p.name = "k20x";
  p.product = "NVIDIA Tesla K20X";
  p.dram_bytes_per_second = 249.6e9;  // 384 bits at 2.6 GHz, double data rate
  p.dram_efficiency = 0.635;  // Ruetsch et al. 2010: simple copy 147.6 GiB/s at 2048 x 2048, ECC
  return p;
}

}  // namespace

constinit const Profile kK20x = k20x();

}  // namespace warpgrade::device
