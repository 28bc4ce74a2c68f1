// SPDX-License-Identifier: Apache-2.0
// Finds the names in a zip file that are marked as UTF-8 and are not.
//
// Some programs mark names in other encodings as UTF-8; libarchive then gives no name at all.
// Only the list of names at the end of the file is read, and the heads of the entries with such a
// name. So the size of the file does not matter. It may begin with other bytes, as a
// self-extracting archive does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace warpgrade::grader::class_book {

/// Reads `size` bytes at `offset`, or those up to the end of the file.
using ReadAt = std::function<std::string(std::uint64_t offset, std::size_t size)>;

/// The places of the bytes with a wrong mark, ascending; `size` is the file's.
std::vector<std::uint64_t> wrong_utf8_flags(const ReadAt& read, std::uint64_t size);

/// Clears those of the `flags` that are in `piece`, which begins at `offset`.
void clear_utf8_flags(const std::vector<std::uint64_t>& flags, std::uint64_t offset,
                      std::span<char> piece);

}  // namespace warpgrade::grader::class_book
