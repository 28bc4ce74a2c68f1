// SPDX-License-Identifier: Apache-2.0
// Filters of images: convolutions with weights in constant memory, medians, the bilateral filter,
// gradients and the steps of Canny's edge detector, morphology. Images are row-major, with one
// channel; coordinates outside are clamped to the border.

__constant__ float gauss_5x5[25] = {1,  4, 6, 4,  1,  4,  16, 24, 16, 4, 6, 24, 36,
                                    24, 6, 4, 16, 24, 16, 4,  1,  4,  6, 4, 1};
__constant__ float gauss_17[17] = {0.004F, 0.008F, 0.016F, 0.030F, 0.050F, 0.076F,
                                   0.104F, 0.126F, 0.172F, 0.126F, 0.104F, 0.076F,
                                   0.050F, 0.030F, 0.016F, 0.008F, 0.004F};

__device__ int clamped(int i, int count) { return min(max(i, 0), count - 1); }

__global__ void filter_5x5(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int b = -2; b <= 2; ++b) {
    for (int a = -2; a <= 2; ++a) {
      const int row = clamped(y + b, height);
      sum += gauss_5x5[(b + 2) * 5 + a + 2] * in[row * width + clamped(x + a, width)];
    }
  }
  out[y * width + x] = sum / 256;
}

// The weights come from a buffer, and the radius is known only at run time.
__global__ void filter_any(float* out, const float* in, const float* weights, int width, int height,
                           int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int side = 2 * radius + 1;
  float sum = 0;
  for (int b = 0; b < side; ++b) {
    const int row = clamped(y + b - radius, height);
    for (int a = 0; a < side; ++a) {
      sum += weights[b * side + a] * in[row * width + clamped(x + a - radius, width)];
    }
  }
  out[y * width + x] = sum;
}

// 32 x 8 threads; the tile and its border are loaded by a loop over all cells.
__global__ void filter_5x5_tiled(float* out, const float* in, int width, int height) {
  constexpr int kColumns = 32 + 4;
  constexpr int kRows = 8 + 4;
  __shared__ float tile[kRows][kColumns];
  const int left = blockIdx.x * 32 - 2;
  const int top = blockIdx.y * 8 - 2;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < kRows * kColumns; k += 256) {
    const int row = clamped(top + k / kColumns, height);
    tile[k / kColumns][k % kColumns] = in[row * width + clamped(left + k % kColumns, width)];
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int b = 0; b < 5; ++b) {
#pragma unroll
    for (int a = 0; a < 5; ++a) {
      sum += gauss_5x5[b * 5 + a] * tile[threadIdx.y + b][threadIdx.x + a];
    }
  }
  const int x = left + 2 + threadIdx.x;
  const int y = top + 2 + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = sum / 256;
}

__global__ void filter_5x5_bytes(unsigned char* out, const unsigned char* in, int width,
                                 int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int b = -2; b <= 2; ++b) {
    for (int a = -2; a <= 2; ++a) {
      const int row = clamped(y + b, height);
      sum += gauss_5x5[(b + 2) * 5 + a + 2] * in[row * width + clamped(x + a, width)];
    }
  }
  out[y * width + x] = static_cast<unsigned char>(sum / 256 + 0.5F);
}

__global__ void separable_rows(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= width) return;
  float sum = 0;
#pragma unroll
  for (int a = -8; a <= 8; ++a) sum += gauss_17[a + 8] * in[y * width + clamped(x + a, width)];
  out[y * width + x] = sum;
}

__global__ void separable_columns(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
#pragma unroll
  for (int b = -8; b <= 8; ++b) sum += gauss_17[b + 8] * in[clamped(y + b, height) * width + x];
  out[y * width + x] = sum;
}

// 16 x 4 threads; each computes 8 pixels of a row from a tile with borders of 16 columns.
__global__ void separable_rows_tiled(float* out, const float* in, int width, int height) {
  __shared__ float tile[4][10 * 16];
  const int left = blockIdx.x * 128 - 16;
  const int y = clamped(blockIdx.y * 4 + threadIdx.y, height);
  for (int k = 0; k < 10; ++k) {
    const int x = k * 16 + threadIdx.x;
    tile[threadIdx.y][x] = in[y * width + clamped(left + x, width)];
  }
  __syncthreads();
  for (int k = 1; k < 9; ++k) {
    const int at = k * 16 + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int a = -8; a <= 8; ++a) sum += gauss_17[a + 8] * tile[threadIdx.y][at + a];
    const int x = left + at;
    if (x < width && blockIdx.y * 4 + threadIdx.y < height) out[y * width + x] = sum;
  }
}

