// SPDX-License-Identifier: Apache-2.0
// The words of one shared memory access by bank and pass, as input for pictures of the
// access.
//
// A bank delivers one word per pass, so the words of one bank form a column in the order of
// the lanes. shared_banks.h has the same rules but only counts. The number of rows equals its
// number of wavefronts (half of it for a compare and swap).
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/request.h"
#include "common/memory/shared_banks.h"

namespace warpgrade::memory {

/// A word that a lane gets from a bank. Lanes that share a word have the same row.
struct BankWord {
  std::uint32_t lane = 0;
  std::uint32_t bank = 0;
  std::uint32_t row = 0;  ///< The pass that serves it, from 0.

  friend bool operator==(const BankWord&, const BankWord&) = default;
};

/// In the order of the groups that run at once, then in the order of the lanes.
std::vector<BankWord> bank_words(device::SharedBanks rule, const Request& request, SharedUse use);

/// The number of banks under that rule, and the bytes of a bank's word.
std::uint32_t bank_count(device::SharedBanks rule);
std::uint32_t bank_bytes(device::SharedBanks rule);

}  // namespace warpgrade::memory
