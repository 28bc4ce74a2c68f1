// SPDX-License-Identifier: Apache-2.0
// Monte Carlo, random numbers and finance: option prices by formula, tree and paths, integrals,
// several generators with their states in registers or memory, and walks.

__device__ unsigned hashed(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

__device__ unsigned xorshift(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

__device__ float uniform(unsigned bits) { return ((bits >> 8) + 0.5F) * 0x1p-24F; }

__device__ float2 normal_pair(unsigned a, unsigned b) {
  const float radius = sqrtf(-2 * __logf(uniform(a)));
  float s;
  float c;
  __sincosf(6.2831853F * uniform(b), &s, &c);
  return make_float2(radius * c, radius * s);
}

// Sum over a block of 256 threads, valid in thread 0.
__device__ float block_sum(float value) {
  __shared__ float warps[8];
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(~0U, value, step);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 8; ++k) value += warps[k];
  }
  return value;
}

// The cumulated normal distribution by a polynomial of degree five.
__device__ float cumulated(float d) {
  const float k = 1 / (1 + 0.2316419F * fabsf(d));
  const float sum =
      0.39894228F * expf(-0.5F * d * d) *
      (k * (0.31938153F +
            k * (-0.356563782F + k * (1.781477937F + k * (-1.821255978F + k * 1.330274429F)))));
  return d > 0 ? 1 - sum : sum;
}

__global__ void black_scholes(float* call, float* put, const float* prices, const float* strikes,
                              const float* years, int options, float rate, float volatility) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= options) return;
  const float price = 5 + 25 * prices[i];
  const float strike = 1 + 99 * strikes[i];
  const float t = 0.25F + 9.75F * years[i];
  const float root = sqrtf(t);
  const float d1 =
      (logf(price / strike) + (rate + 0.5F * volatility * volatility) * t) / (volatility * root);
  const float p1 = cumulated(d1);
  const float p2 = cumulated(d1 - volatility * root);
  const float discounted = strike * expf(-rate * t);
  call[i] = price * p1 - discounted * p2;
  put[i] = discounted * (1 - p2) - price * (1 - p1);
}

// With erfc in double precision.
__global__ void black_scholes_double(double* call, const double* prices, const double* strikes,
                                     int options, double rate, double volatility) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= options) return;
  const double price = 5 + 25 * prices[i];
  const double strike = 1 + 99 * strikes[i];
  const double d1 = (log(price / strike) + rate + 0.5 * volatility * volatility) / volatility;
  const double p1 = 0.5 * erfc(-d1 * 0.70710678118654752);
  const double p2 = 0.5 * erfc(-(d1 - volatility) * 0.70710678118654752);
  call[i] = price * p1 - strike * exp(-rate) * p2;
}

// Newton's method for the volatility that gives a price; the number of steps differs.
__global__ void implied_volatility(float* out, const float* prices, const float* strikes,
                                   int options) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= options) return;
  const float strike = 0.7F + 0.6F * strikes[i];
  const float target = fmaxf(1 - strike, 0) + 0.02F + 0.2F * prices[i];
  float volatility = 0.3F;
  for (int step = 0; step < 32; ++step) {
    const float d1 = -logf(strike) / volatility + 0.5F * volatility;
    const float value = cumulated(d1) - strike * cumulated(d1 - volatility);
    const float slope = fmaxf(0.39894228F * expf(-0.5F * d1 * d1), 1e-4F);
    const float error = value - target;
    if (fabsf(error) < 1e-5F) break;
    volatility = fminf(fmaxf(volatility - error / slope, 0.01F), 4.0F);
  }
  out[i] = volatility;
}

// A binomial tree of Steps levels in shared memory, one option per block of Steps threads.
template <int Steps>
__global__ void binomial_shared(float* out, const float* prices, const float* strikes) {
  __shared__ float values[Steps + 1];
  const float price = 5 + 25 * prices[blockIdx.x];
  const float strike = 1 + 30 * strikes[blockIdx.x];
  const float up = expf(0.3F * rsqrtf(Steps));
  const float chance = (expf(0.02F / Steps) - 1 / up) / (up - 1 / up);
  const float discount = expf(-0.02F / Steps);
  for (int k = threadIdx.x; k <= Steps; k += Steps) {
    values[k] = fmaxf(price * __powf(up, 2.0F * k - Steps) - strike, 0);
  }
  for (int level = Steps; level > 0; --level) {
    __syncthreads();
    float value = 0;
    if (threadIdx.x < level) {
      value = discount * (chance * values[threadIdx.x + 1] + (1 - chance) * values[threadIdx.x]);
    }
    __syncthreads();
    if (threadIdx.x < level) values[threadIdx.x] = value;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = values[0];
}

// One option per thread with the tree in a local array.
template <int Steps>
__global__ void binomial_thread(float* out, const float* prices, const float* strikes,
                                int options) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= options) return;
  const float price = 5 + 25 * prices[i];
  const float strike = 1 + 30 * strikes[i];
  const float up = expf(0.3F * rsqrtf(Steps));
  const float chance = (expf(0.02F / Steps) - 1 / up) / (up - 1 / up);
  float values[Steps + 1];
  float at = price * __powf(up, -Steps);
  for (int k = 0; k <= Steps; ++k) {
    values[k] = fmaxf(strike - at, 0);
    at *= up * up;
  }
