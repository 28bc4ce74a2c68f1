// SPDX-License-Identifier: Apache-2.0
// References to elements of arrays and to struct members.
// launch: --kernel exchanged --grid 1 --block 32 --arg inout:i32:32:iota
struct Pair {
  int first, second;
};
__device__ void exchange(int& a, int& b) {
  const int keep = a;
  a = b;
  b = keep;
}
__global__ void exchanged(int* data) {
  Pair pair = {data[threadIdx.x], 100};
  exchange(pair.first, pair.second);
  int& element = data[threadIdx.x];
  element = pair.first + 2 * pair.second;
}
