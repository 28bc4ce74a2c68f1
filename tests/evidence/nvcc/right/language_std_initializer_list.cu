// SPDX-License-Identifier: Apache-2.0
// A struct with default member initialisers, tested with std::is_trivially_copyable.
// launch: --kernel points --grid 1 --block 32 --arg out:i32:32
#include <type_traits>
struct Point {
  int x = 1, y{2};
};
__global__ void points(int* out) {
  static_assert(std::is_trivially_copyable<Point>::value);
  Point p{};
  p.x += threadIdx.x;
  out[threadIdx.x] = p.x * p.y;
}
