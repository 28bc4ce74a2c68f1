// SPDX-License-Identifier: Apache-2.0
#include "common/base/sha256.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>

namespace warpgrade::base {

std::array<std::uint8_t, 32> sha256(std::string_view text) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

std::string sha256_hex(std::string_view text) {
  return fmt::format("{:02x}", fmt::join(sha256(text), ""));
}

std::string sha256_base64(std::string_view text) {
  std::string out(BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE), '\0');
  base64_encode_raw(out.data(), SHA256_DIGEST_SIZE, sha256(text).data());
  return out;
}

}  // namespace warpgrade::base
