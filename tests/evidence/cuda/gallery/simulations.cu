// SPDX-License-Identifier: Apache-2.0
// Numerical work: random numbers, Monte Carlo, options, transforms, fractals, dynamic programming.
// One file of more than 400 lines, so that the compiler runs only once.
//
// launch: pcg_and_xorshift grid 4 block 64
// launch: philox_by_hand grid 4 block 64
// launch: mersenne_twister_block grid 1 block 128
// launch: monte_carlo_pi grid 4 block 64
// launch: black_scholes_near grid 4 block 64
// launch: binomial_option grid 4 block 64
// launch: fft_radix2 grid 4 block 64
// launch: fft_double grid 2 block 32
// launch: dct_8x8 grid 2,2 block 8,8
// launch: walsh_hadamard grid 2 block 128
// launch: haar_wavelet grid 2 block 128
// launch: mandelbrot_double grid 4,4 block 8,8
// launch: julia_float grid 4,4 block 8,8
// launch: n_body_symplectic grid 1 block 64
// launch: runge_kutta grid 2 block 64
// launch: levenshtein grid 8 block 32
// launch: longest_common_subsequence grid 1 block 64
// launch: knapsack grid 1 block 128
// launch: n_queens grid 1 block 8
// launch: sieve grid 1 block 256
// launch: collatz_and_digits grid 4 block 128
// launch: string_search grid 1 block 256
// launch: k_means grid 1 block 128
// launch: nearest_neighbours grid 2 block 64
// launch: perceptron grid 1 block 64
// launch: ray_sphere grid 4,4 block 8,8
// launch: simulated_annealing grid 1 block 64
// launch: polynomial_and_newton grid 4 block 64

