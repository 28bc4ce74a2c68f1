// SPDX-License-Identifier: Apache-2.0
// Images and grids: separable convolution, Sobel, median, bilateral, 3D stencils, life, distance.
//
// launch: convolution_rows grid 4,2 block 16,4
// launch: convolution_columns grid 4,2 block 16,4
// launch: sobel grid 4,4 block 8,8
// launch: median_3x3 grid 2,8 block 16,4
// launch: bilateral grid 4,4 block 8,8
// launch: stencil_3d_queue grid 2,2 block 8,8
// launch: heat_ping_pong grid 1 block 32,16
// launch: life_ballot grid 1 block 32,32
// launch: box_filter grid 1 block 64
// launch: dilate_shared grid 2,2 block 20,20
// launch: gray_and_gamma grid 8 block 128
// launch: bilinear_scale grid 4,4 block 8,8
// launch: convolution_3d grid 2,2,2 block 4,4,4
// launch: summed_area grid 1 block 32
#define RADIUS 4
#define W 64

__constant__ float kernel_weights[2 * RADIUS + 1] = {0.05f, 0.09f, 0.12f, 0.15f, 0.18f,
                                                     0.15f, 0.12f, 0.09f, 0.05f};
__device__ float pixel(const unsigned* in, int y, int x) {
  return static_cast<float>(in[(y & 31) * W + (x & (W - 1))] >> 24);
}
extern "C" __global__ void convolution_rows(unsigned* out, const unsigned* in) {
  __shared__ float s[4][16 + 2 * RADIUS];
  const int x0 = blockIdx.x * 16, y = blockIdx.y * 4 + threadIdx.y;
  for (int i = threadIdx.x; i < 16 + 2 * RADIUS; i += 16) {
    const int x = x0 + i - RADIUS;
    s[threadIdx.y][i] = x >= 0 && x < W ? pixel(in, y, x) : 0;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = -RADIUS; j <= RADIUS; j++)
    sum += kernel_weights[RADIUS - j] * s[threadIdx.y][threadIdx.x + RADIUS + j];
  out[y * W + x0 + threadIdx.x] = __float_as_uint(sum);
}
extern "C" __global__ void convolution_columns(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  float sum = 0;
  for (int j = -RADIUS; j <= RADIUS; j++) {
    const int at = min(max(y + j, 0), 7);
    sum += kernel_weights[RADIUS - j] * pixel(in, at, x);
  }
  out[y * W + x] = __float_as_uint(sum);
}
extern "C" __global__ void sobel(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x > 30 || y > 30) return;
  const int gx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  int h = 0, v = 0;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j) {
      const int p = static_cast<int>(pixel(in, y + i, x + j));
      h += p * gx[i + 1][j + 1];
      v += p * gx[j + 1][i + 1];
    }
  const float magnitude = sqrtf(static_cast<float>(h * h + v * v));
  out[y * 32 + x] = static_cast<unsigned char>(magnitude > 255 ? 255 : magnitude) |
                    __float_as_uint(atan2f(static_cast<float>(v), static_cast<float>(h))) << 8;
}
#define ORDER(a, b)                  \
  {                                  \
    const int low = min(w[a], w[b]); \
    w[b] = max(w[a], w[b]);          \
    w[a] = low;                      \
  }
