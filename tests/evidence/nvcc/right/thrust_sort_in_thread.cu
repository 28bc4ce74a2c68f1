// SPDX-License-Identifier: Apache-2.0
// thrust::sort within one thread.
// launch: --kernel sorts --grid 1 --block 4 --arg inout:i32:32:iota
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
__global__ void sorts(int* data) {
  int* row = data + 8 * threadIdx.x;
  for (int i = 0; i < 8; ++i) row[i] = row[i] * 5 % 8;
  thrust::sort(thrust::seq, row, row + 8);
}
