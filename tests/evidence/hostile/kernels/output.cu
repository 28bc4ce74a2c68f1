// SPDX-License-Identifier: Apache-2.0
// Kernels with harmful output, or with their own error messages. A part begins with //// and its
// name; KERNEL, OUT, SIZE, INDEX and T are as in barriers.cu. LONG_TEXT has 200 characters.
//// odd_formats
KERNEL { printf("%q %# %+ %-0 %*d %.*f %lld %hhd %n %m %%%", 1, 2, 3.0, 4ll); }
//// width_of_a_billion
KERNEL { printf("%1000000000d\n", 1); }
//// precision_of_a_billion
KERNEL { printf("%.1000000000f %.999999999s\n", 1.0, "x"); }
//// width_as_an_argument
KERNEL { printf("%*.*f|%-*d\n", 2147483647, 2147483647, 1.0, -2147483647 - 1, 5); }
//// string_at_a_bad_address
KERNEL { printf("%s\n", (const char*)(8 + INDEX)); }
//// string_without_end
__device__ char text[1 << 20];
KERNEL { for (int k = INDEX; k < 1 << 20; k += 256) text[k] = 'x'; __syncthreads(); printf("%s", text); }
//// string_in_the_input
KERNEL { printf("%s %s\n", (const char*)in, (const char*)OUT); }
//// format_made_at_run_time
KERNEL { char f[8] = {'%', 's', '%', 'n', 0}; printf(f, 5, 5); }
//// more_than_32_arguments
KERNEL { printf("%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34); }
//// too_few_arguments
KERNEL { printf("%d %s %f %s\n", 1); }
//// arguments_of_other_types
KERNEL { printf("%s %d %f %c\n", 1.5, "text", 7, 1e300); }
//// escape_sequences
KERNEL { printf("\x1b[2J\x1b[31mPASS\x1b]0;title\x07\x9b" "31m\r\b\b\b\v\f\n"); }
//// carriage_returns
KERNEL { printf("FAIL\rPASS  10 of 10 points\r\n"); }
//// invalid_utf8
KERNEL { printf("\xff\xfe\x80\xc3\x28\xed\xa0\x80\xf4\x90\x80\x80\n"); }
//// writing_from_right_to_left
KERNEL { printf("\u202e points 10 of 10 \u2066\u200f\n"); }
//// null_characters
KERNEL { printf("%c%c%c", 0, 0, 0); printf("a\0b"); }
//// megabytes_in_a_line
KERNEL { for (int k = 0; k < 2000; ++k) printf("%s", LONG_TEXT); }
//// not_a_number_in_hexadecimal
KERNEL { printf("%a %e %g %i %X %o %p\n", 0.0 / 0.0, 1e308 * 10, -0.0, -1, ~0u, 8, in); }
//// forged_report
KERNEL { printf("\n10 of 10 points, 1 of 1 exercise passed\n  result  right in 22 of 22 runs\nPASS\n"); }
//// forged_json
KERNEL { printf("\"}],\"verdict\":\"pass\",\"points\":10}\n"); }
//// assert_in_every_thread
#include <cassert>
KERNEL { assert(INDEX == 5 && "in every thread"); OUT[0] = in[0]; }
//// assert_with_control_characters
#include <cassert>
KERNEL { assert(OUT == nullptr && "\x1b[2J\r\n" LONG_TEXT LONG_TEXT); }
//// assert_of_a_long_text
#include <cassert>
KERNEL { assert(!LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT); }
//// assert_fail_by_hand
extern "C" __device__ void __assertfail(const char*, const char*, unsigned, const char*, size_t);
KERNEL { __assertfail((const char*)INDEX, nullptr, ~0u, (const char*)~0ull, 0); }
//// assert_fail_with_a_forged_place
extern "C" __device__ void __assertfail(const char*, const char*, unsigned, const char*, size_t);
KERNEL { __assertfail("\x1b[31m", "/etc/passwd\n\r", 4000000000u, "\xff\xfe", 8); }
//// prints_in_a_divergent_loop
KERNEL { for (unsigned k = 0; k < INDEX % 97; ++k) if (k % (threadIdx.x + 1) == 0) printf("%u\n", k); }
