// SPDX-License-Identifier: Apache-2.0
// Layers of convolutional networks: direct convolutions (all channels, depthwise, 1 x 1), im2col,
// pooling, upsampling, and conversions between NCHW and NHWC. Padding keeps the size of an image.
#include <cuda_fp16.h>

// NCHW, 3 x 3: a thread per output, all input channels in a loop.
__global__ void conv_3x3_direct(float* out, const float* in, const float* weights, int channels,
                                int filters, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int filter = blockIdx.z % filters;
  const int image = blockIdx.z / filters;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int channel = 0; channel < channels; ++channel) {
    const float* from = in + (image * channels + channel) * height * width;
    const float* w = weights + (filter * channels + channel) * 9;
    for (int b = 0; b < 3; ++b) {
      for (int a = 0; a < 3; ++a) {
        const int row = y + b - 1;
        const int column = x + a - 1;
        if (row >= 0 && row < height && column >= 0 && column < width) {
          sum += w[b * 3 + a] * from[row * width + column];
        }
      }
    }
  }
  out[((image * filters + filter) * height + y) * width + x] = sum;
}

// The same with eight filters per thread, a tile of the input and their weights in shared memory.
// Blocks of 16 x 16 threads; filters is a multiple of 8.
__global__ void conv_3x3_tiled(float* out, const float* in, const float* weights, int channels,
                               int filters, int height, int width) {
  __shared__ float tile[18][19];
  __shared__ float w[8][9];
  const int left = blockIdx.x * 16;
  const int top = blockIdx.y * 16;
  const int filter = blockIdx.z % (filters / 8) * 8;
  const int image = blockIdx.z / (filters / 8);
  const int thread = threadIdx.y * 16 + threadIdx.x;
  float sum[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int channel = 0; channel < channels; ++channel) {
    const float* from = in + (image * channels + channel) * height * width;
    for (int k = thread; k < 18 * 18; k += 256) {
      const int row = top + k / 18 - 1;
      const int column = left + k % 18 - 1;
      const bool inside = row >= 0 && row < height && column >= 0 && column < width;
      tile[k / 18][k % 18] = inside ? from[row * width + column] : 0;
    }
    if (thread < 72) {
      w[thread / 9][thread % 9] =
          weights[((filter + thread / 9) * channels + channel) * 9 + thread % 9];
    }
    __syncthreads();
#pragma unroll
    for (int b = 0; b < 3; ++b) {
#pragma unroll
      for (int a = 0; a < 3; ++a) {
        const float v = tile[threadIdx.y + b][threadIdx.x + a];
#pragma unroll
        for (int f = 0; f < 8; ++f) sum[f] += w[f][b * 3 + a] * v;
      }
    }
    __syncthreads();
  }
  const int x = left + threadIdx.x;
  const int y = top + threadIdx.y;
  if (x >= width || y >= height) return;
#pragma unroll
  for (int f = 0; f < 8; ++f) {
    out[((image * filters + filter + f) * height + y) * width + x] = fmaxf(sum[f], 0);
  }
}

// The first layer of many networks: 7 x 7 with stride 2 on three channels, weights read from a
// buffer by all threads.
__global__ void conv_7x7_stride_2(float* out, const float* in, const float* weights, int filters,
                                  int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int filter = blockIdx.z;
  if (x >= width / 2 || y >= height / 2) return;
  float sum = 0;
  for (int channel = 0; channel < 3; ++channel) {
    for (int b = 0; b < 7; ++b) {
      const int row = 2 * y + b - 3;
      if (row < 0 || row >= height) continue;
      for (int a = 0; a < 7; ++a) {
        const int column = 2 * x + a - 3;
        if (column < 0 || column >= width) continue;
        sum += weights[(filter * 3 + channel) * 49 + b * 7 + a] *
               in[(channel * height + row) * width + column];
      }
    }
  }
  out[(filter * (height / 2) + y) * (width / 2) + x] = sum;
}

