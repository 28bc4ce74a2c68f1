// SPDX-License-Identifier: Apache-2.0
// goto out of nested loops.
// launch: --kernel factors --grid 1 --block 32 --arg out:i32:32
__global__ void factors(int* out) {
  const int n = 60 + threadIdx.x;
  int found = 0;
  for (int a = 2; a < n; ++a)
    for (int b = a; a * b <= n; ++b)
      if (a * b == n) {
        found = a * 1000 + b;
        goto done;
      }
done:
  out[threadIdx.x] = found;
}
