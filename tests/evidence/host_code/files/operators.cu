// SPDX-License-Identifier: Apache-2.0
// Host and device operators for the same type.
// left out: operator, operator, main
#include <iostream>
struct Vec3 {
  float x, y, z;
};
__host__ __device__ inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ inline Vec3 operator*(float s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
std::ostream& operator<<(std::ostream& out, const Vec3& v) {
  return out << '(' << v.x << ", " << v.y << ", " << v.z << ')';
}
bool operator==(const Vec3& a, const Vec3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
__global__ void advance(Vec3* position, const Vec3* velocity, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  position[i] = position[i] + dt * velocity[i];
}
int main() {
  Vec3 v{1, 2, 3};
  std::cout << v << std::endl;
}