// Each channel has its own 3 x 3 filter, NCHW; blockIdx.y counts images and channels.
__global__ void depthwise_nchw(float* out, const float* in, const float* weights, int channels,
                               int height, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= height * width) return;
  const int x = i % width;
  const int y = i / width;
  const float* w = weights + blockIdx.y % channels * 9;
  const float* from = in + static_cast<size_t>(blockIdx.y) * height * width;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    const int row = y + k / 3 - 1;
    const int column = x + k % 3 - 1;
    if (row >= 0 && row < height && column >= 0 && column < width) {
      sum += w[k] * from[row * width + column];
    }
  }
  out[static_cast<size_t>(blockIdx.y) * height * width + i] = sum;
}

// The same in NHWC: lanes have consecutive channels.
__global__ void depthwise_nhwc(float* out, const float* in, const float* weights, int channels,
                               int height, int width) {
  const int channel = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = blockIdx.y * blockDim.y + threadIdx.y;
  const int row_of = blockIdx.z;
  if (channel >= channels || x >= width) return;
  const int y = row_of % height;
  const size_t image = static_cast<size_t>(row_of / height) * height;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    const int row = y + k / 3 - 1;
    const int column = x + k % 3 - 1;
    if (row >= 0 && row < height && column >= 0 && column < width) {
      sum += weights[k * channels + channel] *
             in[((image + row) * width + column) * channels + channel];
    }
  }
  out[((image + y) * width + x) * channels + channel] = sum;
}

