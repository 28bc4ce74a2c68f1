// SPDX-License-Identifier: Apache-2.0
#include "common/measure/contents.h"

#include <algorithm>
#include <cstring>

namespace warpgrade::measure {

Contents::Contents(const std::vector<std::byte>& bytes) : size_(bytes.size()) {
  std::copy_n(bytes.begin(), std::min(size_, word_.size()), word_.begin());
  // If the bytes equal themselves shifted by a word, the first word repeats.
  const bool repeats =
      size_ <= word_.size() ||
      std::memcmp(bytes.data(), bytes.data() + word_.size(), size_ - word_.size()) == 0;
  if (!repeats) all_ = bytes;
}

std::vector<std::byte> Contents::bytes() const {
  if (!all_.empty()) return all_;
  std::vector<std::byte> repeated(size_);
  for (std::size_t i = 0; i < size_; ++i) repeated[i] = word_[i % word_.size()];
  return repeated;
}

}  // namespace warpgrade::measure
