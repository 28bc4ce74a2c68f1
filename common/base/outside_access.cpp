// SPDX-License-Identifier: Apache-2.0
#include "common/base/outside_access.h"

#include <fmt/format.h>

#include "common/base/counted.h"

namespace warpgrade::base {
namespace {

std::string in_bytes(const OutsideAccess& access) {
  const auto end = access.offset + access.bytes - static_cast<std::int64_t>(access.array_bytes);
  const bool is_before = access.offset < 0;
  const auto distance =
      counted(static_cast<std::uint64_t>(is_before ? -access.offset : end), "byte");
  const bool is_shared = access.memory == OutsideAccess::Memory::kShared;
  return fmt::format("{} {}, {} {} of {}, which has {}{}", access.verb,
                     counted(access.bytes, "byte"), distance,
                     is_before ? "before the start" : "past the end", access.array,
                     counted(access.array_bytes, "byte"), is_shared ? " of shared memory" : "");
}

}  // namespace

std::int64_t OutsideAccess::index() const {
  const auto size = static_cast<std::int64_t>(element_bytes);
  return (offset - (offset < 0 ? size - 1 : 0)) / size;
}

std::string elements_text(std::int64_t elements) {
  if (elements == 0) return "no elements";
  if (elements == 1) return "only element 0";
  return fmt::format("elements 0 to {}", elements - 1);
}

std::string unsigned_text(std::int64_t index) {
  constexpr auto kRange = std::int64_t{1} << 32;
  constexpr auto kNear = std::int64_t{1} << 24;
  if (index >= kRange || index < kRange - kNear) return "";
  return fmt::format(", that is (unsigned) {},", index - kRange);
}

std::string text(const OutsideAccess& access) {
  if (access.memory != OutsideAccess::Memory::kBuffer) return in_bytes(access);
  const auto index = access.index();
  const auto element = fmt::format("{}[{}]", access.array, index);
  const auto has = fmt::format("but {} has {}", access.array, elements_text(access.elements()));
  const bool is_one = access.bytes == access.element_bytes &&
                      access.offset % static_cast<std::int64_t>(access.element_bytes) == 0;
  if (is_one) {
    const auto note = unsigned_text(index);
    return fmt::format("{} {}{} {}", access.verb, element, note.empty() ? "," : note, has);
  }
  return fmt::format("{} {} from {} on, {}", access.verb, counted(access.bytes, "byte"), element,
                     has);
}

}  // namespace warpgrade::base
