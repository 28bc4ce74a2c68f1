// SPDX-License-Identifier: Apache-2.0
// new and delete of an array in a kernel.
// launch: --kernel rows --grid 1 --block 8 --arg out:i32:8
__global__ void rows(int* out) {
  const int n = threadIdx.x + 1;
  int* row = new int[n];
  for (int i = 0; i < n; ++i) row[i] = i * i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += row[i];
  delete[] row;
  out[threadIdx.x] = sum;
}
