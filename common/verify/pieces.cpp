// SPDX-License-Identifier: Apache-2.0
#include "common/verify/pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"

namespace warpgrade::verify {
namespace {

// Elements begin to end - 1 of the reference's output.
struct Piece {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool is_found = false;
};

class Pieces {
 public:
  Pieces(const Matrix& expected, const Matrix& got, std::span<const std::byte> before,
         std::uint64_t length)
      : expected_(expected),
        got_(got),
        before_(before),
        bytes_(size_of(got.type)),
        elements_(got.rows * got.columns) {
    for (std::uint64_t begin = 0; begin < elements_; begin += length) {
      Piece piece{begin, begin};
      const auto most = std::min(begin + length, elements_);
      while (piece.end < most && !is_equal(expected_.bytes, before_, piece.end, piece.end)) {
        ++piece.end;
      }
      if (piece.begin == piece.end) continue;
      total_ += piece.end - piece.begin;
      const auto [other, is_new] = by_first_.emplace(key(expected_, begin), pieces_.size());
      if (!is_new) {
        throw base::ToolError(fmt::format(
            "the lab's own reference begins two pieces with {}, at elements {} and {} of {}, so "
            "nothing can be graded with it: fill the input with distinct elements",
            text(expected_, begin), base::grouped(pieces_[other->second].begin),
            base::grouped(begin), got.name));
      }
      pieces_.push_back(piece);
    }
  }

  std::optional<OutputDifference> difference() {
    for (std::uint64_t at = 0; at < total_;) {
      const auto found = by_first_.find(key(got_, at));
      if (found == by_first_.end()) return no_begin(at);
      auto& piece = pieces_[found->second];
      if (std::exchange(piece.is_found, true)) {
        return differs(at, "a piece that is not yet in the output", "this piece is there twice");
      }
      for (auto from = piece.begin; from < piece.end; ++from, ++at) {
        if (!is_equal(expected_.bytes, got_.bytes, from, at)) return no_next(at, from, piece);
      }
    }
    return std::nullopt;
  }

 private:
  bool is_equal(std::span<const std::byte> a, std::span<const std::byte> b, std::uint64_t at,
                std::uint64_t other) const {
    return std::memcmp(&a[at * bytes_], &b[other * bytes_], bytes_) == 0;
  }

  std::uint64_t key(const Matrix& matrix, std::uint64_t at) const {
    std::uint64_t out = 0;
    std::memcpy(&out, &matrix.bytes[at * bytes_], bytes_);
    return out;
  }

  std::string text(const Matrix& matrix, std::uint64_t at) const {
    return format(matrix.type, &matrix.bytes[at * bytes_]);
  }

  // The piece that contains the element at `at` of `got`, and its place there; nullopt if none
  // does.
  std::optional<std::string> place_of(std::uint64_t at) const {
    for (const auto& piece : pieces_) {
      for (auto from = piece.begin; from < piece.end; ++from) {
        if (is_equal(expected_.bytes, got_.bytes, from, at)) {
          return fmt::format("this is element {} of a piece of {}",
                             base::grouped(from - piece.begin),
                             base::grouped(piece.end - piece.begin));
        }
      }
    }
    return std::nullopt;
  }

  std::string cause_of(std::uint64_t at) const {
    if (is_equal(before_, got_.bytes, at, at)) {
      return "never written: this is the content from before the launch";
    }
    return place_of(at).value_or("no piece contains this element");
  }

  std::optional<OutputDifference> no_begin(std::uint64_t at) const {
    return differs(at, "the begin of a piece", cause_of(at));
  }

  std::optional<OutputDifference> no_next(std::uint64_t at, std::uint64_t from,
                                          const Piece& piece) const {
    return differs(
        at,
        fmt::format("{}, element {} of a piece of {}", text(expected_, from),
                    base::grouped(from - piece.begin), base::grouped(piece.end - piece.begin)),
        cause_of(at));
  }

  std::optional<OutputDifference> differs(std::uint64_t at, std::string expected,
                                          std::string cause) const {
    OutputDifference out;
    out.element = fmt::format("{}[{}]", got_.name, at);
    out.indices = {at};
    out.expected = std::move(expected);
    out.got = text(got_, at);
    out.cause = std::move(cause);
    if (is_equal(before_, got_.bytes, at, at)) {
      out.kind = CauseKind::kUnwritten;
    } else if (place_of(at)) {
      out.kind = CauseKind::kOtherPlace;
    }
    out.text =
        fmt::format("{}: expected {}, got {} ({})", out.element, out.expected, out.got, out.cause);
    return out;
  }

  const Matrix& expected_;
  const Matrix& got_;
  std::span<const std::byte> before_;
  std::uint32_t bytes_;
  std::uint64_t elements_;
  std::uint64_t total_ = 0;  // Elements of all pieces.
  std::vector<Piece> pieces_;
  std::map<std::uint64_t, std::size_t> by_first_;  // Indices of pieces_.
};

}  // namespace

std::optional<OutputDifference> compare_pieces(const Matrix& expected, const Matrix& got,
                                               std::span<const std::byte> before,
                                               std::uint64_t length) {
  const auto bytes = got.rows * got.columns * size_of(got.type);
  if (expected.type != got.type || expected.bytes.size() != bytes || got.bytes.size() != bytes ||
      (!before.empty() && before.size() != bytes) || length == 0) {
    throw std::invalid_argument("compare_pieces: the outputs have different types or sizes");
  }
  if (before.empty() && !got.bytes.empty()) {
    OutputDifference out;
    out.element = got.name;
    out.text = fmt::format("the pieces of {} differ", got.name);
    return out;
  }
  return Pieces(expected, got, before, length).difference();
}

}  // namespace warpgrade::verify