// 1 x 1: a thread per pixel with eight filters; weights in dynamic shared memory.
__global__ void conv_1x1(float* out, const float* in, const float* weights, int channels,
                         int filters, int pixels) {
  extern __shared__ float w[];
  const int filter = blockIdx.y * 8;
  for (int k = threadIdx.x; k < 8 * channels; k += blockDim.x) {
    w[k % 8 * channels + k / 8] = weights[(filter + k % 8) * channels + k / 8];
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const float* from = in + static_cast<size_t>(blockIdx.z) * channels * pixels;
  float* to = out + static_cast<size_t>(blockIdx.z) * filters * pixels;
  float sum[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int channel = 0; channel < channels; ++channel) {
    const float v = from[static_cast<size_t>(channel) * pixels + i];
#pragma unroll
    for (int f = 0; f < 8; ++f) sum[f] += w[f * channels + channel] * v;
  }
#pragma unroll
  for (int f = 0; f < 8; ++f) to[static_cast<size_t>(filter + f) * pixels + i] = sum[f];
}

// Rows of 3 x 3 windows: out is [channels * 9][height * width], one thread per channel and pixel.
__global__ void im2col(float* out, const float* in, int channels, int height, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int pixels = height * width;
  if (i >= channels * pixels) return;
  const int channel = i / pixels;
  const int y = i % pixels / width;
  const int x = i % width;
  float* to = out + static_cast<size_t>(channel) * 9 * pixels + y * width + x;
  for (int k = 0; k < 9; ++k) {
    const int row = y + k / 3 - 1;
    const int column = x + k % 3 - 1;
    const bool inside = row >= 0 && row < height && column >= 0 && column < width;
    to[static_cast<size_t>(k) * pixels] =
        inside ? in[(channel * height + row) * width + column] : 0;
  }
}

// The reverse: each pixel adds up to nine values. width and height as above.
__global__ void col2im(float* out, const float* in, int channels, int height, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int pixels = height * width;
  if (i >= channels * pixels) return;
  const int channel = i / pixels;
  const int y = i % pixels / width;
  const int x = i % width;
  float sum = 0;
  for (int k = 0; k < 9; ++k) {
    const int row = y - k / 3 + 1;
    const int column = x - k % 3 + 1;
    if (row < 0 || row >= height || column < 0 || column >= width) continue;
    sum += in[(static_cast<size_t>(channel) * 9 + k) * pixels + row * width + column];
  }
  out[i] = sum;
}

// Largest of Window x Window values with stride Stride, and its place, as training needs it.
template <int Window, int Stride>
__global__ void max_pool(float* out, int* places, const float* in, int planes, int height,
                         int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int out_height = (height - Window) / Stride + 1;
  const int out_width = (width - Window) / Stride + 1;
  if (i >= planes * out_height * out_width) return;
  const int x = i % out_width * Stride;
  const int y = i / out_width % out_height * Stride;
  const float* from = in + static_cast<size_t>(i / (out_width * out_height)) * height * width;
  float most = -3e38F;
  int place = 0;
  for (int b = 0; b < Window; ++b) {
    for (int a = 0; a < Window; ++a) {
      const int at = (y + b) * width + x + a;
      if (from[at] > most) {
        most = from[at];
        place = at;
      }
    }
  }
  out[i] = most;
  places[i] = place;
}

// NHWC halves, 2 x 2, two channels per thread.
__global__ void average_pool_nhwc(__half2* out, const __half2* in, int n, int out_width,
                                  int channels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int pairs = channels / 2;
  const int pair = i % pairs;
  const int x = i / pairs % out_width;
  const size_t row = i / pairs / out_width;
  const __half2* from = in + (2 * row * 2 * out_width + 2 * x) * pairs + pair;
  const __half2 above = __hadd2(from[0], from[pairs]);
  const __half2 below = __hadd2(from[2 * out_width * pairs], from[(2 * out_width + 1) * pairs]);
  out[i] = __hmul2(__hadd2(above, below), __float2half2_rn(0.25F));
}

// The mean of each plane, one warp per plane.
__global__ void global_pool(float* out, const float* in, int planes, int pixels) {
  const int plane = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (plane >= planes) return;
  float sum = 0;
  for (int k = threadIdx.x % 32; k < pixels; k += 32) {
    sum += in[static_cast<size_t>(plane) * pixels + k];
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0U, sum, step);
  if (threadIdx.x % 32 == 0) out[plane] = sum / pixels;
}

// The gradient of max pooling with stride 2: adds each value at its (masked) place by atomics.
__global__ void max_pool_gradient(float* out, const float* gradient, const unsigned* places, int n,
                                  int out_width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int x = i % out_width * 2 + (places[i] & 1);
  const int y = i / out_width * 2 + (places[i] >> 1 & 1);
  atomicAdd(&out[static_cast<size_t>(y) * 2 * out_width + x], gradient[i]);
}

// Nearest upsampling by 2, a thread per output.
__global__ void upsample(float* out, const float* in, int n, int out_width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int x = i % out_width;
  const int y = i / out_width;
  out[i] = in[y / 2 * (out_width / 2) + x / 2];
}

// Indices by division; lanes write consecutive channels and read far apart.
__global__ void nchw_to_nhwc_direct(float* out, const float* in, int n, int channels, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int channel = i % channels;
  const int pixel = i / channels % pixels;
  const int image = i / channels / pixels;
  out[i] = in[(image * channels + channel) * pixels + pixel];
}

// Through a tile of 32 channels by 32 pixels, 32 x 8 threads; blockIdx.z is the image.
__global__ void nchw_to_nhwc_tiled(float* out, const float* in, int channels, int pixels) {
  __shared__ float tile[32][33];
  const size_t image = static_cast<size_t>(blockIdx.z) * channels * pixels;
  const int pixel = blockIdx.x * 32;
  const int channel = blockIdx.y * 32;
  for (int k = threadIdx.y; k < 32; k += 8) {
    if (channel + k < channels && pixel + threadIdx.x < pixels) {
      tile[k][threadIdx.x] = in[image + (channel + k) * pixels + pixel + threadIdx.x];
    }
  }
  __syncthreads();
  for (int k = threadIdx.y; k < 32; k += 8) {
    if (pixel + k < pixels && channel + threadIdx.x < channels) {
      out[image + (pixel + k) * channels + channel + threadIdx.x] = tile[threadIdx.x][k];
    }
  }
}

// Bytes of three channels (NHWC) to normalised float planes, as a network's input is prepared.
__global__ void prepare_image(float* out, const unsigned char* in, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const size_t image = static_cast<size_t>(blockIdx.y) * 3 * pixels;
  const float means[3] = {0.485F, 0.456F, 0.406F};
  const float scales[3] = {4.367F, 4.464F, 4.444F};
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    out[image + c * pixels + i] = (in[image + 3 * i + c] / 255.0F - means[c]) * scales[c];
  }
}
