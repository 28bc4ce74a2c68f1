// SPDX-License-Identifier: Apache-2.0
// The facts of an access outside of its array, and their text.
//
// The simulator knows arrays by name and size. A part that also knows their shape can write a text
// of its own from the same facts.
#pragma once

#include <cstdint>
#include <string>

namespace warpgrade::base {

struct OutsideAccess {
  enum class Memory {
    kBuffer,    ///< A buffer of the launch.
    kVariable,  ///< A variable of the module.
    kShared,    ///< An array in shared memory.
  };

  Memory memory{};
  std::string array;                ///< Its name in the source.
  std::string verb;                 ///< "reads", "writes" or "updates".
  std::int64_t offset = 0;          ///< From the start of the array, in bytes; negative before it.
  std::uint32_t bytes = 0;          ///< Size of the access.
  std::uint64_t array_bytes = 0;    ///< Size of the array.
  std::uint32_t element_bytes = 1;  ///< Size of an element of a buffer; 1 for other memory.

  /// Index of the element at `offset`, rounded down.
  std::int64_t index() const;
  /// Whether the access begins inside the array.
  bool begins_inside() const { return offset >= 0 && index() < elements(); }
  std::int64_t elements() const { return static_cast<std::int64_t>(array_bytes / element_bytes); }

  friend bool operator==(const OutsideAccess&, const OutsideAccess&) = default;
};

/// "reads a[1024], but a has elements 0 to 1023"; of other memory than buffers in bytes: "reads 4
/// bytes, 4 bytes past the end of tile, which has 128 bytes of shared memory".
std::string text(const OutsideAccess& access);

/// "elements 0 to 1023", "only element 0", "no elements".
std::string elements_text(std::int64_t elements);

/// ", that is (unsigned) -1," for the index 4294967295; empty unless the index is such a number.
std::string unsigned_text(std::int64_t index);

}  // namespace warpgrade::base
