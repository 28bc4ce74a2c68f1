// SPDX-License-Identifier: Apache-2.0
// A struct with __host__ __device__ functions; Mandelbrot; host code writes the image.
// left out: write_pgm, main
#include <cstdio>
#include <fstream>
#include <vector>
struct Complex {
  float re, im;
  __host__ __device__ Complex(float r, float i) : re(r), im(i) {}
  __host__ __device__ float norm2() const { return re * re + im * im; }
  __host__ __device__ Complex operator*(const Complex& o) const {
    return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
  }
  __host__ __device__ Complex operator+(const Complex& o) const { return Complex(re + o.re, im + o.im); }
};
__global__ void mandelbrot(unsigned char* out, int w, int h, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  Complex c(3.0f * x / w - 2, 2.0f * y / h - 1), z(0, 0);
  int i = 0;
  while (i < most && z.norm2() < 4) {
    z = z * z + c;
    ++i;
  }
  out[y * w + x] = i * 255 / most;
}
void write_pgm(const char* path, const std::vector<unsigned char>& pixels, int w) {
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << w << ' ' << pixels.size() / w << "\n255\n";
  file.write(reinterpret_cast<const char*>(pixels.data()), pixels.size());
}
int main() {
  std::vector<unsigned char> pixels(512 * 512);
  mandelbrot<<<dim3(16, 16), dim3(32, 32)>>>(nullptr, 512, 512, 100);
  write_pgm("m.pgm", pixels, 512);
}
