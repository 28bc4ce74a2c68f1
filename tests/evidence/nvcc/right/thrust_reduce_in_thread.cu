// SPDX-License-Identifier: Apache-2.0
// thrust::reduce and transform within one thread.
// launch: --kernel sums --grid 1 --block 4 --arg inout:i32:32:iota --arg out:i32:4
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
__global__ void sums(int* data, int* out) {
  int* row = data + 8 * threadIdx.x;
  thrust::transform(thrust::seq, row, row + 8, row, thrust::negate<int>());
  out[threadIdx.x] = thrust::reduce(thrust::seq, row, row + 8);
}