// Each thread slides down a strip of a column and keeps the last rows' sum.
__global__ void box_columns(float* out, const float* in, int width, int height, int radius,
                            int strip) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  const int first = blockIdx.y * strip;
  const int end = min(first + strip, height);
  float sum = 0;
  for (int b = -radius; b <= radius; ++b) sum += in[clamped(first + b, height) * width + x];
  for (int y = first; y < end; ++y) {
    out[y * width + x] = sum / (2 * radius + 1);
    sum += in[clamped(y + radius + 1, height) * width + x];
    sum -= in[clamped(y - radius, height) * width + x];
  }
}

__device__ void order(float& a, float& b) {
  const float low = fminf(a, b);
  b = fmaxf(a, b);
  a = low;
}

// By a network of 19 exchanges.
__global__ void median_3x3(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float v[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    v[k] = in[clamped(y + k / 3 - 1, height) * width + clamped(x + k % 3 - 1, width)];
  }
  order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]);
  order(v[0], v[1]), order(v[3], v[4]), order(v[6], v[7]);
  order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]);
  order(v[0], v[3]), order(v[5], v[8]), order(v[4], v[7]);
  order(v[3], v[6]), order(v[1], v[4]), order(v[2], v[5]);
  order(v[4], v[7]), order(v[4], v[2]), order(v[6], v[4]);
  order(v[4], v[2]);
  out[y * width + x] = v[4];
}

// Sorts the window in a local array by insertion.
__global__ void median_5x5_sorted(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float window[25];
  for (int k = 0; k < 25; ++k) {
    const float value = in[clamped(y + k / 5 - 2, height) * width + clamped(x + k % 5 - 2, width)];
    int at = k;
    while (at > 0 && window[at - 1] > value) {
      window[at] = window[at - 1];
      --at;
    }
    window[at] = value;
  }
  out[y * width + x] = window[12];
}

__global__ void bilateral(float* out, const float* in, int width, int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float centre = in[y * width + x];
  float sum = 0;
  float weights = 0;
  for (int b = -radius; b <= radius; ++b) {
    for (int a = -radius; a <= radius; ++a) {
      const float value = in[clamped(y + b, height) * width + clamped(x + a, width)];
      const float difference = value - centre;
      const float weight = __expf(-0.1F * (a * a + b * b) - 8 * difference * difference);
      sum += weight * value;
      weights += weight;
    }
  }
  out[y * width + x] = sum / weights;
}

// 16 x 16 threads; radius 4. Distances come from a table in shared memory.
__global__ void bilateral_tiled(float* out, const float* in, int width, int height) {
  __shared__ float tile[24][25];
  __shared__ float near[81];
  const int left = blockIdx.x * 16 - 4;
  const int top = blockIdx.y * 16 - 4;
  const int thread = threadIdx.y * 16 + threadIdx.x;
  if (thread < 81) {
    const int a = thread % 9 - 4;
    const int b = thread / 9 - 4;
    near[thread] = expf(-0.1F * (a * a + b * b));
  }
  for (int k = thread; k < 24 * 24; k += 256) {
    tile[k / 24][k % 24] =
        in[clamped(top + k / 24, height) * width + clamped(left + k % 24, width)];
  }
  __syncthreads();
  const float centre = tile[threadIdx.y + 4][threadIdx.x + 4];
  float sum = 0;
  float weights = 0;
  for (int b = 0; b < 9; ++b) {
    for (int a = 0; a < 9; ++a) {
      const float value = tile[threadIdx.y + b][threadIdx.x + a];
      const float difference = value - centre;
      const float weight = near[b * 9 + a] * __expf(-8 * difference * difference);
      sum += weight * value;
      weights += weight;
    }
  }
  const int x = left + 4 + threadIdx.x;
  const int y = top + 4 + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = sum / weights;
}

__global__ void sobel(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float* above = in + clamped(y - 1, height) * width;
  const float* here = in + y * width;
  const float* below = in + clamped(y + 1, height) * width;
  const int l = clamped(x - 1, width);
  const int r = clamped(x + 1, width);
  const float dx = above[r] - above[l] + 2 * (here[r] - here[l]) + below[r] - below[l];
  const float dy = below[l] + 2 * below[x] + below[r] - above[l] - 2 * above[x] - above[r];
  out[y * width + x] = sqrtf(dx * dx + dy * dy);
}

