// SPDX-License-Identifier: Apache-2.0
// Fractals: loops whose number of rounds differs from pixel to pixel. Mandelbrot and Julia sets in
// single and double precision, by pixel, by rows and with an early test; Newton's fractal, the
// burning ship, Lyapunov exponents, and a picture of orbits by atomics.

// A point per thread; blocks of any shape.
__global__ void mandelbrot_pixels(unsigned* out, int width, int height, float left, float top,
                                  float step, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float cr = left + x * step;
  const float ci = top + y * step;
  float a = 0;
  float b = 0;
  int rounds = 0;
  while (rounds < most && a * a + b * b < 4) {
    const float next = a * a - b * b + cr;
    b = 2 * a * b + ci;
    a = next;
    ++rounds;
  }
  out[y * width + x] = rounds;
}

// Points in the main bulbs are found by a formula, and colours are smooth.
__global__ void mandelbrot_smooth(uchar4* out, int width, int height, float left, float top,
                                  float step, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float cr = left + x * step;
  const float ci = top + y * step;
  const float q = (cr - 0.25F) * (cr - 0.25F) + ci * ci;
  float shade = 0;
  if (q * (q + cr - 0.25F) > 0.25F * ci * ci && (cr + 1) * (cr + 1) + ci * ci > 0.0625F) {
    float a = 0;
    float b = 0;
    float aa = 0;
    float bb = 0;
    int rounds = 0;
    for (; rounds < most && aa + bb < 64; ++rounds) {
      b = 2 * a * b + ci;
      a = aa - bb + cr;
      aa = a * a;
      bb = b * b;
    }
    if (rounds < most) shade = rounds + 1 - __log2f(0.5F * __log2f(aa + bb));
  }
  out[y * width + x] =
      make_uchar4(127 + 127 * __sinf(0.1F * shade), 127 + 127 * __sinf(0.13F * shade),
                  127 + 127 * __sinf(0.17F * shade), 255);
}

__global__ void mandelbrot_double(unsigned short* out, int width, int height, double left,
                                  double top, double step, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const double cr = left + x * step;
  const double ci = top + y * step;
  double a = 0;
  double b = 0;
  int rounds = 0;
  for (; rounds < most; ++rounds) {
    const double aa = a * a;
    const double bb = b * b;
    if (aa + bb > 4) break;
    b = 2 * a * b + ci;
    a = aa - bb + cr;
  }
  out[y * width + x] = static_cast<unsigned short>(rounds);
}

// Blocks take whole rows, one after the other, so work per block differs.
__global__ void mandelbrot_rows(unsigned* out, int width, int height, float left, float top,
                                float step, int most) {
  for (int y = blockIdx.x; y < height; y += gridDim.x) {
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
      const float cr = left + x * step;
      const float ci = top + y * step;
      float a = 0;
      float b = 0;
      int rounds = 0;
      for (; rounds < most && a * a + b * b < 4; ++rounds) {
        const float next = a * a - b * b + cr;
        b = 2 * a * b + ci;
        a = next;
      }
      out[y * width + x] = rounds;
    }
  }
}

// Four rounds per test, with the count corrected to a multiple of four.
__global__ void mandelbrot_fours(unsigned* out, int width, int height, float left, float top,
                                 float step, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float cr = left + x * step;
  const float ci = top + y * step;
  float a = 0;
  float b = 0;
  int rounds = 0;
  do {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const float next = fmaf(a, a, fmaf(-b, b, cr));
      b = fmaf(2 * a, b, ci);
      a = next;
    }
    rounds += 4;
  } while (rounds < most && a * a + b * b < 4);
  out[y * width + x] = rounds;
}

__global__ void julia(unsigned char* out, int width, int height, float cr, float ci, float step,
                      int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float a = (x - 0.5F * width) * step;
  float b = (y - 0.5F * height) * step;
  int rounds = 0;
  while (rounds < most && a * a + b * b < 4) {
    const float next = a * a - b * b + cr;
    b = 2 * a * b + ci;
    a = next;
    ++rounds;
  }
  out[y * width + x] = static_cast<unsigned char>(rounds * 255 / most);
}

