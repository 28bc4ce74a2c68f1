// SPDX-License-Identifier: Apache-2.0
// A plain data type of the device with host functions before and after its fields.
// left out: parse, print, operator, main
#include <sstream>
#include <string>
struct Particle {
  static Particle parse(const std::string& text) {
    Particle p;
    std::istringstream(text) >> p.x >> p.y;
    return p;
  }
  float x, y;
  int cell = 0;
  void print() const;
  explicit operator bool() const { return cell != 0; }
};
__global__ void move(Particle* p, float dx) {
  p[threadIdx.x].x += dx;
  p[threadIdx.x].cell = static_cast<int>(p[threadIdx.x].x);
}
int main() { return Particle::parse("1 2") ? 0 : 1; }
