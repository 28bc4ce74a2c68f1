// SPDX-License-Identifier: Apache-2.0
// Whole-picture operations: colour conversion of interleaved and planar bytes, tables of tones,
// histograms and their equalisation, integral images, resizing, rotation, blending.

__constant__ float yuv_weights[9] = {0.299F, 0.587F, 0.114F,  -0.169F, -0.331F,
                                     0.5F,   0.5F,   -0.419F, -0.081F};

__device__ unsigned char to_byte(float value) {
  return static_cast<unsigned char>(fminf(fmaxf(value, 0.0F), 255.0F) + 0.5F);
}

// Three interleaved bytes per pixel.
__global__ void rgb_to_yuv(unsigned char* out, const unsigned char* in, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const float r = in[3 * i];
  const float g = in[3 * i + 1];
  const float b = in[3 * i + 2];
  for (int k = 0; k < 3; ++k) {
    const float value =
        yuv_weights[3 * k] * r + yuv_weights[3 * k + 1] * g + yuv_weights[3 * k + 2] * b;
    out[3 * i + k] = to_byte(k == 0 ? value : value + 128);
  }
}

// Four pixels per thread: 12 bytes as three words. in and out are aligned; pixels is 4 * fours.
__global__ void rgb_to_grey_fours(uchar4* out, const unsigned* in, int fours) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= fours) return;
  const unsigned a = in[3 * i];
  const unsigned b = in[3 * i + 1];
  const unsigned c = in[3 * i + 2];
  const auto grey = [](unsigned red, unsigned green, unsigned blue) {
    return static_cast<unsigned char>(
        ((red & 255) * 77 + (green & 255) * 151 + (blue & 255) * 28) >> 8);
  };
  out[i] = make_uchar4(grey(a, a >> 8, a >> 16), grey(a >> 24, b, b >> 8),
                       grey(b >> 16, b >> 24, c), grey(c >> 8, c >> 16, c >> 24));
}

__global__ void rgb_to_hsv(float* out, const float* in, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const float r = in[i];
  const float g = in[i + pixels];
  const float b = in[i + 2 * pixels];
  const float most = fmaxf(r, fmaxf(g, b));
  const float range = most - fminf(r, fminf(g, b));
  float hue = 0;
  if (range > 0) {
    if (most == r) {
      hue = fmodf((g - b) / range + 6, 6);
    } else if (most == g) {
      hue = (b - r) / range + 2;
    } else {
      hue = (r - g) / range + 4;
    }
  }
  out[i] = hue / 6;
  out[i + pixels] = most > 0 ? range / most : 0;
  out[i + 2 * pixels] = most;
}

// A planar y image and half-sized u and v planes, to four bytes per pixel.
__global__ void yuv420_to_rgba(uchar4* out, const unsigned char* y_plane,
                               const unsigned char* u_plane, const unsigned char* v_plane,
                               int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || row >= height) return;
  const int half = row / 2 * (width / 2) + x / 2;
  const float y = 1.164F * (y_plane[row * width + x] - 16.0F);
  const float u = u_plane[half] - 128.0F;
  const float v = v_plane[half] - 128.0F;
  out[row * width + x] = make_uchar4(to_byte(y + 1.596F * v), to_byte(y - 0.813F * v - 0.391F * u),
                                     to_byte(y + 2.018F * u), 255);
}

// A table of 256 tones in shared memory, computed per block; four pixels per thread.
__global__ void gamma_table(uchar4* out, const uchar4* in, int fours, float gamma) {
  __shared__ unsigned char tones[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) {
    tones[k] = to_byte(255 * powf(k / 255.0F, gamma));
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= fours) return;
  const uchar4 pixel = in[i];
  out[i] = make_uchar4(tones[pixel.x], tones[pixel.y], tones[pixel.z], tones[pixel.w]);
}

__global__ void tone_map(float4* out, const float4* in, int pixels, float white) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const float4 c = in[i];
  const float light = 0.2126F * c.x + 0.7152F * c.y + 0.0722F * c.z;
  const float scale = (1 + light / (white * white)) / (1 + light);
  out[i] = make_float4(powf(c.x * scale, 0.4545F), powf(c.y * scale, 0.4545F),
                       powf(c.z * scale, 0.4545F), c.w);
}

