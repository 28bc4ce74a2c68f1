// SPDX-License-Identifier: Apache-2.0
// The language: virtual functions, tables of functions, recursion, jump tables, goto, templates,
// unions, bit fields, initialised variables that point to each other, new and delete. One file of
// more than 400 lines, so that the compiler runs only once.
//
// launch: virtual_functions grid 4 block 64
// launch: function_tables grid 4 block 256
// launch: lambdas grid 4 block 256
// launch: recursion grid 2 block 64
// launch: mutual_recursion grid 1 block 64
// launch: tree_on_heap grid 1 block 32
// launch: dense_switch grid 4 block 256
// launch: goto_machine grid 4 block 64
// launch: variadic_templates grid 4 block 256
// launch: structs_by_value grid 2 block 64
// launch: unions_and_bit_fields grid 4 block 256
// launch: initialised_variables grid 4 block 64
// launch: shared_objects grid 4 block 64
// launch: new_and_delete grid 1 block 64
// launch: operators grid 4 block 128
// launch: member_pointers grid 2 block 64
// launch: volatile_and_restrict grid 4 block 64
// launch: modern_cpp grid 4 block 64
// launch: interpreter grid 1 block 128
// launch: wide_parameters grid 1 block 64

class Shape {
 public:
  __device__ explicit Shape(int size) : size_(size) {}
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
  __device__ virtual int sides() const { return 0; }

 protected:
  int size_;
};
class Square : public Shape {
 public:
  using Shape::Shape;
  __device__ int area() const override { return size_ * size_; }
  __device__ int sides() const override { return 4; }
};
class Triangle : public Shape {
 public:
  __device__ Triangle(int size, int height) : Shape(size), height_(height) {}
  __device__ int area() const override { return size_ * height_ / 2; }
  __device__ int sides() const final { return 3; }

 private:
  int height_;
};
class Circle final : public Shape {
 public:
  using Shape::Shape;
  __device__ int area() const override { return size_ * size_ * 355 / 113; }
};
extern "C" __global__ void virtual_functions(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Square square(in[i] & 0xff);
  Triangle triangle(in[i] >> 8 & 0xff, in[i] >> 16 & 0xff);
  Circle circle(in[i] >> 24);
  Shape* shapes[] = {&square, &triangle, &circle};
  const Shape* mine = shapes[in[i + 1] % 3];
  out[i] = static_cast<unsigned>(mine->area() * 10 + mine->sides());
}

using Operation = float (*)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float subtract(float a, float b) { return a - b; }
__device__ __noinline__ float multiply(float a, float b) { return a * b; }
__device__ float divide(float a, float b) { return a / b; }
__device__ Operation operations[4] = {add, subtract, multiply, divide};
__constant__ Operation constant_operations[2] = {divide, add};
extern "C" __global__ void function_tables(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float a = in[i] >> 8, b = (in[i + 1] >> 8) + 1;
  Operation f = operations[in[i] & 3];
  float r = f(a, b);
  r += constant_operations[threadIdx.x & 1](r, b);
  f = in[i] % 2 ? &multiply : subtract;
  out[i] = __float_as_uint((*f)(r, 0.5f));
}

template <typename F>
__device__ unsigned apply_n(F&& f, unsigned x, int n) {
  for (int k = 0; k < n; ++k) x = f(x);
  return x;
}
template <typename F, typename G>
__device__ auto composed(F f, G g) {
  return [=](unsigned x) { return f(g(x)); };
}
extern "C" __global__ void lambdas(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int calls = 0;
  auto mix = [&calls, k = in[i]](unsigned x) mutable {
    ++calls;
    k = k * 3 + 1;
    return x ^ k;
  };
  unsigned r = apply_n(mix, in[i + 1], i % 7);
  r += composed([](unsigned x) { return x * 5; }, [i](unsigned x) { return x - i; })(r);
  unsigned (*plain)(unsigned) = [](unsigned x) { return x >> 3; };
  out[i] = plain(r) + static_cast<unsigned>(calls);
}

