// SPDX-License-Identifier: Apache-2.0
// Control flow and C++ features in divergent warps: early exits from nested loops, switches in
// loops, barriers that count, functions in constant memory, objects in shared memory. One file of
// more than 400 lines, so that the compiler runs only once.
//
// launch: nested_early_exits grid 4 block 64
// launch: switch_in_loop grid 4 block 128
// launch: counts_in_loop grid 4 block 96
// launch: constant_function_table grid 4 block 64
// launch: three_dimensions grid 2,3,2 block 4,3,5
// launch: objects_in_shared_memory grid 4 block 64
// launch: recursive_objects grid 4 block 64
// launch: constexpr_tables grid 4 block 64
// launch: folds_over_types grid 4 block 64
// launch: exits_beside_shuffles grid 4 block 64
// launch: local_array_sort grid 4 block 64
// launch: wide_indices grid 4 block 64
// launch: deep_and_shallow_calls grid 2 block 64
// launch: casts_of_bits grid 4 block 64
// launch: aligned_structures grid 4 block 64
// launch: several_dynamic_arrays grid 4 block 64 shared 1600

extern "C" __global__ void nested_early_exits(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  unsigned r = in[i], steps = 0;
  for (unsigned a = 0; a < 12; ++a) {
    unsigned x = in[(i + a * 37) % 4096];
    for (unsigned b = 0; b < 9; ++b) {
      ++steps;
      if ((x & 15) == 3) goto next;
      if ((x & 31) == 7) continue;
      if ((x & 63) == 21) break;
      for (unsigned c = 0; c < (x & 7); ++c) {
        if (((x >> c) & 5) == 5) break;
        r = r * 31 + (x >> c);
        if ((r & 0x3ff) == 0x155) goto done;
      }
      x = x * 1664525u + 1013904223u;
      x ^= x >> 13;
    }
  next:
    if ((r & 0xff00) == 0x4200) {
      out[i] = ~r;
      return;
    }
  }
done:
  out[i] = r + steps;
  out[256 + i] = steps;
}

extern "C" __global__ void switch_in_loop(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  unsigned r = 1, x = in[i];
  while (x != 0) {
    switch (x % 13) {
      case 0:
        r += 3;
        break;
      case 1:
        r ^= 0x55aa;
        [[fallthrough]];
      case 2:
        r *= 3;
        break;
      case 3:
        if (r & 1) {
          x >>= 3;
          continue;
        }
        r += x;
        break;
      case 4:
        r = __brev(r);
        break;
      case 5:
        r -= 7;
        [[fallthrough]];
      case 6:
        r -= 8;
        [[fallthrough]];
      case 7:
        r = r << 5 | r >> 27;
        break;
      case 8:
        for (int k = 0; k < 3; ++k) {
          if (r & (1u << k)) break;
          r += k;
        }
        break;
      case 9:
        r ^= r >> 16;
        break;
      case 10:
        r += __popc(x);
        break;
      case 11:
        if ((r & 0xff) == 0x11) goto out_of_both;
        r += 11;
        break;
      default:
        r = ~r;
    }
    x >>= 1 + (r & 1);
  }
out_of_both:
  out[i] = r;
}

extern "C" __global__ void counts_in_loop(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 96 + threadIdx.x;
  unsigned x = in[i] & 0xffff, rounds = 0, sum = 0;
  int left;
  do {
    if (x != 1 && x != 0) x = x & 1 ? 3 * x + 1 : x / 2;
    left = __syncthreads_count(x > 1);
    sum = sum * 7 + left;
    if (__syncthreads_or((x & 0xff) == 0x2a)) ++sum;
    if (__syncthreads_and(x < 5000)) sum += 3;
    ++rounds;
  } while (left > 5 && rounds < 400);
  out[i] = sum ^ rounds << 20 ^ x;
}

using Operation = unsigned (*)(unsigned, unsigned);
__device__ __noinline__ unsigned plus_one(unsigned a, unsigned b) { return a + b + 1; }
__device__ __noinline__ unsigned times(unsigned a, unsigned b) { return a * (b | 1); }
__device__ __noinline__ unsigned turned(unsigned a, unsigned b) {
  return a << (b & 31) | a >> (-b & 31);
}
template <unsigned kMask>
__device__ __noinline__ unsigned masked(unsigned a, unsigned b) {
  return (a & kMask) ^ b;
}
struct Named {
  unsigned weight;
  Operation operation;
};
__constant__ Operation operations[5] = {plus_one, times, turned, masked<0xff00ff>,
                                        masked<0xf0f0f0f>};
