// SPDX-License-Identifier: Apache-2.0
// Edge cases of the device heap: zero bytes, too many bytes, memory freed and allocated again,
// alignment, and two allocations that must not overlap.
// launch: grid 1 block 1

#include <cstdint>
#include <cstdlib>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  void* nothing = malloc(0);
  out[0] = nothing != nullptr;
  free(nothing);
  free(nullptr);
  out[1] = malloc(size_t(1) << 40) != nullptr;
  out[2] = malloc(size_t(8) << 20) != nullptr;  // the whole of the default heap
  for (int round = 0; round < 100; ++round) {
    void* piece = malloc(1 << 20);
    out[3] += piece != nullptr;
    out[4] |= static_cast<unsigned>(reinterpret_cast<uintptr_t>(piece) & 15);
    free(piece);
  }
  unsigned* first = static_cast<unsigned*>(malloc(100));
  unsigned* second = static_cast<unsigned*>(malloc(100));
  for (int i = 0; i < 25; ++i) {
    first[i] = in[i];
    second[i] = ~in[i];
  }
  unsigned sum = 0;
  for (int i = 0; i < 25; ++i) sum = sum * 31 + first[i] + 7 * second[i];
  out[5] = sum;
  free(second);
  free(first);
}
