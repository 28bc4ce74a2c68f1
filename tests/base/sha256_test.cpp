// SPDX-License-Identifier: Apache-2.0
// The examples of FIPS 180-4 (NIST, "Examples with Intermediate Values"), and lengths around the
// end of a block, with digests from coreutils' sha256sum.
#include "common/base/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace warpgrade::base::sha256_test {

TEST(Sha256, TheStandardsExamples) {
  EXPECT_EQ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", sha256_hex(""));
  EXPECT_EQ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", sha256_hex("abc"));
  EXPECT_EQ("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"));
  EXPECT_EQ("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            sha256_hex(std::string(1'000'000, 'a')));
}

TEST(Sha256, LengthsAroundTheEndOfABlock) {
  EXPECT_EQ("d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072",
            sha256_hex(std::string(55, 'x')));
  EXPECT_EQ("04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e",
            sha256_hex(std::string(56, 'x')));
  EXPECT_EQ("7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c",
            sha256_hex(std::string(64, 'x')));
}

// From the example in Content Security Policy Level 2, section "Valid hashes".
TEST(Sha256, InBase64) {
  EXPECT_EQ("qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=",
            sha256_base64("alert('Hello, world.');"));
}

}  // namespace warpgrade::base::sha256_test
