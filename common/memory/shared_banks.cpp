// SPDX-License-Identifier: Apache-2.0
#include "common/memory/shared_banks.h"

#include <algorithm>
#include <array>
#include <bit>

#include "common/memory/distinct.h"

namespace warpgrade::memory {
namespace {

using device::SharedBanks;

/// What a bank can hand out at once, named so that key mod 32 is the bank.
std::uint64_t key_of(SharedBanks rule, std::uint64_t address) {
  switch (rule) {
    case SharedBanks::kKepler32:
      return address / 256 * 32 + address / 4 % 32;
    case SharedBanks::kKepler64:
      return address / 8;
    default:
      return address / 4;
  }
}

/// The most keys that one of the 32 banks has to hand out to `lanes` of the request.
std::uint32_t worst_bank(SharedBanks rule, const Request& request, std::uint32_t lanes,
                         bool atomic) {
  const std::uint64_t word = rule == SharedBanks::kKepler64 ? 8 : 4;
  std::array<std::uint64_t, kMaxKeys> keys;
  std::uint32_t count = 0;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const std::uint64_t address = request.address[std::countr_zero(left)];
    const std::uint64_t last = (address + request.bytes - 1) / word;
    for (std::uint64_t w = address / word; w <= last; ++w) {
      const std::uint64_t key = key_of(rule, w * word);
      if (count == 0 || keys[count - 1] != key || atomic) keys[count++] = key;
    }
  }
  if (!atomic) count = make_distinct(keys.data(), count);
  std::array<std::uint16_t, 32> in_bank{};
  std::uint16_t worst = 0;
  for (std::uint32_t i = 0; i < count; ++i) worst = std::max(worst, ++in_bank[keys[i] % 32]);
  return worst;
}

/// 32 banks of 4 bytes: as many lanes at once as fill them.
SharedAccess thirty_two(const Request& request, bool atomic) {
  const std::uint32_t at_once = 128 / std::clamp<std::uint32_t>(request.bytes, 4, 128);
  const std::uint32_t group = ~std::uint32_t{0} >> (kLanes - at_once);
  SharedAccess access;
  for (std::uint32_t first = 0; first < kLanes; first += at_once) {
    const std::uint32_t lanes = request.mask & (group << first);
    if (lanes == 0) continue;
    access.passes += worst_bank(SharedBanks::kThirtyTwo, request, lanes, atomic);
    ++access.ideal;
  }
  return access;
}

SharedAccess kepler(SharedBanks rule, const Request& request, bool atomic) {
  const std::uint32_t passes = worst_bank(rule, request, request.mask, atomic);
  const auto lanes = static_cast<std::uint32_t>(std::popcount(request.mask));
  return {passes, std::min(passes, (lanes * request.bytes + 255) / 256)};
}

/// One request of 4 bytes a lane at `offset` into each lane's word, for the lanes of a half-warp.
std::uint32_t sixteen_passes(const Request& request, std::uint32_t lanes, std::uint32_t offset,
                             bool atomic) {
  std::uint32_t passes = 0;
  while (lanes != 0) {
    ++passes;
    const int leader = std::countr_zero(lanes);
    const std::uint64_t broadcast = (request.address[leader] + offset) / 4;
    std::uint32_t busy = std::uint32_t{1} << (broadcast % 16);
    std::uint32_t served = std::uint32_t{1} << leader;
    for (std::uint32_t left = lanes & (lanes - 1); left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const std::uint64_t word = (request.address[lane] + offset) / 4;
      const std::uint32_t bank = std::uint32_t{1} << (word % 16);
      const bool shares = word == broadcast && !atomic;
      if (shares || (busy & bank) == 0) served |= std::uint32_t{1} << lane;
      busy |= bank;
    }
    lanes &= ~served;
  }
  return passes;
}

SharedAccess sixteen(const Request& request, bool atomic) {
  SharedAccess access;
  for (const std::uint32_t half : {0x0000ffffU, 0xffff0000U}) {
    const std::uint32_t lanes = request.mask & half;
    if (lanes == 0) continue;
    for (std::uint32_t offset = 0; offset < request.bytes; offset += 4) {
      access.passes += sixteen_passes(request, lanes, offset, atomic);
      ++access.ideal;
    }
  }
  return access;
}

}  // namespace

SharedAccess shared_access(SharedBanks rule, const Request& request, bool atomic) {
  switch (rule) {
    case SharedBanks::kSixteenHalfWarp:
      return sixteen(request, atomic);
    case SharedBanks::kKepler32:
    case SharedBanks::kKepler64:
      return kepler(rule, request, atomic);
    case SharedBanks::kThirtyTwo:
      break;
  }
  return thirty_two(request, atomic);
}

}  // namespace warpgrade::memory
