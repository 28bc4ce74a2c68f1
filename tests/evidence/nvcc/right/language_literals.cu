// SPDX-License-Identifier: Apache-2.0
// Binary, octal and hexadecimal literals, digit separators, suffixes.
// launch: --kernel literals --grid 1 --block 32 --arg out:u64:32
__global__ void literals(unsigned long long* out) {
  out[threadIdx.x] = 0b1010'1010 + 0xFF'FFull + 017 + 1'000'000ll * threadIdx.x + 'A' + sizeof("text");
}
