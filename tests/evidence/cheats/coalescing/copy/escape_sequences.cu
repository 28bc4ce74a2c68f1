// SPDX-License-Identifier: Apache-2.0
// tries: Moves the cursor and colours a forged line by escape sequences in a message of the
//   compiler.
// stopped by: Control characters in what is shown are written as \\x1b (common/base/text.cpp).
// verdict: fail compile, 0 points
// hides: \x1b
// hides: PASS  10 of 10 points\x1b
#error "[2K[1A[32mPASS  10 of 10 points[0m"