__device__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
__device__ unsigned long long fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }
__device__ int hanoi(int n, int from, int to, int& checksum) {
  if (n == 0) return 0;
  const int by = 3 - from - to;
  int moves = hanoi(n - 1, from, by, checksum);
  checksum = checksum * 7 + from * 3 + to;
  return moves + 1 + hanoi(n - 1, by, to, checksum);
}
extern "C" __global__ void recursion(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int checksum = 0;
  out[i * 4] = ackermann(2, in[i] % 6);
  out[i * 4 + 1] = static_cast<unsigned>(fibonacci(in[i] % 12));
  out[i * 4 + 2] = gcd(in[i], in[i + 1]);
  out[i * 4 + 3] = static_cast<unsigned>(hanoi(in[i] % 5, 0, 2, checksum)) ^ checksum << 8;
}
__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }
__device__ int evaluate(const unsigned char* text, int& at, int depth) {
  int left = text[at++] % 10;
  while (depth < 6 && text[at] % 3 != 0) {
    const bool times = text[at++] & 1;
    const int right = evaluate(text, at, depth + 1);
    left = times ? left * right : left + right;
  }
  return left;
}
extern "C" __global__ void mutual_recursion(unsigned* out, const unsigned* in) {
  const unsigned t = threadIdx.x;
  int at = 0;
  const int value = evaluate(reinterpret_cast<const unsigned char*>(in + 8 * t), at, 0);
  out[t] =
      is_even(in[t] % 50) | static_cast<unsigned>(at) << 1 | static_cast<unsigned>(value) << 16;
}

struct Node {
  unsigned key;
  Node* left;
  Node* right;
};
__device__ Node* insert(Node* node, unsigned key) {
  if (node == nullptr) {
    node = static_cast<Node*>(malloc(sizeof(Node)));
    node->key = key;
    node->left = node->right = nullptr;
  } else if (key < node->key) {
    node->left = insert(node->left, key);
  } else {
    node->right = insert(node->right, key);
  }
  return node;
}
__device__ int depth(const Node* node) {
  return node ? 1 + max(depth(node->left), depth(node->right)) : 0;
}
__device__ void walk(Node* node, unsigned*& place) {
  if (!node) return;
  walk(node->left, place);
  *place++ = node->key;
  walk(node->right, place);
  free(node);
}
extern "C" __global__ void tree_on_heap(unsigned* out, const unsigned* in) {
  const unsigned t = threadIdx.x;
  Node* root = nullptr;
  for (int k = 0; k < 20; ++k) root = insert(root, in[t * 20 + k]);
  unsigned* place = out + t * 21;
  *place++ = depth(root);
  walk(root, place);
}

extern "C" __global__ void dense_switch(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = in[i], r = 0;
  for (int step = 0; step < 8; ++step, x >>= 4) {
    switch (x & 15) {
      case 0:
        r += 1;
        break;
      case 1:
        r ^= 0x55;
        break;
      case 2:
        r *= 3;  // falls through
      case 3:
        r -= i;
        break;
      case 4:
        r = r << 3 | r >> 29;
        break;
      case 5:
        r = __popc(r);
        break;
      case 6:
        r = ~r;
        break;
      case 7:
        continue;
      case 8:
        r = __brev(r);
        break;
      case 9:
        r /= 7;
        break;
      case 10:
        r %= 1000;
        break;
      case 11:
        return;
      case 12:
        step += 1;
        break;
      default:
        r += x;
        break;
    }
    switch (static_cast<long long>(r) * 0x100000001ll) {
      case 0:
        r = 1;
        break;
      case 0x5500000055ll:
        r = 2;
        break;
      case -1:
        r = 3;
        break;
    }
    out[i] = r;
  }
}

