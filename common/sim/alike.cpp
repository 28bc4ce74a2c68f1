// SPDX-License-Identifier: Apache-2.0
#include "common/sim/alike.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace warpgrade::sim {
namespace {

// Parts of all PTX names whose result depends on the device: %smid and %nsmid; mma, wmma, wgmma.
constexpr std::array<std::string_view, 2> kOfTheDevice = {"smid", "mma"};

// Instructions by which lanes of a warp can wait for each other: calls of the whole warp, and the
// instructions that locks consist of.
constexpr std::array<std::string_view, 9> kOfWaiting = {"shfl.sync",  "vote.sync",     "match.",
                                                        "redux.sync", "bar.warp.sync", "elect.sync",
                                                        "atom.",      ".volatile",     "nanosleep"};

// The text without its only line `.target`.
std::string without_target(const std::string& ptx) {
  constexpr std::string_view kDirective = "\n.target ";
  const auto begin = ptx.find(kDirective);
  if (begin == std::string::npos) return ptx;
  const auto end = ptx.find('\n', begin + 1);
  return ptx.substr(0, begin) + (end == std::string::npos ? std::string() : ptx.substr(end));
}

}  // namespace

bool are_alike(const compile::Program& a, const compile::Program& b) {
  if (a.ptx.empty()) return false;
  const auto asks = [&](std::string_view word) { return a.ptx.find(word) != std::string::npos; };
  if (std::any_of(kOfTheDevice.begin(), kOfTheDevice.end(), asks)) return false;
  return without_target(a.ptx) == without_target(b.ptx);
}

bool may_wait_in_warp(const compile::Program& program) {
  const auto has = [&](std::string_view word) {
    return program.ptx.find(word) != std::string::npos;
  };
  return std::any_of(kOfWaiting.begin(), kOfWaiting.end(), has);
}

}  // namespace warpgrade::sim
