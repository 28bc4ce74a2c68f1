// SPDX-License-Identifier: Apache-2.0
#include "common/measure/card_profile.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/toolkit.h"
#include "common/device/profile.h"
#include "common/gpu/device_info.h"

namespace warpgrade::measure {
namespace {

constexpr std::uint32_t kLanesOfAWarp = 32;

std::uint32_t generation(std::uint32_t major, std::uint32_t minor) { return 10 * major + minor; }

// Drivers put the maker's name only before the names of newer cards: "Tesla T4", "NVIDIA L4".
std::string_view without_maker(std::string_view product) {
  constexpr std::string_view kMaker = "NVIDIA ";
  if (product.starts_with(kMaker)) product.remove_prefix(kMaker.size());
  return product;
}

const device::Profile* profile_of_product(const std::string& product) {
  for (const auto* one : device::profiles()) {
    if (without_maker(one->product) == without_maker(product)) return one;
  }
  return nullptr;
}

// Replaces `number` by the driver's value, if that is known.
template <typename Number>
void take(Number& number, Number known) {
  if (known != 0) number = known;
}

}  // namespace

const device::Profile& nearest_profile(const gpu::DeviceInfo& info) {
  const device::Profile* out = nullptr;
  const device::Profile* oldest = nullptr;
  const auto of = [](const device::Profile& p) {
    return generation(p.compute.major, p.compute.minor);
  };
  for (const auto* one : device::profiles()) {
    if (one->rules.coalescing != device::Coalescing::kSectors) continue;
    if (oldest == nullptr || of(*one) < of(*oldest)) oldest = one;
    if (of(*one) > generation(info.compute_major, info.compute_minor)) continue;
    if (out == nullptr || of(*one) >= of(*out)) out = one;
  }
  return out != nullptr ? *out : *oldest;
}

device::Profile card_profile(const gpu::DeviceInfo& info, bool unknown) {
  const auto* own = unknown ? nullptr : profile_of_product(info.name);
  device::Profile out = own != nullptr ? *own : nearest_profile(info);
  // The simulator uses newer PTX for an older card; the card itself needs code for its own
  // architecture.
  out.architecture = info.architecture;
  if (own != nullptr) return out;
  out.name = kUnknownCard;
  out.product = info.name;
  out.compute.major = info.compute_major;
  out.compute.minor = info.compute_minor;
  take(out.sm.count, info.sm_count);
  take(out.sm.clock_hz, info.sm_clock_hz);
  take(out.sm.limits.threads_per_block, info.max_threads_per_block);
  take(out.sm.limits.warps, info.max_threads_per_sm / kLanesOfAWarp);
  take(out.sm.limits.blocks, info.max_blocks_per_sm);
  take(out.sm.limits.registers, info.registers_per_sm);
  take(out.shared.bytes, info.shared_bytes_per_sm);
  take(out.shared.max_bytes_per_block, info.max_shared_bytes_per_block);
  out.shared.reserved_bytes_per_block = info.shared_reserved_per_block;  // here 0 is a valid answer
  out.l2.bytes.reset();
  if (info.l2_bytes != 0) out.l2.bytes = static_cast<std::uint32_t>(info.l2_bytes);
  out.dram.bytes_per_second = info.memory_bytes_per_second;
  return out;
}

bool is_card_unknown() {
  const char* const text = std::getenv("WARPGRADE_CARD");
  if (text == nullptr || *text == '\0') return false;
  if (std::string_view(text) == "unknown") return true;
  throw base::UsageError(
      fmt::format("WARPGRADE_CARD={}: must be `unknown`, which treats this machine's GPU as one "
                  "without a profile, or not be set",
                  base::escape_controls(text)));
}

namespace {

// cuDriverGetVersion() returns 12040 for 12.4.
std::uint32_t series_of(std::uint32_t version) { return version / 1000; }

}  // namespace

ToolkitChoice toolkit_for(const gpu::DeviceInfo& info) {
  const auto generation = 10 * info.compute_major + info.compute_minor;
  if (generation < 50) {
    return {0, fmt::format("{} is of compute capability {}.{}, and CUDA 12 makes code from 5.0 on",
                           info.name, info.compute_major, info.compute_minor)};
  }
  const auto series = series_of(info.driver_cuda);
  if (info.driver_cuda != 0 && series < compile::kNewestSeries) {
    return {series < compile::kOldestSeries ? 0 : series,
            fmt::format("the driver of {} loads code of CUDA {}.{} at most", info.name, series,
                        info.driver_cuda % 1000 / 10)};
  }
  if (generation < 75) {
    return {12, fmt::format("{} is of compute capability {}.{}, and CUDA 13 makes code from 7.5 on",
                            info.name, info.compute_major, info.compute_minor)};
  }
  return {compile::kNewestSeries, {}};
}

void choose_toolkit(const gpu::DeviceInfo& info) {
  const auto choice = toolkit_for(info);
  if (choice.most == 0) {
    throw base::ToolError(
        fmt::format("{}: it cannot measure; --backend sim grades without it", choice.why));
  }
  compile::limit_toolkit(choice.most, choice.why);
  try {
    compile::find_toolkit();
  } catch (const base::ToolError&) {
    compile::limit_toolkit(compile::kNewestSeries, {});  // for callers that go on without the GPU
    throw;
  }
}

}  // namespace warpgrade::measure