#pragma unroll 1
  for (int level = Steps; level > 0; --level) {
#pragma unroll 1
    for (int k = 0; k < level; ++k) {
      values[k] = 0.9999F * (chance * values[k + 1] + (1 - chance) * values[k]);
    }
  }
  out[i] = values[0];
}

// Paths of a European option: one sum per block.
__global__ void european_paths(float* sums, int paths, float strike, unsigned seed) {
  const int thread = blockIdx.x * 256 + threadIdx.x;
  unsigned state = hashed(thread ^ seed) | 1;
  float sum = 0;
  for (int path = thread; path < paths; path += gridDim.x * 256) {
    const unsigned bits = xorshift(state);
    const float2 z = normal_pair(bits, xorshift(state));
    sum += fmaxf(expf(0.3F * z.x - 0.045F) - strike, 0);
    sum += fmaxf(expf(0.3F * z.y - 0.045F) - strike, 0);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum / (2.0F * paths);
}

// An Asian option: each thread follows one path and averages its prices.
__global__ void asian_paths(float* out, int paths, int steps, unsigned seed) {
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths) return;
  unsigned state = hashed(path + seed) | 1;
  float price = 1;
  float sum = 0;
  for (int step = 0; step < steps; step += 2) {
    const unsigned bits = xorshift(state);
    const float2 z = normal_pair(bits, xorshift(state));
    price *= __expf(0.02F * z.x);
    sum += price;
    price *= __expf(0.02F * z.y);
    sum += price;
  }
  out[path] = fmaxf(sum / steps - 1, 0);
}

// A barrier option: paths end early, so lanes of a warp become idle.
__global__ void barrier_paths(float* out, int paths, int steps, float barrier, unsigned seed) {
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths) return;
  unsigned state = hashed(path + seed) | 1;
  float price = 1;
  for (int step = 0; step < steps; ++step) {
    const unsigned bits = xorshift(state);
    const float2 z = normal_pair(bits, xorshift(state));
    price *= expf(0.03F * z.x);
    if (price < barrier) break;
  }
  out[path] = price < barrier ? 0 : fmaxf(price - 1, 0);
}

// Paths of Heston's model with normal numbers from memory, [step][path], as after a generator.
__global__ void heston_from_memory(float* out, const float2* numbers, int paths, int steps) {
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths) return;
  float price = 1;
  float variance = 0.04F;
  for (int step = 0; step < steps; ++step) {
    const float2 z = numbers[static_cast<size_t>(step) * paths + path];
    const float root = sqrtf(fmaxf(variance, 0) * 0.01F);
    price *= __expf(root * (z.x - 0.5F) - 0.005F * variance);
    variance += 0.015F * (0.04F - variance) + 0.3F * root * (0.8F * z.y - 0.4F);
  }
  out[path] = price;
}

// Prices of a lattice of times and strikes by explicit differences, one step.
__global__ void heat_step(double* out, const double* in, int n, double rate) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1) return;
  const double s = 1e-3 * (i % 1000);
  out[i] = in[i] + rate * (s * s * (in[i + 1] - 2 * in[i] + in[i - 1]) +
                           0.05 * s * (in[i + 1] - in[i - 1]) - 0.05 * in[i]);
}

// pi from random points, one counter per block by a vote per warp.
__global__ void pi_by_points(unsigned* out, int each, unsigned seed) {
  __shared__ unsigned inside;
  if (threadIdx.x == 0) inside = 0;
  __syncthreads();
  unsigned state = hashed(blockIdx.x * blockDim.x + threadIdx.x + seed) | 1;
  unsigned mine = 0;
  for (int k = 0; k < each; ++k) {
    const float x = uniform(xorshift(state));
    const float y = uniform(xorshift(state));
    mine += x * x + y * y < 1;
  }
  for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(~0U, mine, step);
  if (threadIdx.x % 32 == 0) atomicAdd(&inside, mine);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = inside;
}

