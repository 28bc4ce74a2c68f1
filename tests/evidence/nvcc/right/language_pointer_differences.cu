// SPDX-License-Identifier: Apache-2.0
// Pointer comparison and subtraction, and an array of pointers.
// launch: --kernel search --grid 1 --block 32 --arg in:i32:64:iota --arg out:i32:32
__global__ void search(const int* in, int* out) {
  const int* parts[2] = {in, in + 32};
  const int* p = parts[threadIdx.x & 1];
  const int* end = p + 32;
  while (p < end && *p % 13 != int(threadIdx.x % 13)) ++p;
  out[threadIdx.x] = p == end ? -1 : int(p - in);
}
