// SPDX-License-Identifier: Apache-2.0
// A __grid_constant__ struct parameter whose address is used.
// launch: --kernel pick --grid 1 --block 32 --arg struct:01000000020000000300000004000000 --arg out:i32:32
struct Table {
  int values[4];
};
__global__ void pick(const __grid_constant__ Table table, int* out) {
  const int* p = &table.values[threadIdx.x % 4];
  out[threadIdx.x] = *p * 10;
}