// Simpson's rule; one atomic per block.
__global__ void simpson(float* out, int pieces, float from, float to) {
  const float step = (to - from) / pieces;
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < pieces; i += gridDim.x * 256) {
    const float x = from + i * step;
    const auto f = [](float v) { return sinf(v) / (1 + v * v); };
    sum += f(x) + 4 * f(x + 0.5F * step) + f(x + step);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum * step / 6);
}

// The same with doubles and a function by its series.
__global__ void trapezoids_double(double* out, int pieces, int terms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pieces) return;
  const double x = (i + 0.5) / pieces;
  double term = 1;
  double sum = 1;
  for (int k = 1; k < terms; ++k) {
    term *= -x * x / k;
    sum += term;
  }
  out[i] = sum / pieces;
}

// Philox with ten rounds, a counter per thread and four numbers.
__global__ void philox(float4* out, int fours, unsigned seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= fours) return;
  uint4 c = make_uint4(i, 0, 0, 0);
  unsigned k0 = seed;
  unsigned k1 = 0x5eed;
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned high0 = __umulhi(0xd2511f53U, c.x);
    const unsigned high1 = __umulhi(0xcd9e8d57U, c.z);
    c = make_uint4(high1 ^ c.y ^ k0, 0xcd9e8d57U * c.z, high0 ^ c.w ^ k1, 0xd2511f53U * c.x);
    k0 += 0x9e3779b9U;
    k1 += 0xbb67ae85U;
  }
  out[i] = make_float4(uniform(c.x), uniform(c.y), uniform(c.z), uniform(c.w));
}

// xorwow with its state in memory (five words and a counter per thread, as structures); each
// thread makes `each` numbers, interleaved.
__global__ void xorwow_states(unsigned* out, unsigned* states, const unsigned* old, int threads,
                              int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= threads) return;
  unsigned v[6];
  for (int k = 0; k < 6; ++k) v[k] = old[6 * i + k];
  for (int n = 0; n < each; ++n) {
    const unsigned t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
    v[5] += 362437;
    out[static_cast<size_t>(n) * threads + i] = v[4] + v[5];
  }
  for (int k = 0; k < 6; ++k) states[6 * i + k] = v[k];
}

// A 64-bit linear generator; each thread writes its numbers one after the other in memory, which
// is not coalesced.
__global__ void linear_64_rows(unsigned* out, int threads, int each, unsigned seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= threads) return;
  unsigned long long state = hashed(i + seed);
  for (int n = 0; n < each; ++n) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    out[static_cast<size_t>(i) * each + n] = static_cast<unsigned>(state >> 33);
  }
}

// Normal numbers from pairs of random words.
__global__ void box_muller(float2* out, const uint2* in, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const float radius = sqrtf(-2 * logf(uniform(in[i].x)));
  float s;
  float c;
  sincospif(2 * uniform(in[i].y), &s, &c);
  out[i] = make_float2(radius * c, radius * s);
}

// Halton's sequence: digits of the index in base 3, reversed.
__global__ void halton(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned rest = i + 1;
  float value = 0;
  float digit = 1.0F / 3;
  while (rest > 0) {
    value += digit * (rest % 3);
    rest /= 3;
    digit /= 3;
  }
  out[i] = value;
}

// Sobol's sequence from 32 direction numbers per dimension, by Gray code.
__global__ void sobol(float* out, const unsigned* directions, int n) {
  __shared__ unsigned v[32];
  if (threadIdx.x < 32) v[threadIdx.x] = directions[blockIdx.y * 32 + threadIdx.x];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned gray = i ^ i >> 1;
    unsigned value = 0;
    for (int k = 0; gray != 0; ++k, gray >>= 1) {
      if (gray & 1) value ^= v[k];
    }
    out[static_cast<size_t>(blockIdx.y) * n + i] = uniform(value);
  }
}

// Random walks on a ring of 2^bits cells that count their visits by atomics.
__global__ void walks(unsigned* visits, int walkers, int steps, int bits, unsigned seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= walkers) return;
  unsigned state = hashed(i + seed) | 1;
  unsigned at = hashed(state);
  for (int step = 0; step < steps; ++step) {
    at += (xorshift(state) & 2) - 1;
    atomicAdd(&visits[at & ((1U << bits) - 1)], 1U);
  }
}
