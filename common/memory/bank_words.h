// SPDX-License-Identifier: Apache-2.0
// The words of one access to shared memory, bank by bank and pass by pass: what a picture of the
// access shows.
//
// A bank hands out one word a pass, so the words that one bank has to hand out stand above each
// other, in the order of the lanes. The rules are those of shared_banks.h, which counts only; the
// number of rows is its number of wavefronts (of a compare and swap half of it).
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/request.h"
#include "common/memory/shared_banks.h"

namespace warpgrade::memory {

/// A word that a lane takes from a bank. Lanes on one word that share it have the same row.
struct BankWord {
  std::uint32_t lane = 0;
  std::uint32_t bank = 0;
  std::uint32_t row = 0;  ///< The pass that serves it, from 0.

  friend bool operator==(const BankWord&, const BankWord&) = default;
};

/// In the order of the groups that run at once, in a group in that of the lanes.
std::vector<BankWord> bank_words(device::SharedBanks rule, const Request& request, SharedUse use);

/// Banks of that rule, and the bytes of a word of one.
std::uint32_t bank_count(device::SharedBanks rule);
std::uint32_t bank_bytes(device::SharedBanks rule);

}  // namespace warpgrade::memory
