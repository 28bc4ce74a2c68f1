// SPDX-License-Identifier: Apache-2.0
// The memory for malloc() inside a kernel: 8 MiB per launch, CUDA's default.
//
// Each piece is a separate region, apart from its neighbours, and addresses are never reused. An
// access past the end of a piece, or to a freed piece, is therefore in no region.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/base/place.h"
#include "common/run/launch.h"

namespace warpgrade::sim {

// A piece of device memory: its device address and the host memory behind it.

class SparseBuffer;

struct Region {
  std::uint64_t base = 0;  ///< Device address of the first byte.
  std::uint64_t bytes = 0;
  std::byte* host = nullptr;
  std::string name;  ///< Name of the buffer or variable.
  std::uint32_t element_bytes = 1;
  bool is_buffer = false;
  /// For pieces from malloc(): one bit per byte, set if written; else nullptr.
  std::vector<bool>* written = nullptr;
  /// Finds the host address of its bytes, which are not at `host`; else nullptr.
  SparseBuffer* sparse = nullptr;
};

/// Words for an out-of-bounds access that is far from any memory with a name.
struct OutsideWords {
  std::string where;
  std::string advice;  ///< The next step for the student.
};
/// The facts of an access that is out of bounds; what it does is not known yet.
using Outside = std::variant<base::OutsideAccess, OutsideWords>;

class Heap {
 public:
  static constexpr std::uint64_t kBytes = run::kHeapBytes;
  static constexpr std::uint64_t kOverhead = 64;  ///< Bytes that a piece uses beyond its size.
  static constexpr std::uint64_t kGap = 4096;     ///< Addresses between two pieces.
  /// The device addresses that pieces can have: [base, base + kWindowBytes).
  static constexpr std::uint64_t kWindowBytes = run::kHeapWindow;

  /// New pieces contain `garbage`.
  Heap(std::uint64_t base, std::byte garbage) : next_(base), base_(base), garbage_(garbage) {}
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// Address of `bytes` bytes, a multiple of 16, requested in source line `line`; nullopt if too
  /// little is left. 0 bytes are a valid size.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes, std::uint32_t line);
  /// Frees a result of allocate(), in source line `line`; returns the error, if any.
  std::optional<std::string> release(std::uint64_t address, std::uint32_t line);

  bool covers(std::uint64_t address) const { return address - base_ < kWindowBytes; }
  /// The piece that contains all of these bytes, or nullptr; valid until it is freed.
  const Region* find(std::uint64_t address, std::uint64_t bytes) const;
  /// Describes an address outside every piece.
  OutsideWords describe(std::uint64_t address, std::uint64_t bytes) const;
  /// "the 16 bytes that malloc() returned in line 5", for the piece at or before `address`.
  std::string piece_text(std::uint64_t address) const;

 private:
  struct Piece {
    Region region;
    std::vector<std::byte> content;
    std::vector<bool> written;
    std::uint64_t bytes = 0;
    std::uint32_t line = 0;
    std::uint32_t freed_line = 0;
    bool is_freed = false;
  };

  const Piece* piece_before(std::uint64_t address) const;
  static std::string text(const Piece& piece);
  void forget_old();

  std::uint64_t next_;
  std::uint64_t base_;
  std::byte garbage_;
  std::uint64_t used_ = 0;
  std::uint64_t freed_ = 0;
  std::map<std::uint64_t, Piece> pieces_;  // by address; freed pieces stay for messages
};

}  // namespace warpgrade::sim