extern "C" __global__ void goto_machine(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = in[i], count = 0, r = 0;
start:
  if (++count > 50) goto done;
  if (x & 1) goto odd;
even:
  x >>= 1;
  r += 3;
  if (x == 0) goto done;
  if (x % 3 == 0) goto start;
  r ^= x;
  if (r & 4) goto even;
  goto middle;
odd:
  x = x * 3 + 1;
  if (r & 8) goto even;
middle:
  r = r * 5 + 1;
  for (int k = 0; k < 4; ++k) {
    if ((r >> k & 3) == 3) goto start;
    if ((x >> k & 7) == 5) goto odd;
  }
  goto even;
done:
  out[i] = r + count;
}

template <typename... T>
__device__ unsigned sum_all(T... values) {
  return (static_cast<unsigned>(values) + ... + 0u);
}
__device__ unsigned chain() { return 17; }
template <typename First, typename... Rest>
__device__ unsigned chain(First first, Rest... rest) {
  return static_cast<unsigned>(first) * 31 + sizeof(First) + chain(rest...);
}
template <int kN>
struct Factorial {
  static constexpr unsigned long long value = kN * Factorial<kN - 1>::value;
};
template <>
struct Factorial<0> {
  static constexpr unsigned long long value = 1;
};
template <typename Derived>
struct Base {
  __device__ unsigned twice() const { return 2 * static_cast<const Derived*>(this)->once(); }
};
struct Derived : Base<Derived> {
  unsigned x;
  __device__ unsigned once() const { return x + 1; }
};
extern "C" __global__ void variadic_templates(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Derived d;
  d.x = in[i];
  out[i] = sum_all(in[i], 3.7f, 'c', true, -2LL) ^ chain(static_cast<short>(in[i]), in[i], 2.5, i) ^
           static_cast<unsigned>(Factorial<15>::value) ^ d.twice();
}

struct alignas(16) Particle {
  float position[3];
  short tags[5];
  unsigned char kind;
  double mass;
};
__device__ __noinline__ Particle moved(Particle p, const float (&by)[3], int n) {
  for (int k = 0; k < 3; ++k) p.position[k] += by[k];
  p.tags[n % 5] += 1;
  p.mass *= 1.5;
  p.kind ^= 0xff;
  return p;
}
extern "C" __global__ void structs_by_value(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Particle p = {
      {1.0f * (in[i] >> 20), 2, 3}, {1, 2, 3, 4, 5}, static_cast<unsigned char>(in[i]), 0.1 * i};
  const float step[3] = {0.5f, 0.25f, 0.125f};
  for (unsigned k = 0; k < 1 + in[i] % 4; ++k) p = moved(p, step, static_cast<int>(in[i] >> k));
  int tags = 0;
  for (short tag : p.tags) tags = tags * 10 + tag;
  out[4 * i] = __float_as_uint(p.position[0] + p.position[1] * p.position[2]);
  out[4 * i + 1] = static_cast<unsigned>(tags);
  out[4 * i + 2] = p.kind + sizeof(Particle) * 256;
  out[4 * i + 3] = __float_as_uint(static_cast<float>(p.mass));
}

union Word {
  float f;
  unsigned u;
  unsigned char bytes[4];
  struct {
    unsigned mantissa : 23, exponent : 8, sign : 1;
  } parts;
};
struct Fields {
  int a : 5;
  unsigned b : 9;
  long long c : 40;
  unsigned char d : 3, e : 5;
};
extern "C" __global__ void unions_and_bit_fields(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Word w;
  w.u = in[i];
  w.parts.exponent = 127 + i % 8;
  Fields f = {static_cast<int>(in[i]), in[i] >> 5, static_cast<long long>(in[i]) << 20, 0, 0};
  f.a += 7;
  f.b *= 3;
  f.c -= f.a;
  f.d = in[i] >> 9;
  f.e = f.d + f.b;
  out[i] = __float_as_uint(w.f * 1.5f) ^ w.bytes[in[i] & 3] ^ static_cast<unsigned>(f.a + f.b) ^
           static_cast<unsigned>(f.c >> 7) ^ f.e << 11;
}

