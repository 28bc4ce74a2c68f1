// SPDX-License-Identifier: Apache-2.0
// do-while with break and continue.
// launch: --kernel digits --grid 1 --block 32 --arg out:i32:32
__global__ void digits(int* out) {
  int n = 7919 * (threadIdx.x + 1), sum = 0;
  do {
    const int digit = n % 10;
    n /= 10;
    if (digit == 3) continue;
    if (digit == 9 && sum > 20) break;
    sum += digit;
  } while (n > 0);
  out[threadIdx.x] = sum;
}