// 256 bins in shared memory per block, four bytes per load, one global add per bin and block.
__global__ void tone_histogram(unsigned* bins, const unsigned* in, int words) {
  __shared__ unsigned mine[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) mine[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
    const unsigned word = in[i];
    atomicAdd(&mine[word & 255], 1U);
    atomicAdd(&mine[word >> 8 & 255], 1U);
    atomicAdd(&mine[word >> 16 & 255], 1U);
    atomicAdd(&mine[word >> 24], 1U);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x) atomicAdd(&bins[k], mine[k]);
}

// Each block sums 256 bins up to a table (their counts are masked), then maps its pixels.
__global__ void equalise(unsigned char* out, const unsigned char* in, const unsigned* bins,
                         int pixels) {
  __shared__ unsigned sums[256];
  const int thread = threadIdx.x;
  sums[thread] = bins[thread] & 0xffff;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    const unsigned before = thread >= step ? sums[thread - step] : 0;
    __syncthreads();
    sums[thread] += before;
    __syncthreads();
  }
  const float scale = 255.0F / fmaxf(sums[255], 1.0F);
  for (int i = blockIdx.x * 256 + thread; i < pixels; i += gridDim.x * 256) {
    out[i] = static_cast<unsigned char>(sums[in[i]] * scale);
  }
}

// Inclusive sums of rows, one block of 256 threads per row, 256 columns at a time.
__global__ void integral_rows(float* out, const float* in, int width) {
  __shared__ float ends[8];
  const float* from = in + static_cast<size_t>(blockIdx.x) * width;
  float* to = out + static_cast<size_t>(blockIdx.x) * width;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  float carry = 0;
  for (int first = 0; first < width; first += 256) {
    const int x = first + threadIdx.x;
    float sum = x < width ? from[x] : 0;
    for (int step = 1; step < 32; step *= 2) {
      const float before = __shfl_up_sync(~0U, sum, step);
      if (lane >= step) sum += before;
    }
    if (lane == 31) ends[warp] = sum;
    __syncthreads();
    float before = carry;
    for (int k = 0; k < warp; ++k) before += ends[k];
    for (int k = 0; k < 8; ++k) carry += ends[k];
    if (x < width) to[x] = before + sum;
    __syncthreads();
  }
}

// One thread per column adds all rows.
__global__ void integral_columns(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  float sum = 0;
  for (int y = 0; y < height; ++y) {
    sum += in[y * width + x];
    out[y * width + x] = sum;
  }
}

// Means of windows by four reads of an integral image.
__global__ void window_means(float* out, const float* sums, int width, int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int left = max(x - radius - 1, 0);
  const int right = min(x + radius, width - 1);
  const int top = max(y - radius - 1, 0);
  const int bottom = min(y + radius, height - 1);
  const float sum = sums[bottom * width + right] - sums[bottom * width + left] -
                    sums[top * width + right] + sums[top * width + left];
  out[y * width + x] = sum / fmaxf((right - left) * (bottom - top), 1.0F);
}

__device__ float between(float a, float b, float t) { return a + (b - a) * t; }

__global__ void resize_bilinear(float* out, const float* in, int out_width, int out_height,
                                int in_width, int in_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out_width || y >= out_height) return;
  const float u = fmaxf((x + 0.5F) * in_width / out_width - 0.5F, 0);
  const float v = fmaxf((y + 0.5F) * in_height / out_height - 0.5F, 0);
  const int left = min(static_cast<int>(u), in_width - 1);
  const int top = min(static_cast<int>(v), in_height - 1);
  const int right = min(left + 1, in_width - 1);
  const int bottom = min(top + 1, in_height - 1);
  const float above = between(in[top * in_width + left], in[top * in_width + right], u - left);
  const float below =
      between(in[bottom * in_width + left], in[bottom * in_width + right], u - left);
  out[y * out_width + x] = between(above, below, v - top);
}

__global__ void resize_nearest(uchar4* out, const uchar4* in, int out_width, int out_height,
                               int in_width, int in_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out_width || y >= out_height) return;
  const int u = min(x * in_width / out_width, in_width - 1);
  const int v = min(y * in_height / out_height, in_height - 1);
  out[y * out_width + x] = in[v * in_width + u];
}

