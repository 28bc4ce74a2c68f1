// SPDX-License-Identifier: Apache-2.0
// Placement new in shared memory.
// launch: --kernel cells --grid 1 --block 32 --arg out:i32:32
#include <new>
struct Cell {
  int a = 4;
  int b;
  __device__ explicit Cell(int x) : b(x) {}
};
__global__ void cells(int* out) {
  __shared__ alignas(Cell) unsigned char room[32 * sizeof(Cell)];
  Cell* cell = new (room + threadIdx.x * sizeof(Cell)) Cell(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = reinterpret_cast<Cell*>(room)[31 - threadIdx.x].b * cell->a;
}
