// SPDX-License-Identifier: Apache-2.0
// Unsigned subtraction wraps around and converts back to a signed difference.
// launch: --kernel wrapped --grid 1 --block 32 --arg out:i32:32
__global__ void wrapped(int* out) {
  const unsigned before = threadIdx.x - 5u;
  out[threadIdx.x] = int(before) + int(before > 1000u) * 100;
}
