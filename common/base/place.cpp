// SPDX-License-Identifier: Apache-2.0
// Names the bytes of memory that a thread accesses, as facts and as text.
//
// In: an array by name and size, an offset, and perhaps the array's shape. Out: an index per
// dimension, a range of bytes or an address, and sentences about accesses outside an array. The
// shape comes from a declaration or from the manifest of an exercise.
#include "common/base/place.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/text.h"

namespace warpgrade::base {

/// "elements 0 to 1023", "only element 0", "no elements".
static std::string elements_text(std::int64_t elements);

namespace {

using Memory = Place::Memory;

// Rounded down, also below zero.
std::int64_t index_of(std::int64_t offset, std::uint32_t element_bytes) {
  const auto size = static_cast<std::int64_t>(element_bytes);
  return (offset - (offset < 0 ? size - 1 : 0)) / size;
}

// " of the block of rank 1" for the shared memory of another block.
std::string of_rank(const Place& place) {
  return place.rank ? fmt::format(" of the block of rank {}", *place.rank) : "";
}

std::string outside_in_bytes(const OutsideAccess& access) {
  const auto& place = access.place;
  const auto size = counted(place.array_bytes, "byte") +
                    (place.memory == Memory::kShared ? " of shared memory" : "") + of_rank(place);
  if (place.offset < 0) {
    return fmt::format("{} {} beginning {} before {}, which has {}", verb(access.does),
                       counted(place.bytes, "byte"),
                       counted(static_cast<std::uint64_t>(-place.offset), "byte"), place.array,
                       size);
  }
  return fmt::format("{} {} of {}, which has {}", verb(access.does),
                     bytes_text(static_cast<std::uint64_t>(place.offset), place.bytes), place.array,
                     size);
}

std::string outside_of_matrix(const OutsideAccess& access) {
  const auto& shape = *access.place.shape;
  if (shape.extents.size() != 2) {
    return fmt::format("{} {}, but {} has the shape {}", verb(access.does),
                       element_text(access.place.array, shape, access.place.offset),
                       access.place.array, extents_text(shape.extents));
  }
  return fmt::format("{} {}, but {} has {} of {}", verb(access.does),
                     element_text(access.place.array, shape, access.place.offset),
                     access.place.array, counted(shape.extents[0], "row"),
                     grouped(shape.extents[1]));
}

std::string outside_of_declared(const OutsideAccess& access) {
  const auto& place = access.place;
  const auto& shape = *place.shape;
  const auto elements = static_cast<std::int64_t>(place.array_bytes / shape.element_bytes);
  const auto size = shape.extents.size() > 1 ? "is declared as " + extents_text(shape.extents)
                                             : "has " + elements_text(elements);
  return fmt::format("{} {}{}, but {} {}", verb(access.does),
                     element_text(place.array, shape, place.offset), of_rank(place), place.array,
                     size);
}

std::string outside_of_buffer(const OutsideAccess& access) {
  const auto& place = access.place;
  const auto index = place.index();
  const auto element = fmt::format("{}[{}]", place.array, index);
  const auto has = fmt::format("but {} has {}", place.array, elements_text(place.elements()));
  const bool is_one = place.bytes == place.element_bytes &&
                      place.offset % static_cast<std::int64_t>(place.element_bytes) == 0;
  if (is_one && is_wrapped_index(index)) {
    return fmt::format("{} {}, that is (unsigned) {}, {}", verb(access.does), element,
                       index - kUnsignedRange, has);
  }
  if (is_one) return fmt::format("{} {}, {}", verb(access.does), element, has);
  return fmt::format("{} {} from {} on, {}", verb(access.does), counted(place.bytes, "byte"),
                     element, has);
}

// The element of an array with a known shape; empty if the access has parts of several.
std::string one_element(const Place& place) {
  if (!place.shape || place.bytes == 0) return "";
  const auto size = place.shape->element_bytes;
  const auto last = place.offset + place.bytes - 1;
  if (index_of(place.offset, size) != index_of(last, size)) return "";
  return element_text(place.array, *place.shape, place.offset);
}

// "s[0] to s[3]": the elements that the access covers; empty without a shape.
std::string elements_of(const Place& place) {
  if (!place.shape || place.bytes == 0) return "";
  auto first = place;
  first.bytes = 1;
  auto last = first;
  last.offset += place.bytes - 1;
  auto from = one_element(first);
  const auto to = one_element(last);
  return from == to ? from : fmt::format("{} to {}", from, to);
}

std::string in_bytes(const Place& place, std::string_view of) {
  return fmt::format("{} of {}", bytes_text(static_cast<std::uint64_t>(place.offset), place.bytes),
                     of);
}

// "count", "table[3]", "bytes 4 to 7 of table".
std::string in_array(const Place& place, std::string_view name) {
  if (auto elements = elements_of(place); !elements.empty()) return elements;
  const bool is_whole = place.offset == 0 && place.bytes == place.array_bytes;
  return is_whole ? std::string(name) : in_bytes(place, name);
}

}  // namespace

std::string_view verb(Does does) {
  static constexpr std::array<std::string_view, 5> kVerbs = {
      "reads", "writes", "updates", "atomically updates", "starts to copy"};
  return kVerbs.at(static_cast<std::size_t>(does));
}

std::int64_t Place::index() const { return index_of(offset, element_bytes); }

std::string text(const Place& place) {
  switch (place.memory) {
    case Memory::kBuffer:
      return place.shape ? element_text(place.array, *place.shape, place.offset)
                         : fmt::format("{}[{}]", place.array, place.index());
    case Memory::kVariable:
      return in_array(place, place.array);
    case Memory::kShared:
      return in_array(place, place.array.empty() ? "shared memory" : place.array) + of_rank(place);
    case Memory::kLocal:
      return in_bytes(place, "local memory");
    case Memory::kHeap:
      return fmt::format("{} at {:#x}, which malloc() or new returned",
                         counted(place.bytes, "byte"), static_cast<std::uint64_t>(place.offset));
    case Memory::kAddress:
      break;
  }
  return fmt::format("{} bytes at {:#x}", place.bytes, static_cast<std::uint64_t>(place.offset));
}

std::string flat_text(const Place& place) {
  auto flat = place;
  flat.shape.reset();
  return text(flat);
}

std::string begin_text(const Place& place) {
  const auto offset = static_cast<std::uint64_t>(place.offset);
  switch (place.memory) {
    case Memory::kBuffer:
    case Memory::kVariable:
      return fmt::format("byte {} of '{}'", offset, place.array);
    case Memory::kShared:
    case Memory::kLocal: {
      auto begin = place;
      begin.bytes = 1;
      return text(begin);
    }
    case Memory::kHeap:
    case Memory::kAddress:
      break;
  }
  return fmt::format("address {:#x}", offset);
}

std::string text(const OutsideAccess& access) {
  const auto& place = access.place;
  const bool is_buffer = place.memory == Memory::kBuffer;
  if (is_buffer && place.shape && !place.begins_inside()) return outside_of_matrix(access);
  if (is_buffer) return outside_of_buffer(access);
  return place.shape ? outside_of_declared(access) : outside_in_bytes(access);
}

std::string element_text(std::string_view array, const ArrayShape& shape, std::int64_t offset) {
  auto index = index_of(offset, shape.element_bytes);
  std::string out;
  for (auto i = shape.extents.size(); i-- > 1;) {
    const auto extent = static_cast<std::int64_t>(shape.extents[i]);
    const auto here = ((index % extent) + extent) % extent;
    out.insert(0, fmt::format("[{}]", here));
    index = (index - here) / extent;
  }
  return fmt::format("{}[{}]{}", array, index, out);
}

std::string extents_text(const std::vector<std::uint64_t>& extents) {
  std::string out;
  for (const auto extent : extents) out += fmt::format("[{}]", extent);
  return out;
}

static std::string elements_text(std::int64_t elements) {
  if (elements == 0) return "no elements";
  if (elements == 1) return "only element 0";
  return fmt::format("elements 0 to {}", elements - 1);
}

std::string bytes_text(std::uint64_t first, std::uint64_t count) {
  return count == 1 ? fmt::format("byte {}", first)
                    : fmt::format("bytes {} to {}", first, first + count - 1);
}

}  // namespace warpgrade::base
