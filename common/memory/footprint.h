// SPDX-License-Identifier: Apache-2.0
// Which bytes of global memory a launch read and which it wrote.
//
// Pages of 64 KiB of address space, made on first touch, so that any address will do: buffers,
// variables of the module, the device heap. A page has a bit for each of its lines that was touched
// as a whole, which is what coalesced kernels do, and a bit a byte for the others, made where one
// is touched in part. A union of footprints is the same in any order, so what is counted from it
// does not depend on the number of host threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "common/memory/lines.h"

namespace warpgrade::memory {

class Footprint {
 public:
  /// `lines` are Lines or Apart.
  template <typename AnyLines>
  void mark_read(const AnyLines& lines) {
    mark<&Page::read>(lines);
  }
  template <typename AnyLines>
  void mark_written(const AnyLines& lines) {
    mark<&Page::written>(lines);
  }
  /// Adds what `other` has, which is empty afterwards.
  void take(Footprint& other);
  void clear();

  /// Distinct bytes, and distinct aligned units of 32 and 64 bytes that hold any of them.
  struct Extent {
    std::uint64_t bytes = 0;
    std::uint64_t sectors = 0;
    std::uint64_t granules = 0;

    friend bool operator==(const Extent&, const Extent&) = default;
  };
  Extent read() const { return extent<&Page::read>(); }
  Extent written() const { return extent<&Page::written>(); }

 private:
  static constexpr std::uint64_t kLinesPerPage = 512;
  static constexpr std::size_t kRecent = 1024;
  using Bitmap = std::array<Lines::Bytes, kLinesPerPage>;
  struct Marks {
    std::array<std::uint64_t, kLinesPerPage / 64> whole{};
    std::unique_ptr<Bitmap> partial;  ///< Bytes of the other lines; nullptr: none.

    void add_whole(std::uint64_t line) { whole[line / 64] |= std::uint64_t{1} << (line % 64); }
    Bitmap& made() {
      if (partial == nullptr) partial = std::make_unique<Bitmap>();
      return *partial;
    }
    void take(Marks& other);
    Extent extent() const;
  };
  struct Page {
    Marks read;
    Marks written;
  };
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    Marks* marks = nullptr;
    Bitmap* partial = nullptr;  ///< Of the marks, where it has been asked for.
  };

  /// Finds the marks of one line after the other.
  template <Marks Page::*kind>
  class MarksFinder {
   public:
    explicit MarksFinder(Footprint& footprint) : footprint_(footprint) {}
    void add_whole(std::uint64_t index) {
      turn_to(index);
      recent_->marks->add_whole(index % kLinesPerPage);
    }
    /// The bytes of a line, to which more can be added.
    Lines::Bytes& bytes(std::uint64_t index) {
      turn_to(index);
      if (partial_ == nullptr) [[unlikely]]
        partial_ = recent_->partial = &recent_->marks->made();
      return (*partial_)[place(index % kLinesPerPage)];
    }

   private:
    void turn_to(std::uint64_t index) {
      const std::uint64_t number = index / kLinesPerPage;
      if (number == number_) return;
      number_ = number;
      recent_ = &footprint_.recent<kind>(number);
      partial_ = recent_->partial;
    }

    Footprint& footprint_;
    std::uint64_t number_ = ~std::uint64_t{0};
    Recent* recent_ = nullptr;
    Bitmap* partial_ = nullptr;
  };

  /// Where a line's bytes are: shuffled, so that a column of a matrix spreads over the host's cache
  /// sets.
  static std::uint64_t place(std::uint64_t line) { return line ^ line >> 5; }

  template <Marks Page::*kind>
  void mark(const Lines& lines) {
    MarksFinder<kind> marks(*this);
    const std::uint32_t count = lines.count;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Lines::Bytes& touched = lines.bytes[i];
      if ((touched[0] & touched[1]) == ~std::uint64_t{0}) {
        marks.add_whole(lines.index[i]);
        continue;
      }
      Lines::Bytes& bytes = marks.bytes(lines.index[i]);
      bytes = {bytes[0] | touched[0], bytes[1] | touched[1]};
    }
  }
  template <Marks Page::*kind>
  void mark(const Apart& apart) {
    MarksFinder<kind> marks(*this);
    const Request& request = apart.request;
    const std::uint64_t ones = ~std::uint64_t{0} >> (64 - request.bytes);
    if (apart.line_step != 0) {
      const auto step = static_cast<std::uint64_t>(apart.line_step);
      const std::uint64_t bits = ones << (request.address[0] % 64);
      const std::uint64_t half = request.address[0] / 64 % 2;
      std::uint64_t line = request.address[0] / 128;
      for (std::uint32_t lane = 0; lane < kLanes; ++lane, line += step) {
        marks.bytes(line)[half] |= bits;
      }
      return;
    }
    for_each_address(request, request.mask, [&](std::uint64_t address) {
      marks.bytes(address / 128)[address / 64 % 2] |= ones << (address % 64);
    });
  }
  template <Marks Page::*kind>
  Recent& recent(std::uint64_t number) {
    auto& table = kind == &Page::read ? recently_read_ : recently_written_;
    Recent& found = table[number % kRecent];
    if (found.number != number) found = {number, &(page(number).*kind), nullptr};
    return found;
  }
  template <Marks Page::*kind>
  Extent extent() const;
  Page& page(std::uint64_t number);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::array<Recent, kRecent> recently_read_;
  std::array<Recent, kRecent> recently_written_;
};

}  // namespace warpgrade::memory