// Catmull-Rom weights of 4 x 4 pixels.
__global__ void resize_bicubic(float* out, const float* in, int out_width, int out_height,
                               int in_width, int in_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out_width || y >= out_height) return;
  const float u = (x + 0.5F) * in_width / out_width - 0.5F;
  const float v = (y + 0.5F) * in_height / out_height - 0.5F;
  const float s = u - floorf(u);
  const float t = v - floorf(v);
  const auto weight = [](float d) {
    d = fabsf(d);
    return d < 1 ? (1.5F * d - 2.5F) * d * d + 1 : ((-0.5F * d + 2.5F) * d - 4) * d + 2;
  };
  float sum = 0;
  for (int b = -1; b < 3; ++b) {
    const int row = min(max(static_cast<int>(floorf(v)) + b, 0), in_height - 1);
    float line = 0;
    for (int a = -1; a < 3; ++a) {
      const int column = min(max(static_cast<int>(floorf(u)) + a, 0), in_width - 1);
      line += weight(s - a) * in[row * in_width + column];
    }
    sum += weight(t - b) * line;
  }
  out[y * out_width + x] = sum;
}

// One level of a pyramid: means of 2 x 2 pixels, two per float2.
__global__ void halve(float* out, const float2* in, int out_width, int out_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out_width || y >= out_height) return;
  const float2 above = in[2 * y * out_width + x];
  const float2 below = in[(2 * y + 1) * out_width + x];
  out[y * out_width + x] = 0.25F * (above.x + above.y + below.x + below.y);
}

// Lanes read along a slanted line.
__global__ void rotate(float* out, const float* in, int width, int height, float angle) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float c = __cosf(angle);
  const float s = __sinf(angle);
  const float dx = x - 0.5F * width;
  const float dy = y - 0.5F * height;
  const int u = static_cast<int>(floorf(c * dx - s * dy + 0.5F * width));
  const int v = static_cast<int>(floorf(s * dx + c * dy + 0.5F * height));
  out[y * width + x] = u >= 0 && v >= 0 && u < width && v < height ? in[v * width + u] : 0;
}

// Reads each pixel at its place plus a displacement.
__global__ void warp_by_flow(float* out, const float* in, const float2* flow, int width, int height,
                             float scale) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float2 by = flow[y * width + x];
  const int u = min(max(x + static_cast<int>(scale * (by.x - 0.5F)), 0), width - 1);
  const int v = min(max(y + static_cast<int>(scale * (by.y - 0.5F)), 0), height - 1);
  out[y * width + x] = in[v * width + u];
}

__global__ void blend(uchar4* out, const uchar4* above, const uchar4* below, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const uchar4 a = above[i];
  const uchar4 b = below[i];
  const int part = a.w;
  const auto mixed = [part](int x, int y) {
    return static_cast<unsigned char>((x * part + y * (255 - part) + 127) / 255);
  };
  out[i] = make_uchar4(mixed(a.x, b.x), mixed(a.y, b.y), mixed(a.z, b.z), 255);
}

// Squared differences of an 8 x 8 block and its place in a second image, for each of 81 offsets:
// the search for motion. One warp per block of pixels; lanes share the offsets.
__global__ void block_search(unsigned* best, const unsigned char* in, const unsigned char* before,
                             int width, int height) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int across = width / 8;
  if (warp >= across * (height / 8)) return;
  const int left = warp % across * 8;
  const int top = warp / across * 8;
  unsigned least = ~0U;
  for (int offset = threadIdx.x % 32; offset < 81; offset += 32) {
    const int u = min(max(left + offset % 9 - 4, 0), width - 8);
    const int v = min(max(top + offset / 9 - 4, 0), height - 8);
    unsigned sum = 0;
    for (int b = 0; b < 8; ++b) {
      for (int a = 0; a < 8; ++a) {
        const int d = in[(top + b) * width + left + a] - before[(v + b) * width + u + a];
        sum += d * d;
      }
    }
    least = min(least, sum << 7 | offset);
  }
  for (int step = 16; step > 0; step /= 2) {
    least = min(least, __shfl_xor_sync(~0U, least, step));
  }
  if (threadIdx.x % 32 == 0) best[warp] = least;
}