extern "C" __global__ void median_3x3(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  int w[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) w[k] = static_cast<int>(pixel(in, y + k / 3, x + k % 3));
  ORDER(1, 2)
  ORDER(4, 5)
  ORDER(7, 8) ORDER(0, 1) ORDER(3, 4) ORDER(6, 7) ORDER(1, 2) ORDER(4, 5) ORDER(7, 8) ORDER(0, 3)
      ORDER(5, 8) ORDER(4, 7) ORDER(3, 6) ORDER(1, 4) ORDER(2, 5) ORDER(4, 7) ORDER(4, 2)
          ORDER(6, 4) ORDER(4, 2) out[y * 32 + x] = static_cast<unsigned>(w[4]);
}
extern "C" __global__ void bilateral(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const float center = pixel(in, y, x);
  float sum = 0, weights = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const float p = pixel(in, y + dy, x + dx), d = (p - center) * 0.05f;
      const float weight = 1 / (1 + d * d + dx * dx + dy * dy);
      sum += weight * p;
      weights += weight;
    }
  out[y * 32 + x] = __float_as_uint(sum / weights);
}
// 16 x 16 x 16; registers hold the neighbours in z.
extern "C" __global__ void stencil_3d_queue(unsigned* out, const unsigned* in) {
  __shared__ float plane[10][10];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const auto at = [&](int xx, int yy, int zz) {
    return xx < 0 || yy < 0 || zz < 0 || xx > 15 || yy > 15 || zz > 15
               ? 0.0f
               : static_cast<float>(in[zz * 256 + yy * 16 + xx] >> 16);
  };
  float behind = 0, current = at(x, y, 0), front = at(x, y, 1);
  for (int z = 0; z < 16; ++z) {
    plane[ty][tx] = current;
    if (tx == 1) plane[ty][0] = at(x - 1, y, z);
    if (tx == 8) plane[ty][9] = at(x + 1, y, z);
    if (ty == 1) plane[0][tx] = at(x, y - 1, z);
    if (ty == 8) plane[9][tx] = at(x, y + 1, z);
    __syncthreads();
    const float result = -6 * current + behind + front + plane[ty][tx - 1] + plane[ty][tx + 1] +
                         plane[ty - 1][tx] + plane[ty + 1][tx];
    if (z % 4 == 1) out[z / 4 * 256 + y * 16 + x] = __float_as_uint(result);
    __syncthreads();
    behind = current;
    current = front;
    front = at(x, y, z + 2);
  }
}
extern "C" __global__ void heat_ping_pong(unsigned* out, const unsigned* in) {
  __shared__ double t[2][16][32];
  const int x = threadIdx.x, y = threadIdx.y;
  t[0][y][x] = in[y * 32 + x] >> 20;
  __syncthreads();
#pragma unroll 1
  for (int step = 0; step < 9; ++step) {
    const auto& old = t[step % 2];
    const double up = old[max(y - 1, 0)][x], down = old[min(y + 1, 15)][x];
    const double left = old[y][max(x - 1, 0)], right = old[y][min(x + 1, 31)];
    t[(step + 1) % 2][y][x] = old[y][x] + 0.2 * (up + down + left + right - 4 * old[y][x]);
    __syncthreads();
  }
  reinterpret_cast<double*>(out)[y * 32 + x] = t[1][y][x];
}
extern "C" __global__ void life_ballot(unsigned* out, const unsigned* in) {
  __shared__ unsigned rows[32];
  const int x = threadIdx.x, y = threadIdx.y;
  if (x == 0) rows[y] = in[y];
  __syncthreads();
  for (int generation = 0; generation < 16; ++generation) {
    int count = 0;
    for (int dy = -1; dy <= 1; ++dy) {
      const unsigned row = rows[(y + dy) & 31];
      count += __popc(__funnelshift_r(row, row, x - 1) & (dy ? 7 : 5));
    }
    const bool alive = rows[y] >> x & 1;
    const unsigned next = __ballot_sync(0xffffffffu, count == 3 || (alive && count == 2));
    __syncthreads();
    if (x == 0) rows[y] = next;
    __syncthreads();
  }
  if (y == 0) out[x] = rows[x];
}
extern "C" __global__ void box_filter(unsigned* out, const unsigned* in) {
  const int x = threadIdx.x;
  unsigned sum = 0;
  for (int y = 0; y < 5; ++y) sum += in[y * W + x] & 0xffff;
  for (int y = 0; y < 16; ++y) {
    out[y * W + x] = sum / 5;
    sum += (in[(y + 5) * W + x] & 0xffff) - (in[y * W + x] & 0xffff);
  }
}
// Threads of the halo only load; the others compute.
extern "C" __global__ void dilate_shared(unsigned* out, const unsigned* in) {
  __shared__ unsigned char tile[20][20];
  const int x = static_cast<int>(blockIdx.x * 16 + threadIdx.x) - 2;
  const int y = static_cast<int>(blockIdx.y * 16 + threadIdx.y) - 2;
  tile[threadIdx.y][threadIdx.x] = x >= 0 && y >= 0 && x < 32 && y < 32 ? in[y * 32 + x] : 0;
  __syncthreads();
  if (threadIdx.x < 2 || threadIdx.y < 2 || threadIdx.x >= 18 || threadIdx.y >= 18) return;
  unsigned char largest = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      largest = max(largest, tile[threadIdx.y + dy][threadIdx.x + dx]);
  out[y * 32 + x] = largest;
}
extern "C" __global__ void gray_and_gamma(unsigned* out, const unsigned* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar4 rgba = reinterpret_cast<const uchar4*>(in)[i];
  const unsigned char gray = 0.21f * rgba.x + 0.71f * rgba.y + 0.07f * rgba.z;
  uchar4 result = make_uchar4(gray, 255 - gray, rgba.w / 2, gray > 127 ? 255 : 0);
  result.z += __float2int_rn(sqrtf(gray / 255.0f) * 100);
  reinterpret_cast<uchar4*>(out)[i] = result;
}
extern "C" __global__ void bilinear_scale(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const float fx = x * 0.37f, fy = y * 0.61f;
  const int ix = static_cast<int>(floorf(fx)), iy = __float2int_rd(fy);
  const float ax = fx - ix, ay = fy - truncf(fy);
  const float top = (1 - ax) * pixel(in, iy, ix) + ax * pixel(in, iy, ix + 1);
  const float bottom = (1 - ax) * pixel(in, iy + 1, ix) + ax * pixel(in, iy + 1, ix + 1);
  out[y * 32 + x] = __float_as_uint(top + ay * (bottom - top));
}
__constant__ float mask_3d[3][3][3] = {{{.1f, .2f, .1f}, {.2f, .3f, .2f}, {.1f, .2f, .1f}},
                                       {{.2f, .3f, .2f}, {.3f, .9f, .3f}, {.2f, .3f, .2f}},
                                       {{.1f, .2f, .1f}, {.2f, .3f, .2f}, {.1f, .2f, .1f}}};