__constant__ Named named[3] = {{7, turned}, {11, plus_one}, {13, masked<0xffff>}};
extern "C" __global__ void constant_function_table(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  unsigned r = in[i];
  for (int k = 0; k < 10; ++k) {
    const unsigned x = in[i + 64 * k];
    r = operations[x % 5](r, x);
    const Named& other = named[r % 3];
    if (x & 64) r += other.weight * other.operation(x, r);
  }
  out[i] = r;
}

extern "C" __global__ void three_dimensions(unsigned* out, const unsigned* in) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  __shared__ unsigned cube[5][3][4];
  cube[threadIdx.z][threadIdx.y][threadIdx.x] = in[block * 60 + thread];
  __syncthreads();
  const unsigned other =
      cube[(threadIdx.z + 2) % 5][(threadIdx.y + blockIdx.y) % 3][3 - threadIdx.x];
  out[block * 60 + thread] = other + blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z +
                             1000 * gridDim.y + (blockDim.z << 16);
}

class Reader {
 public:
  __device__ virtual unsigned read(unsigned at) const = 0;
  __device__ virtual ~Reader() {}
};
class Mixer {
 public:
  __device__ virtual unsigned mix(unsigned x) { return x * 5 + calls_++; }

 protected:
  unsigned calls_ = 1;
};
class Table : public Reader, public Mixer {
 public:
  __device__ Table(const unsigned* words, unsigned step) : words_(words), step_(step) {}
  __device__ unsigned read(unsigned at) const override { return words_[at * step_ % 4096]; }

 private:
  const unsigned* words_;
  unsigned step_;
};
class Turned final : public Table {
 public:
  using Table::Table;
  __device__ unsigned read(unsigned at) const override { return __brev(Table::read(at + 1)); }
  __device__ unsigned mix(unsigned x) override { return Mixer::mix(x) ^ 0x5a5a; }
};
extern "C" __global__ void objects_in_shared_memory(unsigned* out, const unsigned* in) {
  __shared__ alignas(16) unsigned char places[4][sizeof(Turned)];
  __shared__ Reader* readers[4];
  const unsigned t = threadIdx.x;
  if (t < 4) {
    if (t & 1) {
      readers[t] = new (places[t]) Turned(in, 3 + t + blockIdx.x);
    } else {
      readers[t] = new (places[t]) Table(in, 5 + t);
    }
  }
  __syncthreads();
  Turned own(in, 7);
  Mixer* mixer = &own;
  Table plain(in, 1);
  if (t & 8) mixer = &plain;
  unsigned r = 0;
  for (unsigned k = 0; k < 6; ++k) r = mixer->mix(r + readers[(t + k) & 3]->read(t * 9 + k));
  out[blockIdx.x * 64 + t] = r;
}

// A function object that is passed itself; NVRTC treats generic lambdas as host functions.
template <typename Body>
struct Recursive {
  Body body;
  template <typename... Arguments>
  __device__ unsigned operator()(Arguments... arguments) const {
    return body(*this, arguments...);
  }
};
struct Fibonacci {
  unsigned* calls;
  template <typename Self>
  __device__ unsigned operator()(const Self& self, unsigned n) const {
    ++*calls;
    return n < 2 ? n : self(n - 1) + self(n - 2);
  }
};
struct Divisor {
  template <typename Self>
  __device__ unsigned operator()(const Self& self, unsigned a, unsigned b) const {
    return b == 0 ? a : self(b, a % b);
  }
};
template <typename Function>
__device__ unsigned twice(const Function& function, unsigned x) {
  return function(function(x));
}
extern "C" __global__ void recursive_objects(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  unsigned calls = 0;
  const Recursive<Fibonacci> fibonacci{{&calls}};
  const Recursive<Divisor> divisor{};
  auto counter = [n = in[i] & 7]() mutable { return n++; };
  unsigned r = fibonacci(in[i] % 9) * 1000 + divisor(in[i] & 0xfff, in[i + 64] & 0xfff);
  counter();
  r += counter() * 100000;
  r += twice([&](unsigned x) { return x * 3 + calls; }, r & 0xff);
  out[i] = r ^ calls << 24;
}

