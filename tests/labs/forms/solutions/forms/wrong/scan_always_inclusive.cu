// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=ragged
// cause: wrong_operation
// One thread a block, so that the order is right; it does not look at `exclusive`.
__global__ void scan(int* data, int n, bool exclusive) {
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int i = 256 * blockIdx.x; i < 256 * (blockIdx.x + 1) && i < n; ++i) {
    sum += data[i];
    data[i] = sum;
  }
}
