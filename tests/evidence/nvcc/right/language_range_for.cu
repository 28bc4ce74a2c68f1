// SPDX-License-Identifier: Apache-2.0
// A range-based for loop over a local array.
// launch: --kernel weighted --grid 1 --block 32 --arg out:i32:32
__global__ void weighted(int* out) {
  const int weights[] = {1, 4, 6, 4, 1};
  int sum = 0, place = 0;
  for (const int weight : weights) sum += weight * (threadIdx.x + place++);
  out[threadIdx.x] = sum;
}