// A picture with 2 x 2 samples per pixel, each a loop of its own, in a row of frames (blockIdx.z).
__global__ void julia_frames(unsigned char* out, int width, int height, float step, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float cr;
  float ci;
  __sincosf(0.2F * blockIdx.z, &ci, &cr);
  int total = 0;
#pragma unroll 1
  for (int sample = 0; sample < 4; ++sample) {
    float a = (x + 0.5F * (sample & 1) - 0.5F * width) * step;
    float b = (y + 0.5F * (sample >> 1) - 0.5F * height) * step;
    int rounds = 0;
    while (rounds < most && a * a + b * b < 4) {
      const float next = a * a - b * b + 0.7885F * cr;
      b = 2 * a * b + 0.7885F * ci;
      a = next;
      ++rounds;
    }
    total += rounds;
  }
  out[(blockIdx.z * height + y) * width + x] = static_cast<unsigned char>(total * 63 / most);
}

__global__ void burning_ship(unsigned* out, int width, int height, float left, float top,
                             float step, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float a = 0;
  float b = 0;
  int rounds = 0;
  for (; rounds < most && a * a + b * b < 4; ++rounds) {
    const float next = a * a - b * b + left + x * step;
    b = fabsf(2 * a * b) + top + y * step;
    a = next;
  }
  out[y * width + x] = rounds;
}

// Newton's method for z^3 = 1: which root, and after how many steps.
__global__ void newton(uchar2* out, int width, int height, float step, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float a = (x - 0.5F * width) * step + 1e-3F;
  float b = (y - 0.5F * height) * step;
  int rounds = 0;
  for (; rounds < most; ++rounds) {
    const float aa = a * a - b * b;
    const float bb = 2 * a * b;
    const float norm = 1 / fmaxf(3 * (aa * aa + bb * bb), 1e-20F);
    const float da = a / 3 - aa * norm;
    const float db = b / 3 + bb * norm;
    a -= da;
    b -= db;
    if (da * da + db * db < 1e-8F) break;
  }
  out[y * width + x] = make_uchar2(a > 0 ? 0 : b > 0 ? 1 : 2, rounds);
}

// Exponents of the logistic map with two alternating rates; the same number of rounds everywhere.
__global__ void lyapunov(float* out, int width, int height, int rounds) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float p = 2 + 2.0F * x / width;
  const float q = 2 + 2.0F * y / height;
  float v = 0.5F;
  float sum = 0;
  for (int k = 0; k < rounds; ++k) {
    const float r = k % 4 < 2 ? p : q;
    v = r * v * (1 - v);
    sum += __logf(fabsf(r * (1 - 2 * v)) + 1e-9F);
  }
  out[y * width + x] = sum / rounds;
}

// Orbits of points outside the set, drawn by atomics in a picture of 2^bits x 2^bits.
__global__ void orbits(unsigned* picture, const float2* points, int count, int bits, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float cr = 3 * points[i].x - 2;
  const float ci = 3 * points[i].y - 1.5F;
  const int side = 1 << bits;
  float a = 0;
  float b = 0;
  int rounds = 0;
  for (; rounds < most && a * a + b * b < 4; ++rounds) {
    const float next = a * a - b * b + cr;
    b = 2 * a * b + ci;
    a = next;
  }
  if (rounds == most) return;
  a = b = 0;
  for (int k = 0; k < rounds; ++k) {
    const float next = a * a - b * b + cr;
    b = 2 * a * b + ci;
    a = next;
    const int x = static_cast<int>((a + 2) / 3 * side);
    const int y = static_cast<int>((b + 1.5F) / 3 * side);
    if (x >= 0 && y >= 0 && x < side && y < side) atomicAdd(&picture[y * side + x], 1U);
  }
}