// A byte per pixel, four pixels per thread; width is a multiple of 4.
__global__ void sobel_bytes(uchar4* out, const unsigned char* in, int width, int height) {
  const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const unsigned char* rows[3] = {in + clamped(y - 1, height) * width, in + y * width,
                                  in + clamped(y + 1, height) * width};
  int v[3][6];
#pragma unroll
  for (int b = 0; b < 3; ++b) {
#pragma unroll
    for (int a = 0; a < 6; ++a) v[b][a] = rows[b][clamped(x + a - 1, width)];
  }
  int most[4];
#pragma unroll
  for (int a = 0; a < 4; ++a) {
    const int dx = v[0][a + 2] - v[0][a] + 2 * (v[1][a + 2] - v[1][a]) + v[2][a + 2] - v[2][a];
    const int dy =
        v[2][a] + 2 * v[2][a + 1] + v[2][a + 2] - v[0][a] - 2 * v[0][a + 1] - v[0][a + 2];
    most[a] = min(abs(dx) + abs(dy), 255);
  }
  out[(y * width + x) / 4] = make_uchar4(most[0], most[1], most[2], most[3]);
}

// Canny's first step: magnitude and one of four directions.
__global__ void canny_gradient(float* magnitude, unsigned char* direction, const float* in,
                               int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  const float dx = in[y * width + clamped(x + 1, width)] - in[y * width + clamped(x - 1, width)];
  const float dy = in[clamped(y + 1, height) * width + x] - in[clamped(y - 1, height) * width + x];
  magnitude[i] = hypotf(dx, dy);
  const float angle = atan2f(dy, dx) * (4 / 3.14159265F);
  direction[i] = static_cast<unsigned char>((static_cast<int>(rintf(angle)) + 8) & 3);
}

// Canny's second step: keeps a pixel that is larger than both neighbours along its gradient.
__global__ void canny_thin(float* out, const float* magnitude, const unsigned char* direction,
                           int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  const float here = magnitude[i];
  int step = 0;
  switch (direction[i] & 3) {
    case 0:
      step = 1;
      break;
    case 1:
      step = width + 1;
      break;
    case 2:
      step = width;
      break;
    default:
      step = width - 1;
  }
  out[i] = here >= magnitude[i - step] && here >= magnitude[i + step] ? here : 0;
}

// Canny's last step: a weak edge stays if one of its eight neighbours is strong.
__global__ void canny_link(unsigned char* out, const float* in, int width, int height, float low,
                           float high) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float here = in[y * width + x];
  bool keep = here >= high;
  if (!keep && here >= low) {
    for (int k = 0; k < 9 && !keep; ++k) {
      keep = in[clamped(y + k / 3 - 1, height) * width + clamped(x + k % 3 - 1, width)] >= high;
    }
  }
  out[y * width + x] = keep ? 255 : 0;
}

// Erosion by a square, through a tile: rows first, then columns. 32 x 16 threads.
template <int Radius>
__global__ void erode(unsigned char* out, const unsigned char* in, int width, int height) {
  __shared__ unsigned char tile[16 + 2 * Radius][32 + 2 * Radius];
  __shared__ unsigned char rows[16 + 2 * Radius][32];
  const int left = blockIdx.x * 32 - Radius;
  const int top = blockIdx.y * 16 - Radius;
  for (int b = threadIdx.y; b < 16 + 2 * Radius; b += 16) {
    for (int a = threadIdx.x; a < 32 + 2 * Radius; a += 32) {
      tile[b][a] = in[clamped(top + b, height) * width + clamped(left + a, width)];
    }
  }
  __syncthreads();
  for (int b = threadIdx.y; b < 16 + 2 * Radius; b += 16) {
    int least = 255;
    for (int a = 0; a <= 2 * Radius; ++a) least = min(least, int{tile[b][threadIdx.x + a]});
    rows[b][threadIdx.x] = least;
  }
  __syncthreads();
  int least = 255;
  for (int b = 0; b <= 2 * Radius; ++b) least = min(least, int{rows[threadIdx.y + b][threadIdx.x]});
  const int x = left + Radius + threadIdx.x;
  const int y = top + Radius + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = least;
}

// One step of anisotropic diffusion; conductances depend on the differences.
__global__ void diffuse(float* out, const float* in, int width, int height, float rate) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float here = in[y * width + x];
  const float d[4] = {
      in[clamped(y - 1, height) * width + x] - here, in[clamped(y + 1, height) * width + x] - here,
      in[y * width + clamped(x - 1, width)] - here, in[y * width + clamped(x + 1, width)] - here};
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) sum += d[k] / (1 + d[k] * d[k] * 16);
  out[y * width + x] = here + rate * sum;
}