namespace tables {
__device__ int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
__device__ const double reals[3] = {1.5, -2.25, 1e100};
__constant__ unsigned char small[16] = "a string";
struct Entry {
  int key;
  const int* values;
  char tag;
  float weight;
  Operation call;
};
__device__ Entry entries[3] = {{1, primes, 'x', 1.5f, add},
                               {2, primes + 3, 'y', -2, multiply},
                               {3, &primes[5], 'z', 0.25f, nullptr}};
__device__ int* moving = primes + 2;
__device__ const char* words[] = {"zero", "one", "two", "three"};
__constant__ const int* constant_pointer = primes + 1;
static __device__ unsigned long long big = 0x123456789abcdefull;
__device__ constexpr int kSquares[] = {0, 1, 4, 9, 16, 25};
struct Packed {
  char c;
  int* p;
  short s;
} __attribute__((packed));
__device__ Packed packed = {'q', primes + 6, -5};
}  // namespace tables
extern "C" __global__ void initialised_variables(unsigned* out, const unsigned* in) {
  using namespace tables;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  static const short steps[4] = {-1, 2, -3, 4};
  const Entry& e = entries[in[i] % 3];
  unsigned r = e.values[in[i] >> 8 & 1] * e.key + e.tag;
  if (e.call) r += static_cast<unsigned>(e.call(e.weight, 10) + 100);
  r = r * 31 + moving[in[i] >> 9 & 3] + words[in[i] >> 12 & 3][in[i] >> 14 & 1];
  r = r * 31 + small[in[i] >> 15 & 7] + constant_pointer[2] + kSquares[in[i] % 6] + steps[i & 3];
  r = r * 31 + static_cast<unsigned>(big >> (i & 31)) + *packed.p + packed.s + packed.c;
  out[i] = r + static_cast<unsigned>(__double_as_longlong(reals[i % 3]) >> 40);
}

struct Counter {
  int hits, misses;
  float history[8];
  __device__ void note(bool hit) { atomicAdd(hit ? &hits : &misses, 1); }
};
extern "C" __global__ void shared_objects(unsigned* out, const unsigned* in) {
  __shared__ Counter counter[2];
  __shared__ struct {
    unsigned short a[3];
    union {
      int i;
      float f;
    };
  } mixed;
  if (threadIdx.x < 2) counter[threadIdx.x] = Counter{};
  if (threadIdx.x == 63) mixed.a[1] = 7, mixed.f = 1.5f;
  __syncthreads();
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  counter[in[i] & 1].note(in[i] % 3 == 0);
  if (threadIdx.x < 16) counter[threadIdx.x / 8].history[threadIdx.x % 8] = in[i] * 0.5f;
  __syncthreads();
  const Counter copy = counter[threadIdx.x & 1];
  out[i] = copy.hits * 1000 + copy.misses + __float_as_uint(copy.history[threadIdx.x % 8]) +
           mixed.a[1] + mixed.i;
}

struct Vector {
  int n;
  int* data;
  __device__ explicit Vector(int count) : n(count), data(new int[count]) {}
  __device__ Vector(const Vector& other) : Vector(other.n) {
    for (int k = 0; k < n; ++k) data[k] = other.data[k];
  }
  __device__ ~Vector() { delete[] data; }
  __device__ int& operator[](int k) { return data[k]; }
};
extern "C" __global__ void new_and_delete(unsigned* out, const unsigned* in) {
  const unsigned t = threadIdx.x;
  Vector v(static_cast<int>(in[t] % 10 + 2));
  for (int k = 0; k < v.n; ++k) v[k] = static_cast<int>(in[t] >> k);
  Vector w = v;
  w[1] += 5;
  Shape* shape = in[t] & 1 ? static_cast<Shape*>(new Square(static_cast<int>(t)))
                           : new Circle(static_cast<int>(t));
  out[t] = static_cast<unsigned>(v[0] + w[1] * 3 + shape->area());
  delete shape;
}

