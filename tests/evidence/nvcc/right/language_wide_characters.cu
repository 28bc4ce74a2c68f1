// SPDX-License-Identifier: Apache-2.0
// Strings in device code: lengths and characters.
// launch: --kernel letters --grid 1 --block 32 --arg out:i32:32
__device__ int length(const char* text) {
  int n = 0;
  while (text[n] != '\0') ++n;
  return n;
}
__global__ void letters(int* out) {
  const char* word = threadIdx.x % 2 ? "warp" : "block of threads";
  out[threadIdx.x] = length(word) * 1000 + word[threadIdx.x % 4];
}
