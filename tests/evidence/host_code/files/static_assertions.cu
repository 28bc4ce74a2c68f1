// SPDX-License-Identifier: Apache-2.0
// Assertions at namespace scope and in host functions.
// left out: blocks
#include <type_traits>
#include <cstdint>
struct Cell {
  std::int32_t value;
  std::uint16_t links[2];
};
static_assert(sizeof(Cell) == 8, "a cell is eight bytes {");
static_assert(std::is_trivially_copyable<Cell>::value, "cells are copied");
int blocks(int n) {
  static_assert(sizeof(int) == 4, "");
  return n / 32;
}
__global__ void touch(Cell* c) { c[threadIdx.x].value += c[threadIdx.x].links[1]; }