struct Fraction {
  long long n, d;
  __device__ Fraction(long long a = 0, long long b = 1) : n(a), d(b) {
    long long x = a < 0 ? -a : a, y = b;
    while (y) {
      const long long z = x % y;
      x = y;
      y = z;
    }
    if (x) n /= x, d /= x;
  }
  __device__ Fraction operator+(const Fraction& o) const { return {n * o.d + o.n * d, d * o.d}; }
  __device__ Fraction operator*(const Fraction& o) const { return {n * o.n, d * o.d}; }
  __device__ Fraction& operator+=(const Fraction& o) { return *this = *this + o; }
  __device__ bool operator<(const Fraction& o) const { return n * o.d < o.n * d; }
  __device__ Fraction operator-() const { return {-n, d}; }
  __device__ Fraction& operator++() {
    n += d;
    return *this;
  }
  __device__ Fraction operator++(int) {
    Fraction old = *this;
    ++*this;
    return old;
  }
  __device__ explicit operator bool() const { return n != 0; }
  __device__ unsigned operator()(int k) const { return static_cast<unsigned>(n + d * k); }
};
__device__ Fraction operator""_f(unsigned long long n) {
  return Fraction(static_cast<long long>(n));
}
extern "C" __global__ void operators(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Fraction f(static_cast<int>(in[i]) >> 20, (in[i] & 63) + 1);
  f += f * 3_f;
  const Fraction before = f++;
  if (before < 0_f) f = -f;
  out[i] = f ? f(3) ^ before(-1) : 12345u;
}

struct Gadget {
  int a, b;
  __device__ int sum(int k) const { return a + b * k; }
  __device__ int difference(int k) const { return a - b + k; }
};
extern "C" __global__ void member_pointers(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const Gadget g = {static_cast<int>(in[i] & 0xffff), static_cast<int>(in[i] >> 16)};
  int (Gadget::*method)(int) const = in[i] & 1 ? &Gadget::sum : &Gadget::difference;
  int Gadget::*field = in[i] & 2 ? &Gadget::a : &Gadget::b;
  out[i] = static_cast<unsigned>((g.*method)(static_cast<int>(i)) * (g.*field));
}

__device__ void scale(float* __restrict__ to, const float* __restrict__ from, float by) {
  for (int k = 0; k < 4; ++k) to[k] = from[k] * by;
}
extern "C" __global__ void __launch_bounds__(64, 4)
    volatile_and_restrict(unsigned* out, const unsigned* __restrict__ in) {
  volatile __shared__ unsigned s[64];
  const unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = __ldg(in + i);
  __syncthreads();
  volatile int local[3] = {1, 2, static_cast<int>(t)};
  float from[4], to[4];
  for (int k = 0; k < 4; ++k) from[k] = static_cast<float>(s[(t + k) & 63] & 0xfff);
  scale(to, from, 0.5f);
  out[i] = __float_as_uint(to[0] + to[1] * to[2] - to[3]) + local[t % 3] + __ldcg(in + i) +
           __ldcs(in + 5);
  __stwt(out + i + 512, s[t ^ 1]);
}