extern "C" __global__ void convolution_3d(unsigned* out, const unsigned* in) {
  __shared__ float tile[6][6][6];
  const int size = 8;
  const int t = (threadIdx.z * 4 + threadIdx.y) * 4 + threadIdx.x;
  for (int e = t; e < 216; e += 64) {
    const int z = static_cast<int>(blockIdx.z) * 4 + e / 36 - 1;
    const int y = static_cast<int>(blockIdx.y) * 4 + e / 6 % 6 - 1;
    const int x = static_cast<int>(blockIdx.x) * 4 + e % 6 - 1;
    const bool inside = x >= 0 && y >= 0 && z >= 0 && x < size && y < size && z < size;
    (&tile[0][0][0])[e] = inside ? in[(z * size + y) * size + x] % 10 : 0.f;
  }
  __syncthreads();
  float sum = 0;
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x)
        sum += mask_3d[z][y][x] * tile[threadIdx.z + z][threadIdx.y + y][threadIdx.x + x];
  const int z = blockIdx.z * 4 + threadIdx.z, y = blockIdx.y * 4 + threadIdx.y;
  out[(z * size + y) * size + blockIdx.x * 4 + threadIdx.x] = __float_as_uint(sum);
}
extern "C" __global__ void summed_area(unsigned* out, const unsigned* in) {
  __shared__ unsigned a[32][33];
  const int t = threadIdx.x;
  for (int y = 0; y < 32; ++y) {
    unsigned v = in[y * 32 + t] & 0xff;
    for (int d = 1; d < 32; d *= 2) {
      const unsigned left = __shfl_up_sync(0xffffffff, v, d);
      v += t >= d ? left : 0;
    }
    a[y][t] = v;
  }
  __syncwarp();
  for (int x = 1; x < 32; ++x) a[x][t] += a[x - 1][t];
  for (int y = 0; y < 32; ++y) out[y * 32 + t] = a[y][t];
}