extern "C" __global__ void pcg_and_xorshift(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  unsigned long long state = in[i] * 6364136223846793005ull + 1442695040888963407ull, x = state | 1;
  unsigned r = 0;
  for (int k = 0; k < 8; ++k) {
    const unsigned shifted = static_cast<unsigned>(((state >> 18) ^ state) >> 27),
                   by = static_cast<unsigned>(state >> 59);
    r = r * 3 + (shifted >> by | shifted << (-by & 31));
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    r ^= static_cast<unsigned>(x * 2685821657736338717ull >> 32);
  }
  out[i] = r;
}
__device__ uint4 philox(uint4 c, uint2 k) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
    const unsigned h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
    c = make_uint4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  return c;
}
extern "C" __global__ void philox_by_hand(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  reinterpret_cast<uint4*>(out)[i] = philox(make_uint4(i, in[i], 0, 7), make_uint2(in[0], 42));
}
extern "C" __global__ void mersenne_twister_block(unsigned* out, const unsigned* in) {
  __shared__ unsigned state[624];
  if (threadIdx.x == 0) {
    state[0] = in[0];
    for (unsigned k = 1; k < 624; ++k)
      state[k] = 1812433253u * (state[k - 1] ^ state[k - 1] >> 30) + k;
  }
  for (int first = 0; first < 624; first += 128) {
    const int k = first + static_cast<int>(threadIdx.x);
    __syncthreads();
    unsigned next = 0;
    if (k < 624) {
      const unsigned y = (state[k] & 0x80000000u) | (state[(k + 1) % 624] & 0x7fffffffu);
      next = state[(k + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    __syncthreads();
    if (k < 624) state[k] = next;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 624; k += 128) {
    unsigned y = state[k];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    out[k] = y ^ y >> 18;
  }
}
__device__ float uniform(unsigned& s) {
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  return s * 2.3283064365386963e-10f;
}
extern "C" __global__ void monte_carlo_pi(unsigned* out, const unsigned* in) {
  __shared__ unsigned total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  unsigned s = in[blockIdx.x * 64 + threadIdx.x] | 1, hits = 0;
  for (int k = 0; k < 200; ++k) {
    const float x = uniform(s), y = uniform(s);
    if (x * x + y * y <= 1.0f) hits++;
  }
  atomicAdd(&total, hits);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = total + hits * 65536;
}
template <typename T>
__device__ T cumulative(T d) {
  const T a1 = T(0.31938153), a2 = T(-0.356563782), a3 = T(1.781477937), a4 = T(-1.821255978),
          a5 = T(1.330274429);
  const T k = T(1) / (T(1) + T(0.2316419) * fabs(d));
  const T c = T(0.39894228040143267794) * exp(T(-0.5) * d * d) *
              (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
  return d > 0 ? T(1) - c : c;
}
template <typename T>
__device__ T call_price(T s, T x, T t, T r, T v) {
  const T root = sqrt(t);
  const T d1 = (log(s / x) + (r + T(0.5) * v * v) * t) / (v * root), d2 = d1 - v * root;
  return s * cumulative(d1) - x * exp(-r * t) * cumulative(d2);
}
extern "C" __global__ void black_scholes_near(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const float s = 5 + (in[i] & 0xff) * 0.1f, x = 1 + (in[i] >> 8 & 0xff) * 0.1f,
              t = 0.25f + (in[i] >> 16 & 0xff) * 0.01f;
  const double exact = call_price<double>(s, x, t, 0.02, 0.3);
  const float single = call_price<float>(s, x, t, 0.02f, 0.3f);
  out[2 * i] = static_cast<unsigned>(__double_as_longlong(exact) >> 12);
  out[2 * i + 1] = fabs(single - exact) < 1e-4;
}
extern "C" __global__ void binomial_option(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  float value[33];
  const float price = 50 + (in[i] & 63), up = 1.02f, down = 1 / up;
  for (int k = 0; k <= 32; ++k) {
    float at = price;
    for (int j = 0; j < k; ++j) at *= up;
    for (int j = k; j < 32; ++j) at *= down;
    value[k] = fmaxf(at - 70, 0);
  }
  for (int step = 32; step > 0; --step)
    for (int k = 0; k < step; ++k) value[k] = 0.999f * (0.51f * value[k + 1] + 0.49f * value[k]);
  out[i] = __float_as_uint(value[0]);
}
extern "C" __global__ void fft_radix2(unsigned* out, const unsigned* in) {
  __shared__ float2 a[128];
  const unsigned t = threadIdx.x;
  for (unsigned k = t; k < 128; k += 64)
    a[__brev(k) >> 25] = make_float2(in[blockIdx.x * 128 + k] * 0x1p-32f, 0);
  for (unsigned half = 1; half < 128; half <<= 1) {
    __syncthreads();
    const unsigned j = t & (half - 1), low = (t - j) * 2 + j;
    float s, c;
    sincospif(-static_cast<float>(j) / half, &s, &c);
    const float2 u = a[low], v = a[low + half];
    const float2 w = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
    a[low] = make_float2(u.x + w.x, u.y + w.y);
    a[low + half] = make_float2(u.x - w.x, u.y - w.y);
  }
  __syncthreads();
  for (unsigned k = t; k < 128; k += 64)
    reinterpret_cast<float2*>(out)[blockIdx.x * 128 + k] = a[k];
}
extern "C" __global__ void fft_double(unsigned* out, const unsigned* in) {
  // Stockham: no bit reversal; twiddles by sincos.
  __shared__ double2 a[2][64];
  const int t = static_cast<int>(threadIdx.x);
  a[0][t] = make_double2(in[blockIdx.x * 64 + t], 0);
  a[0][t + 32] = make_double2(in[blockIdx.x * 64 + t + 32], 1);
  int from = 0;
  for (int n = 64, stride = 1; n > 1; n /= 2, stride *= 2) {
    __syncwarp();
    const int half = n / 2, p = t / stride, q = t % stride;
    double s, c;
    sincos(-2 * 3.14159265358979323846 * p / n, &s, &c);
    const double2 x = a[from][q + stride * p], y = a[from][q + stride * (p + half)];
    const double2 d = make_double2(x.x - y.x, x.y - y.y);
    a[from ^ 1][q + stride * 2 * p] = make_double2(x.x + y.x, x.y + y.y);
    a[from ^ 1][q + stride * (2 * p + 1)] = make_double2(d.x * c - d.y * s, d.x * s + d.y * c);
    from ^= 1;
  }
  __syncwarp();
  for (int k = t; k < 64; k += 32)
    reinterpret_cast<double2*>(out)[blockIdx.x * 64 + k] = a[from][k];
}
__constant__ float dct_rows[8][8] = {{0.35355338f, 0.35355338f, 0.35355338f, 0.35355338f,
                                      0.35355338f, 0.35355338f, 0.35355338f, 0.35355338f},
                                     {0.49039263f, 0.41573480f, 0.27778511f, 0.09754516f,
                                      -0.09754516f, -0.27778511f, -0.41573480f, -0.49039263f},
                                     {0.46193975f, 0.19134171f, -0.19134171f, -0.46193975f,
                                      -0.46193975f, -0.19134171f, 0.19134171f, 0.46193975f},
                                     {0.41573480f, -0.09754516f, -0.49039263f, -0.27778511f,
                                      0.27778511f, 0.49039263f, 0.09754516f, -0.41573480f},
                                     {0.35355338f, -0.35355338f, -0.35355338f, 0.35355338f,
                                      0.35355338f, -0.35355338f, -0.35355338f, 0.35355338f},
                                     {0.27778511f, -0.49039263f, 0.09754516f, 0.41573480f,
                                      -0.41573480f, -0.09754516f, 0.49039263f, -0.27778511f},
                                     {0.19134171f, -0.46193975f, 0.46193975f, -0.19134171f,
                                      -0.19134171f, 0.46193975f, -0.46193975f, 0.19134171f},
                                     {0.09754516f, -0.27778511f, 0.41573480f, -0.49039263f,
                                      0.49039263f, -0.41573480f, 0.27778511f, -0.09754516f}};
extern "C" __global__ void dct_8x8(unsigned* out, const unsigned* in) {
  __shared__ float block[8][9], half[8][9];
  const int x = threadIdx.x, y = threadIdx.y, base = (blockIdx.y * 8 + y) * 16 + blockIdx.x * 8 + x;
  block[y][x] = static_cast<float>(in[base] & 255) - 128;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += dct_rows[y][k] * block[k][x];
  half[y][x] = sum;
  __syncthreads();
  sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += half[y][k] * dct_rows[x][k];
  out[base] = static_cast<unsigned>(__float2int_rn(sum / (1 + x + y))) ^ __float_as_uint(sum);
}
extern "C" __global__ void walsh_hadamard(unsigned* out, const unsigned* in) {
  __shared__ int a[256];
  for (unsigned k = threadIdx.x; k < 256; k += 128)
    a[k] = static_cast<int>(in[blockIdx.x * 256 + k] & 0xfff);
  for (unsigned stride = 128; stride > 0; stride >>= 1) {
    __syncthreads();
    const unsigned low = threadIdx.x & (stride - 1), i = 2 * threadIdx.x - low;
    const int x = a[i], y = a[i + stride];
    a[i] = x + y;
    a[i + stride] = x - y;
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < 256; k += 128)
    out[blockIdx.x * 256 + k] = static_cast<unsigned>(a[k]);
}
extern "C" __global__ void haar_wavelet(unsigned* out, const unsigned* in) {
  __shared__ float a[256];
  const unsigned t = threadIdx.x;
  a[t] = in[blockIdx.x * 256 + t] >> 12;
  a[t + 128] = in[blockIdx.x * 256 + t + 128] >> 12;
  for (unsigned n = 128; n > 0; n /= 2) {
    __syncthreads();
    float sum = 0, difference = 0;
    if (t < n)
      sum = (a[2 * t] + a[2 * t + 1]) * 0.70710678f,
      difference = (a[2 * t] - a[2 * t + 1]) * 0.70710678f;
    __syncthreads();
    if (t < n) a[t] = sum, a[n + t] = difference;
  }
  __syncthreads();
  out[blockIdx.x * 256 + t] = __float_as_uint(a[t]);
  out[blockIdx.x * 256 + t + 128] = __float_as_uint(a[t + 128]);
}
template <typename T>
__device__ unsigned escape(T cx, T cy, T x, T y) {
  unsigned n = 0;
  for (; n < 200 && x * x + y * y < T(4); ++n) {
    const T next = x * x - y * y + cx;
    y = T(2) * x * y + cy;
    x = next;
  }
  return n;
}
extern "C" __global__ void mandelbrot_double(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[y * 32 + x] = escape<double>(-0.75 + x * 1e-4 + in[0] * 0, 0.1 + y * 1e-4, 0, 0);
}
extern "C" __global__ void julia_float(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[y * 32 + x] = escape<float>(-0.8f, 0.156f, 1.5f * (x - 16) / 16 + in[1] * 0, (y - 16) / 16.f);
}
struct Body {
  double3 p, v;
};
extern "C" __global__ void n_body_symplectic(unsigned* out, const unsigned* in) {
  __shared__ Body bodies[16];
  const unsigned t = threadIdx.x;
  if (t < 16) {
    bodies[t].p =
        make_double3((in[t] & 255) * 0.1, (in[t] >> 8 & 255) * 0.1, (in[t] >> 16 & 255) * 0.1);
    bodies[t].v = make_double3(0, 0, 0);
  }
  __syncthreads();
  for (int step = 0; step < 6; ++step) {
    if (t < 16) {
      double3 a = {0, 0, 0};
      for (unsigned k = 0; k < 16; ++k) {
        if (k == t) continue;
        const double dx = bodies[k].p.x - bodies[t].p.x, dy = bodies[k].p.y - bodies[t].p.y,
                     dz = bodies[k].p.z - bodies[t].p.z;
        const double d = dx * dx + dy * dy + dz * dz + 0.5, w = 1 / (d * sqrt(d));
        a.x += dx * w, a.y += dy * w, a.z += dz * w;
      }
      bodies[t].v.x += 0.1 * a.x, bodies[t].v.y += 0.1 * a.y, bodies[t].v.z += 0.1 * a.z;
    }
    __syncthreads();
    if (t < 16)
      bodies[t].p.x += 0.1 * bodies[t].v.x, bodies[t].p.y += 0.1 * bodies[t].v.y,
          bodies[t].p.z += 0.1 * bodies[t].v.z;
    __syncthreads();
  }
  const double* words = &bodies[0].p.x;
  for (unsigned k = t; k < 96; k += 64) reinterpret_cast<double*>(out)[k] = words[k];
}
template <typename F>
__device__ float rk4(F f, float t, float y, float h) {
  const float a = f(t, y), b = f(t + h / 2, y + h / 2 * a), c = f(t + h / 2, y + h / 2 * b),
              d = f(t + h, y + h * c);
  return y + h / 6 * (a + 2 * b + 2 * c + d);
}
extern "C" __global__ void runge_kutta(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  float y = 1, k = (in[i] & 255) * 0.01f;
  for (int step = 0; step < 50; ++step)
    y = rk4([=](float t, float v) { return k * v * (1 - v / 3) + t * 0.1f; }, step * 0.02f, y,
            0.02f);
  out[i] = __float_as_uint(y);
}
// One lane per column; each iteration computes an antidiagonal.
extern "C" __global__ void levenshtein(unsigned* out, const unsigned* in) {
  const unsigned char* a = reinterpret_cast<const unsigned char*>(in) + blockIdx.x * 100;
  const unsigned char* b = a + 1000;
  const int lane = static_cast<int>(threadIdx.x);
  const int mine = b[lane] & 3;
  int here = lane + 1, last = 0, diagonal = lane;
  for (int d = 0; d < 63; ++d) {
    const int row = d - lane;
    int left = __shfl_up_sync(0xffffffff, last, 1);
    if (lane == 0) left = row + 1;
    if (row >= 0 && row < 32) {
      const int cost = (a[row] & 3) != mine;
      const int value = min(min(left, here) + 1, diagonal + cost);
      diagonal = left;
      here = value;
    }
    last = here;
    if (row + 1 == 0) diagonal = lane;
  }
  out[blockIdx.x * 32 + lane] = static_cast<unsigned>(here);
}
extern "C" __global__ void longest_common_subsequence(unsigned* out, const unsigned* in) {
  __shared__ unsigned char table[65][65];
  const int t = static_cast<int>(threadIdx.x);
  for (int k = t; k < 65; k += 64) table[0][k] = table[k][0] = 0;
  for (int d = 0; d < 127; ++d) {
    __syncthreads();
    const int row = t, column = d - t;
    if (column < 0 || column >= 64) continue;
    const bool same = (in[row] & 7) == (in[100 + column] & 7);
    table[row + 1][column + 1] =
        same ? table[row][column] + 1 : max(table[row][column + 1], table[row + 1][column]);
  }
  __syncthreads();
  out[t] = table[64][t + 1] | table[t + 1][64] << 8;
}
extern "C" __global__ void knapsack(unsigned* out, const unsigned* in) {
  __shared__ unsigned best[2][512];
  for (unsigned w = threadIdx.x; w < 512; w += 128) best[0][w] = 0;
  for (int item = 0; item < 20; ++item) {
    __syncthreads();
    const unsigned weight = in[item] % 90 + 5, value = in[item] >> 16 & 255;
    for (unsigned w = threadIdx.x; w < 512; w += 128) {
      const unsigned without = best[item & 1][w];
      best[~item & 1][w] = w >= weight ? max(without, best[item & 1][w - weight] + value) : without;
    }
  }
  __syncthreads();
  for (unsigned w = threadIdx.x; w < 512; w += 128) out[w] = best[0][w];
}
__device__ unsigned queens(unsigned columns, unsigned left, unsigned right, int row) {
  if (row == 8) return 1;
  unsigned count = 0;
  for (unsigned open = 0xff & ~(columns | left | right); open; open &= open - 1) {
    const unsigned bit = open & -open;
    count += queens(columns | bit, (left | bit) << 1, (right | bit) >> 1, row + 1);
  }
  return count;
}
extern "C" __global__ void n_queens(unsigned* out, const unsigned* in) {
  const unsigned bit = 1u << threadIdx.x;
  const unsigned count = queens(bit, bit << 1, bit >> 1, 1);
  out[threadIdx.x] = count + (in[0] & 0);
  atomicAdd(&out[8], count);
}
extern "C" __global__ void sieve(unsigned* out, const unsigned* in) {
  __shared__ unsigned char composite[2048];
  for (unsigned k = threadIdx.x; k < 2048; k += 256) composite[k] = k < 2;
  __syncthreads();
  for (unsigned p = 2; p * p < 2048; ++p) {
    if (!composite[p])
      for (unsigned k = p * p + threadIdx.x * p; k < 2048; k += 256 * p) composite[k] = 1;
    __syncthreads();
  }
  unsigned mine = 0;
  for (unsigned k = 0; k < 8; ++k) mine |= (composite[threadIdx.x * 8 + k] ? 0u : 1u) << k;
  out[threadIdx.x] = mine + (in[0] & 0);
}
extern "C" __global__ void collatz_and_digits(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  unsigned long long n = in[i] % 100000 + 1;
  unsigned steps = 0;
  while (n != 1) n = n & 1 ? 3 * n + 1 : n >> 1, ++steps;
  unsigned digits = 0;
  for (unsigned x = in[i]; x; x /= 10) digits += x % 10;
  bool prime = in[i] % 5000 > 1;
  for (unsigned p = 2; p * p <= in[i] % 5000; ++p)
    if (in[i] % 5000 % p == 0) {
      prime = false;
      break;
    }
  out[i] = steps * 1000 + digits * 2 + prime;
}
extern "C" __global__ void string_search(unsigned* out, const unsigned* in) {
  __shared__ int failure[8];
  const unsigned char* text = reinterpret_cast<const unsigned char*>(in);
  const char pattern[] = {1, 0, 1, 1, 0, 1, 0, 1};
  if (threadIdx.x == 0) {
    failure[0] = 0;
    for (int k = 1, length = 0; k < 8;) {
      if (pattern[k] == pattern[length])
        failure[k++] = ++length;
      else if (length)
        length = failure[length - 1];
      else
        failure[k++] = 0;
    }
  }
  __syncthreads();
  const unsigned begin = threadIdx.x * 60;
  unsigned found = 0;
  for (unsigned k = begin, matched = 0; k < begin + 67; ++k) {
    const int c = text[k] & 1;
    while (matched && (matched == 8 || pattern[matched] != c)) matched = failure[matched - 1];
    if (pattern[matched] == c) ++matched;
    if (matched == 8) found = found * 67 + k;
  }
  out[threadIdx.x] = found;
}
extern "C" __global__ void k_means(unsigned* out, const unsigned* in) {
  __shared__ float2 centre[4];
  __shared__ int sum_x[4], sum_y[4], count[4];
  const unsigned t = threadIdx.x;
  const int x = in[t] & 1023, y = in[t] >> 10 & 1023;
  if (t < 4) centre[t] = make_float2(in[200 + t] & 1023, in[300 + t] & 1023);
  int nearest = 0;
  for (int step = 0; step < 5; ++step) {
    if (t < 4) sum_x[t] = sum_y[t] = count[t] = 0;
    __syncthreads();
    float least = 1e30f;
    for (int k = 0; k < 4; ++k) {
      const float dx = x - centre[k].x, dy = y - centre[k].y, d = dx * dx + dy * dy;
      if (d < least) least = d, nearest = k;
    }
    atomicAdd(&sum_x[nearest], x);
    atomicAdd(&sum_y[nearest], y);
    atomicAdd(&count[nearest], 1);
    __syncthreads();
    if (t < 4 && count[t])
      centre[t] = make_float2(static_cast<float>(sum_x[t]) / count[t],
                              static_cast<float>(sum_y[t]) / count[t]);
    __syncthreads();
  }
  out[t] = static_cast<unsigned>(nearest);
  if (t < 4)
    out[128 + 2 * t] = __float_as_uint(centre[t].x),
                  out[129 + 2 * t] = __float_as_uint(centre[t].y);
}
extern "C" __global__ void nearest_neighbours(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  unsigned best[3] = {~0u, ~0u, ~0u};
  for (unsigned k = 0; k < 256; ++k) {
    const unsigned d =
        __usad(in[i] & 0xffff, in[1000 + k] & 0xffff, __usad(in[i] >> 16, in[1000 + k] >> 16, 0))
            << 8 |
        k;
    if (d < best[2]) {
      best[2] = d;
      if (best[2] < best[1]) {
        const unsigned s = best[1];
        best[1] = best[2];
        best[2] = s;
      }
      if (best[1] < best[0]) {
        const unsigned s = best[0];
        best[0] = best[1];
        best[1] = s;
      }
    }
  }
  for (int k = 0; k < 3; ++k) out[i * 3 + k] = best[k];
}
extern "C" __global__ void perceptron(unsigned* out, const unsigned* in) {
  __shared__ float hidden[64], error[64], w[64][5];
  const unsigned t = threadIdx.x;
  for (int k = 0; k < 5; ++k) w[t][k] = static_cast<int>(in[t * 5 + k]) * 0x1p-31f;
  for (int epoch = 0; epoch < 4; ++epoch) {
    float sum = w[t][4];
    for (int k = 0; k < 4; ++k) sum += w[t][k] * (in[epoch * 4 + k] & 15);
    hidden[t] = fmaxf(sum, 0.01f * sum);
    __syncthreads();
    error[t] = 0.5f - hidden[(t + 1) % 64];
    __syncthreads();
    for (int k = 0; k < 4; ++k)
      w[t][k] += 0.001f * error[t] * (in[epoch * 4 + k] & 15) * (hidden[t] > 0 ? 1 : 0.01f);
    __syncthreads();
  }
  out[t] = __float_as_uint(hidden[t]);
  for (int k = 0; k < 5; ++k) out[64 + t * 5 + k] = __float_as_uint(w[t][k]);
}
struct Ray {
  float3 origin, direction;
};
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ float3 operator-(float3 a, float3 b) {
  return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__device__ float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
extern "C" __global__ void ray_sphere(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  Ray ray = {make_float3(0, 0, -3), make_float3((x - 16) / 16.f, (y - 16) / 16.f, 1)};
  ray.direction = ray.direction * (1 / sqrtf(dot(ray.direction, ray.direction)));
  float nearest = 1e9f;
  int hit = -1;
  for (int k = 0; k < 8; ++k) {
    const float3 centre = make_float3((in[k] & 15) * 0.2f - 1.5f, (in[k] >> 4 & 15) * 0.2f - 1.5f,
                                      (in[k] >> 8 & 15) * 0.2f);
    const float3 oc = ray.origin - centre;
    const float b = dot(oc, ray.direction), c = dot(oc, oc) - 0.3f, d = b * b - c;
    if (d <= 0) continue;
    const float t = -b - sqrtf(d);
    if (t > 0 && t < nearest) nearest = t, hit = k;
  }
  out[y * 32 + x] = __float_as_uint(nearest) ^ static_cast<unsigned>(hit + 1);
}
extern "C" __global__ void simulated_annealing(unsigned* out, const unsigned* in) {
  unsigned s = in[threadIdx.x] | 1;
  unsigned char tour[16];
  for (int k = 0; k < 16; ++k) tour[k] = static_cast<unsigned char>(k);
  const auto distance = [&](int a, int b) {
    return __usad(in[tour[a & 15]] & 255, in[tour[b & 15]] & 255, 0);
  };
  for (int step = 0; step < 100; ++step) {
    const int a = static_cast<int>(uniform(s) * 15.999f),
              b = static_cast<int>(uniform(s) * 15.999f);
    const int before =
        distance(a - 1, a) + distance(a, a + 1) + distance(b - 1, b) + distance(b, b + 1);
    unsigned char swap = tour[a];
    tour[a] = tour[b];
    tour[b] = swap;
    const int after =
        distance(a - 1, a) + distance(a, a + 1) + distance(b - 1, b) + distance(b, b + 1);
    if (after > before + 200 / (step + 1)) {
      swap = tour[a];
      tour[a] = tour[b];
      tour[b] = swap;
    }
  }
  unsigned r = 0;
  for (int k = 0; k < 16; ++k) r = r * 17 + tour[k];
  out[threadIdx.x] = r;
}
extern "C" __global__ void polynomial_and_newton(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const double target = in[i] * 1e-3 + 1;
  double x = target;
  int steps = 0;
  while (fabs(x * x * x - target) > 1e-9 * target && steps < 60)
    x -= (x * x * x - target) / (3 * x * x), ++steps;
  float low = 0, high = 4;
  for (int k = 0; k < 30; ++k) {
    const float middle = 0.5f * (low + high),
                value = ((middle - 6) * middle + 11) * middle - 6 + (in[i] & 255) * 0.01f;
    if (value < 0)
      low = middle;
    else
      high = middle;
  }
  out[2 * i] = static_cast<unsigned>(__double_as_longlong(x) >> 14) ^ static_cast<unsigned>(steps);
  out[2 * i + 1] = __float_as_uint(low);
}
