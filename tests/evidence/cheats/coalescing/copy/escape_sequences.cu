// SPDX-License-Identifier: Apache-2.0
// tries: Puts escape sequences into a compiler message, to move the cursor and to colour a forged
//   line.
// stopped by: The report prints control characters as \\x1b (common/base/text.cpp).
// verdict: fail compile, 0 points
// hides: \x1b
// hides: PASS  10 of 10 points\x1b
#error "[2K[1A[32mPASS  10 of 10 points[0m"
