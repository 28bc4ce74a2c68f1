// SPDX-License-Identifier: Apache-2.0
// enum class values with arithmetic through static_cast.
// launch: --kernel walk --grid 1 --block 32 --arg out:i32:32
enum class Direction : unsigned char { kNorth, kEast, kSouth, kWest };
__device__ Direction turn(Direction d) { return static_cast<Direction>((static_cast<int>(d) + 1) % 4); }
__global__ void walk(int* out) {
  Direction d = Direction::kNorth;
  int x = 0, y = 0;
  for (unsigned i = 0; i <= threadIdx.x; ++i, d = turn(d)) {
    switch (d) {
      case Direction::kNorth: y += i; break;
      case Direction::kEast: x += i; break;
      case Direction::kSouth: y -= 1; break;
      case Direction::kWest: x -= 1; break;
    }
  }
  out[threadIdx.x] = 1000 * x + y;
}
