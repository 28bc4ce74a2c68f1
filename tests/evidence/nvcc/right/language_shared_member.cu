// SPDX-License-Identifier: Apache-2.0
// __shared__ on a member of a struct.
struct Tile {
  __shared__ int values[32];
};
__global__ void kernel(int* out) {
  Tile tile;
  out[threadIdx.x] = tile.values[0];
}
