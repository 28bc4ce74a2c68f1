// SPDX-License-Identifier: Apache-2.0
// An identifier with an umlaut.
// launch: --kernel zaehle --grid 1 --block 32 --arg out:i32:32
__global__ void zaehle(int* out) {
  const int größe = 3 * threadIdx.x;
  out[threadIdx.x] = größe + 1;
}