enum class Color : unsigned char { kRed = 3, kGreen = 50, kBlue };
struct Pair {
  int first;
  float second;
};
template <typename T>
__device__ auto describe(T x) {
  if constexpr (sizeof(T) == 8)
    return static_cast<unsigned>(x * 2) ^ 8u;
  else if constexpr (sizeof(T) == 1)
    return static_cast<unsigned>(x) + 1u;
  else
    return static_cast<unsigned>(x);
}
template <auto kValue>
__device__ constexpr auto plus_one = kValue + 1;
__device__ constexpr unsigned hash_of(const char* s) {
  unsigned h = 2166136261u;
  while (*s) h = (h ^ static_cast<unsigned char>(*s++)) * 16777619u;
  return h;
}
extern "C" __global__ void modern_cpp(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto [whole, part] = Pair{static_cast<int>(in[i] >> 16), (in[i] & 0xffff) * 0x1p-16f};
  const Color colors[] = {Color::kRed, Color::kGreen, Color::kBlue};
  unsigned r = static_cast<unsigned>(colors[in[i] % 3]);
  if (const auto x = in[i] % 5; x > 2) r += x;
  constexpr unsigned h = hash_of("warp");
  using Long = unsigned long long;
  r += describe(static_cast<Long>(in[i])) + describe(static_cast<unsigned char>(in[i])) +
       describe(1.5f);
  for (const auto& c : "abc") r = r * 3 + static_cast<unsigned>(c);
  decltype(r) copy{r};
  out[i] = copy ^ h ^ static_cast<unsigned>(whole) ^ __float_as_uint(part) ^ plus_one<41> ^
           0b1011'0001u ^ alignof(double2);
}

// A stack machine that reads its program from the input.
extern "C" __global__ void interpreter(unsigned* out, const unsigned* in) {
  unsigned stack[16], top = 0;
  for (unsigned pc = 0, steps = 0; steps < 200; ++pc, ++steps) {
    const unsigned op = in[(threadIdx.x * 8 + pc) & 4095];
    if (top < 2) {
      stack[top++] = op >> 8;
      continue;
    }
    switch (op % 9) {
      case 0:
        stack[top - 2] += stack[top - 1];
        --top;
        break;
      case 1:
        stack[top - 2] *= stack[top - 1];
        --top;
        break;
      case 2:
        if (top < 16) stack[top] = stack[top - 2], ++top;
        break;
      case 3:
        stack[top - 1] ^= op;
        break;
      case 4:
        if (stack[top - 1] & 1) ++pc;
        break;
      case 5: {
        const unsigned x = stack[top - 1];
        stack[top - 1] = stack[top - 2];
        stack[top - 2] = x;
        break;
      }
      case 6:
        if (top < 16) stack[top++] = op;
        break;
      case 7:
        stack[top - 1] = stack[op >> 9 & 1 ? top - 2 : 0] - pc;
        break;
      case 8:
        pc += op >> 30;
        break;
    }
  }
  unsigned r = top;
  while (top) r = r * 33 + stack[--top];
  out[threadIdx.x] = r;
}

// More parameters than fit in registers, of every size.
__device__ __noinline__ double many(char a, short b, int c, long long d, float e, double f, bool g,
                                    uchar3 h, float4 i, ushort2 j, unsigned char k, double2 l,
                                    long4 m, const int* n, int3 o) {
  return a + b + c + static_cast<double>(d) + e + f + g + h.x + h.y + h.z + i.x * i.w + j.y + k +
         l.x - l.y + m.z + *n + o.x * o.z;
}
extern "C" __global__ void wide_parameters(unsigned* out, const unsigned* in) {
  const unsigned t = threadIdx.x, x = in[t];
  const int local = static_cast<int>(x >> 3);
  const double r = many(static_cast<char>(x), static_cast<short>(x), static_cast<int>(x),
                        static_cast<long long>(x) * x, x * 0.5f, x * 0.25, x & 1,
                        make_uchar3(x, x >> 8, x >> 16), make_float4(x & 7, 1, 2, 3.5f),
                        make_ushort2(x, x >> 16), x >> 4, make_double2(x / 3.0, t),
                        make_long4(1, 2, x, 4), &local, make_int3(x & 3, 5, 7));
  out[2 * t] = static_cast<unsigned>(__double2loint(r));
  out[2 * t + 1] = static_cast<unsigned>(__double2hiint(r));
}