struct Crc {
  unsigned words[16] = {};
  __device__ constexpr Crc() {
    for (unsigned n = 0; n < 16; ++n) {
      unsigned c = n;
      for (int k = 0; k < 4; ++k) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
      words[n] = c;
    }
  }
};
__device__ constexpr Crc kCrc;
template <unsigned kN>
struct Primes {
  unsigned count = 0;
  unsigned char at[kN] = {};
  __device__ constexpr Primes() {
    for (unsigned n = 2; n < kN; ++n) {
      bool prime = true;
      for (unsigned d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
      if (prime) at[count++] = static_cast<unsigned char>(n);
    }
  }
};
template <unsigned kN>
__device__ unsigned primes_below(unsigned i) {
  constexpr Primes<kN> primes;
  static_assert(primes.count > 2, "");
  unsigned r = 0;
  for (unsigned k = 0; k < primes.count; ++k) r = r * 3 + i % primes.at[k];
  return r + primes.at[i % primes.count];
}
extern "C" __global__ void constexpr_tables(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  unsigned c = ~0u;
  for (int k = 0; k < 4; ++k) {
    const unsigned byte = in[i] >> 8 * k & 0xff;
    c = kCrc.words[(c ^ byte) & 15] ^ c >> 4;
    c = kCrc.words[(c ^ byte >> 4) & 15] ^ c >> 4;
  }
  out[i] = ~c + primes_below<30>(in[i]) * 17 + primes_below<100>(in[i] >> 5);
}

template <typename T>
__device__ unsigned weight(T value) {
  if constexpr (sizeof(T) == 1) return static_cast<unsigned>(value) * 3;
  if constexpr (sizeof(T) == 8) return static_cast<unsigned>(static_cast<double>(value) * 0.5);
  return static_cast<unsigned>(value);
}
template <typename... Values>
__device__ unsigned folded(Values... values) {
  const unsigned sum = (weight(values) + ...);
  const bool any = ((weight(values) % 5 == 0) || ...);
  unsigned order = 0;
  ((order = order * 7 + weight(values)), ...);
  return sum ^ order ^ (any ? sizeof...(values) << 28 : 0);
}
extern "C" __global__ void folds_over_types(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x, x = in[i];
  unsigned r = folded(static_cast<unsigned char>(x), static_cast<short>(x >> 20), x);
  r += folded(static_cast<double>(x & 0xffff), static_cast<signed char>(x & 0x7f));
  r += folded(static_cast<unsigned long long>(x) << 3, 'a', true, static_cast<float>(x & 1023));
  out[i] = r;
}

extern "C" __global__ void exits_beside_shuffles(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x & 31;
  unsigned x = in[i], mask = ~0u, r = 0;
  for (unsigned round = 0; round < 20; ++round) {
    const unsigned stays = __ballot_sync(mask, (x >> round & 3) != 0 || lane == 5);
    if (!(stays >> lane & 1)) {
      out[i] = r + round;
      return;
    }
    mask = stays;
    const unsigned first = __ffs(mask) - 1, last = 31 - __clz(mask);
    r = r * 5 + __shfl_sync(mask, x, (round & 1) ? first : last);
    r += __any_sync(mask, (r & 7) == 1);
    __syncwarp(mask);
  }
  out[i] = ~r;
}

extern "C" __global__ void local_array_sort(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  unsigned char small[24];
  unsigned keys[12];
  for (int k = 0; k < 12; ++k) keys[k] = in[(i * 12 + k) % 4096];
  for (int k = 1; k < 12; ++k) {
    const unsigned key = keys[k];
    int at = k;
    for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
  for (int k = 0; k < 24; ++k) small[k] = static_cast<unsigned char>(keys[k / 2] >> 8 * (k & 1));
  unsigned r = 0;
  for (int k = 0; k < 24; ++k) r = r * 33 + small[small[k] % 24];
  memcpy(keys, small + 3, 16);
  out[i] = r ^ keys[2] ^ keys[keys[0] % 12];
}

extern "C" __global__ void wide_indices(unsigned* out, const unsigned* in) {
  const unsigned long long first =
      static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
  unsigned r = 0;
  for (unsigned long long at = first + (3ull << 33); at < (3ull << 33) + 4096; at += stride) {
    r = r * 31 + in[at - (3ull << 33)];
  }
  for (long long at = static_cast<long long>(first); at >= -500; at -= 123) {
    r ^= in[(at % 4096 + 4096) % 4096] + static_cast<unsigned>(at >> 3);
  }
  const long long apart = &in[4095 - first] - &in[first];
  out[first] = r + static_cast<unsigned>(apart) + static_cast<unsigned>(first * stride >> 5);
}

__device__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
__device__ __noinline__ unsigned climb(const unsigned* in, unsigned at, unsigned depth) {
  const unsigned x = in[at % 4096];
  if (depth == 0 || (x & 15) == 0) return x;
  unsigned kept[4] = {x, x >> 8, x >> 16, x >> 24};
  const unsigned below = (x & 1) ? climb(in, at * 3 + 1, depth - 1) : climb(in, at + 7, depth - 1);
  return kept[below & 3] * 13 + below;
}
extern "C" __global__ void deep_and_shallow_calls(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  unsigned r = ackermann(in[i] & 1, in[i] >> 3 & 7) + 10 * ackermann(2, in[i] >> 9 & 3);
  if (in[i] & 2) r += climb(in, i, in[i] >> 4 & 15);
  out[i] = r;
}

union Word {
  unsigned bits;
  float number;
  unsigned char bytes[4];
  struct {
    unsigned fraction : 23;
    unsigned exponent : 8;
    unsigned sign : 1;
  } parts;
};
extern "C" __global__ void casts_of_bits(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  Word word;
  word.bits = in[i];
  unsigned r = word.parts.fraction + 7 * word.parts.exponent + 11 * word.parts.sign;
  word.parts.exponent = 127 + (in[i] & 3);
  r ^= static_cast<unsigned>(word.number * 1000.0f + 5000.0f);
  word.bytes[1] = static_cast<unsigned char>(r);
  double wide = in[i] * 0.25;
  unsigned long long bits;
  memcpy(&bits, &wide, sizeof bits);
  bits ^= 1ull << 52;
  memcpy(&wide, &bits, sizeof wide);
  const uchar4 four = *reinterpret_cast<const uchar4*>(&in[i]);
  out[i] = r + word.bits + static_cast<unsigned>(wide) + (four.x ^ four.w) * 257u +
           static_cast<unsigned>(__double2hiint(wide)) +
           static_cast<unsigned>(__float_as_int(__int2float_rn(static_cast<int>(in[i])))) +
           static_cast<unsigned>(__longlong_as_double(bits) == wide);
}

struct alignas(16) Particle {
  float3 place;
  unsigned short tag;
  unsigned char kind;
  bool alive;
};
struct Pair {
  char small;
  double large;
};
#pragma pack(push, 1)
struct Packed {
  unsigned char a;
  unsigned char b[3];
  unsigned short c;
};
#pragma pack(pop)
extern "C" __global__ void aligned_structures(unsigned* out, const unsigned* in) {
  __shared__ Particle particles[64];
  __shared__ Pair pairs[64];
  __shared__ Packed packed[64];
  const unsigned t = threadIdx.x, i = blockIdx.x * 64 + t, x = in[i];
  particles[t] = {{float(x & 255), float(x >> 8 & 255), float(x >> 16 & 255)},
                  static_cast<unsigned short>(x >> 7),
                  static_cast<unsigned char>(x >> 24),
                  (x & 3) != 0};
  pairs[t] = {static_cast<char>(x >> 3), (x & 0xffff) * 0.5};
  packed[t] = {static_cast<unsigned char>(x),
               {1, static_cast<unsigned char>(x >> 9), 3},
               static_cast<unsigned short>(x >> 13)};
  __syncthreads();
  const Particle p = particles[63 - t];
  const Pair q = pairs[t ^ 9];
  const Packed s = packed[(t + 17) % 64];
  unsigned r = static_cast<unsigned>(p.place.x + 3 * p.place.y - p.place.z + 1000);
  r += p.tag * 5 + p.kind * 7 + (p.alive ? 1 : 0);
  r ^= static_cast<unsigned>(q.large) + static_cast<unsigned>(q.small) * 9;
  out[i] = r + s.a + s.b[1] * 3 + s.c * 11 +
           static_cast<unsigned>(sizeof(Particle) + 100 * sizeof(Pair) + 10000 * sizeof(Packed));
}

extern "C" __global__ void several_dynamic_arrays(unsigned* out, const unsigned* in) {
  extern __shared__ __align__(16) unsigned char raw[];
  double* sums = reinterpret_cast<double*>(raw);                           // 64
  float4* quads = reinterpret_cast<float4*>(sums + 64);                    // 32
  unsigned* words = reinterpret_cast<unsigned*>(quads + 32);               // 96
  unsigned short* halves = reinterpret_cast<unsigned short*>(words + 96);  // 64
  unsigned char* bytes = reinterpret_cast<unsigned char*>(halves + 64);    // 64
  const unsigned t = threadIdx.x, i = blockIdx.x * 64 + t, x = in[i];
  sums[t] = x * 0.5;
  if (t < 32) quads[t] = make_float4(t, x & 7, x >> 29, 1);
  words[t] = x;
  if (t < 32) words[64 + t] = ~x;
  halves[t] = static_cast<unsigned short>(x >> 5);
  bytes[t] = static_cast<unsigned char>(x >> 11);
  __syncthreads();
  const float4 quad = quads[(t * 5) % 32];
  out[i] = static_cast<unsigned>(sums[63 - t]) +
           static_cast<unsigned>(quad.x + 2 * quad.y + 4 * quad.z) + words[(t * 7) % 96] +
           halves[t ^ 3] * 3 + bytes[(t + 1) % 64] * 5;
}
