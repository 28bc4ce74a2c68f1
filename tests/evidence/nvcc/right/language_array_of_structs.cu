// SPDX-License-Identifier: Apache-2.0
// Arrays of structs that contain arrays, indexed at run time.
// launch: --kernel rows --grid 1 --block 32 --arg out:i32:32
struct Row {
  int values[3];
  unsigned char count;
};
__global__ void rows(int* out) {
  Row all[4];
  for (int i = 0; i < 4; ++i) {
    all[i].count = i % 3 + 1;
    for (int j = 0; j < 3; ++j) all[i].values[j] = i * j + threadIdx.x;
  }
  const Row row = all[threadIdx.x % 4];
  int sum = 0;
  for (int j = 0; j < row.count; ++j) sum += row.values[j];
  out[threadIdx.x] = sum;
}
