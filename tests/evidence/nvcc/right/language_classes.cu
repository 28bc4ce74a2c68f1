// SPDX-License-Identifier: Apache-2.0
// C++: classes, structs and their members. corpus.py describes the parts.

//--- language_alignas_struct
// alignas(16) on a struct of three floats allows vector accesses.
// launch: --kernel reversed --grid 1 --block 32 --arg out:f32:96
struct alignas(16) Vector {
  float x, y, z;
};
__global__ void reversed(float* out) {
  __shared__ Vector all[32];
  const int t = threadIdx.x;
  all[t] = {1.0f * t, 2.0f * t, 3.0f * t};
  __syncthreads();
  const Vector v = all[31 - t];
  out[3 * t] = v.x;
  out[3 * t + 1] = v.y;
  out[3 * t + 2] = v.z;
}

//--- language_array_of_structs
// Arrays of structs that contain arrays, indexed at run time.
// launch: --kernel rows --grid 1 --block 32 --arg out:i32:32
struct Row {
  int values[3];
  unsigned char count;
};
__global__ void rows(int* out) {
  Row all[4];
  for (int i = 0; i < 4; ++i) {
    all[i].count = i % 3 + 1;
    for (int j = 0; j < 3; ++j) all[i].values[j] = i * j + threadIdx.x;
  }
  const Row row = all[threadIdx.x % 4];
  int sum = 0;
  for (int j = 0; j < row.count; ++j) sum += row.values[j];
  out[threadIdx.x] = sum;
}

//--- language_bit_fields
// A struct with bit-fields in shared memory.
// launch: --kernel packed --grid 1 --block 32 --arg out:u32:32
struct Packed {
  unsigned x : 5;
  unsigned y : 11;
  int z : 7;
  bool flag : 1;
};
__global__ void packed(unsigned* out) {
  __shared__ Packed all[32];
  const int t = threadIdx.x;
  all[t] = {unsigned(t), unsigned(t * 33), t - 16, t % 2 == 1};
  __syncthreads();
  const Packed p = all[t ^ 3];
  out[t] = p.x + 100 * p.y + 1000000 * p.flag + p.z;
}

//--- language_crtp
// The curiously recurring template pattern.
// launch: --kernel run --grid 1 --block 32 --arg out:i32:32
template <typename Derived>
struct Base {
  __device__ int run(int x) const { return static_cast<const Derived*>(this)->step(x) + 1; }
};
struct Doubler : Base<Doubler> {
  __device__ int step(int x) const { return 2 * x; }
};
__global__ void run(int* out) { out[threadIdx.x] = Doubler().run(threadIdx.x); }

//--- language_designated_initializers
// Designated initialisers of a struct.
// launch: --kernel ranges --grid 1 --block 32 --arg out:i32:32
struct Range {
  int first, last, step;
};
__global__ void ranges(int* out) {
  const Range r = {.first = 2, .last = 40, .step = 3};
  int sum = 0;
  for (int i = r.first; i < r.last; i += r.step) sum += i * threadIdx.x;
  out[threadIdx.x] = sum;
}

//--- language_destructor
// A destructor that runs at the end of a block.
// launch: --kernel counted --grid 1 --block 32 --arg out:i32:32
struct Counter {
  int* to;
  __device__ explicit Counter(int* t) : to(t) {}
  __device__ ~Counter() { *to += 10; }
};
__global__ void counted(int* out) {
  int total = threadIdx.x;
  for (int i = 0; i < 3; ++i) {
    Counter counter(&total);
    if (i == 1) continue;
    total *= 2;
  }
  out[threadIdx.x] = total;
}

//--- language_enum_class
// enum class values with arithmetic through static_cast.
// launch: --kernel walk --grid 1 --block 32 --arg out:i32:32
enum class Direction : unsigned char { kNorth, kEast, kSouth, kWest };
__device__ Direction turn(Direction d) { return static_cast<Direction>((static_cast<int>(d) + 1) % 4); }
__global__ void walk(int* out) {
  Direction d = Direction::kNorth;
  int x = 0, y = 0;
  for (unsigned i = 0; i <= threadIdx.x; ++i, d = turn(d)) {
    switch (d) {
      case Direction::kNorth: y += i; break;
      case Direction::kEast: x += i; break;
      case Direction::kSouth: y -= 1; break;
      case Direction::kWest: x -= 1; break;
    }
  }
  out[threadIdx.x] = 1000 * x + y;
}

//--- language_inheritance
// Two base classes, a constructor with an initializer list, and a hidden member.
// launch: --kernel totals --grid 1 --block 32 --arg out:i32:32
struct Named {
  int id;
  __device__ Named(int i) : id(i) {}
};
struct Weighted {
  int weight = 3;
  __device__ int total() const { return weight * 10; }
};
struct Item : Named, Weighted {
  __device__ Item(int i, int w) : Named(i) { weight = w; }
  __device__ int total() const { return Weighted::total() + id; }
};
__global__ void totals(int* out) {
  const Item item(threadIdx.x, 2 * threadIdx.x);
  out[threadIdx.x] = item.total();
}

//--- language_local_struct
// A struct and an enum local to a kernel.
// launch: --kernel pairs --grid 1 --block 32 --arg out:i32:32
__global__ void pairs(int* out) {
  struct Local {
    int a, b;
    __device__ int sum() const { return a + b; }
  };
  enum { kOffset = 12 };
  const Local x = {int(threadIdx.x), kOffset};
  out[threadIdx.x] = x.sum();
}

//--- language_malloc_struct
// A linked list that a kernel allocates with malloc and frees again.
// launch: --kernel lists --grid 1 --block 4 --arg out:i32:4
struct Node {
  int value;
  Node* next;
};
__global__ void lists(int* out) {
  Node* head = nullptr;
  for (unsigned i = 0; i <= threadIdx.x + 2; ++i) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    *node = {int(i * i), head};
    head = node;
  }
  int sum = 0;
  while (head != nullptr) {
    Node* next = head->next;
    sum = 10 * sum + head->value;
    free(head);
    head = next;
  }
  out[threadIdx.x] = sum;
}

//--- language_move_only
// A struct with a move constructor and a deleted copy.
// launch: --kernel moved --grid 1 --block 32 --arg out:i32:32
struct Handle {
  int value;
  __device__ explicit Handle(int v) : value(v) {}
  Handle(const Handle&) = delete;
  __device__ Handle(Handle&& other) : value(other.value) { other.value = -1; }
};
__device__ Handle make(int v) { return Handle(v + 1); }
__global__ void moved(int* out) {
  Handle a = make(threadIdx.x);
  Handle b(static_cast<Handle&&>(a));
  out[threadIdx.x] = 1000 * b.value + a.value;
}

//--- language_new_delete
// new and delete of an array in a kernel.
// launch: --kernel rows --grid 1 --block 8 --arg out:i32:8
__global__ void rows(int* out) {
  const int n = threadIdx.x + 1;
  int* row = new int[n];
  for (int i = 0; i < n; ++i) row[i] = i * i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += row[i];
  delete[] row;
  out[threadIdx.x] = sum;
}

//--- language_operator_overloads
// A struct with overloaded operators, one of them a friend.
// launch: --kernel polynomial --grid 1 --block 32 --arg out:f32:64
struct Complex {
  float re, im;
  __device__ Complex operator+(Complex b) const { return {re + b.re, im + b.im}; }
  __device__ friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  __device__ Complex& operator+=(Complex b) { return *this = *this + b; }
};
__global__ void polynomial(float* out) {
  const Complex z = {0.5f * threadIdx.x, 1};
  Complex sum = {1, 0}, power = z;
  for (int i = 0; i < 3; ++i) {
    sum += power;
    power = power * z;
  }
  out[2 * threadIdx.x] = sum.re;
  out[2 * threadIdx.x + 1] = sum.im;
}

//--- language_padded_struct
// A struct with padding, copied as a whole through shared memory.
// launch: --kernel nearest --grid 1 --block 32 --arg out:i32:32
struct Nearest {
  double distance;
  short index;
};
__global__ void nearest(int* out) {
  __shared__ Nearest best[32];
  const int t = threadIdx.x;
  best[t] = {double((t * 13) % 32), short(t)};
  __syncthreads();
  for (int step = 16; step > 0; step /= 2) {
    if (t < step && best[t + step].distance < best[t].distance) best[t] = best[t + step];
    __syncthreads();
  }
  out[t] = best[0].index + int(best[0].distance);
}

//--- language_placement_new
// Placement new in shared memory.
// launch: --kernel cells --grid 1 --block 32 --arg out:i32:32
#include <new>
struct Cell {
  int a = 4;
  int b;
  __device__ explicit Cell(int x) : b(x) {}
};
__global__ void cells(int* out) {
  __shared__ alignas(Cell) unsigned char room[32 * sizeof(Cell)];
  Cell* cell = new (room + threadIdx.x * sizeof(Cell)) Cell(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = reinterpret_cast<Cell*>(room)[31 - threadIdx.x].b * cell->a;
}

//--- language_shared_constructor
// A shared object with a nontrivial constructor.
struct Counter {
  int value;
  __device__ Counter() : value(3) {}
};
__global__ void kernel(int* out) {
  __shared__ Counter counter;
  out[threadIdx.x] = counter.value;
}

//--- language_shared_member
// __shared__ on a member of a struct.
struct Tile {
  __shared__ int values[32];
};
__global__ void kernel(int* out) {
  Tile tile;
  out[threadIdx.x] = tile.values[0];
}

//--- language_static_constexpr_member
// A static constexpr member of a traits class.
// launch: --kernel formats --grid 1 --block 32 --arg out:i32:64
template <typename T>
struct Traits;
template <>
struct Traits<float> {
  static constexpr int kBits = 32, kMantissa = 23;
};
template <>
struct Traits<double> {
  static constexpr int kBits = 64, kMantissa = 52;
};
template <typename T>
__device__ int exponent_bits() {
  return Traits<T>::kBits - Traits<T>::kMantissa - 1;
}
__global__ void formats(int* out) {
  out[threadIdx.x] = exponent_bits<float>();
  out[32 + threadIdx.x] = exponent_bits<double>() + threadIdx.x;
}

//--- language_struct_parameter
// A struct passed to a kernel by value.
// launch: --kernel scaled --grid 1 --block 32 --arg struct:0300000000000040 --arg out:f32:32
struct Settings {
  int count;
  float factor;
};
__global__ void scaled(Settings settings, float* out) { out[threadIdx.x] = settings.factor * threadIdx.x + settings.count; }

//--- language_structured_bindings
// A structured binding of a struct that a device function returns.
// launch: --kernel divisions --grid 1 --block 32 --arg out:i32:64
struct Division {
  int quotient;
  int remainder;
};
__device__ Division divide(int a, int b) { return {a / b, a % b}; }
__global__ void divisions(int* out) {
  const auto [q, r] = divide(100 + threadIdx.x, 7);
  out[2 * threadIdx.x] = q;
  out[2 * threadIdx.x + 1] = r;
}

//--- language_union_bits
// A union reads a float's bits as an integer.
// launch: --kernel exponents --grid 1 --block 32 --arg out:u32:32
union Bits {
  float value;
  unsigned bits;
};
__global__ void exponents(unsigned* out) {
  Bits b;
  b.value = 0.37f * (1 + threadIdx.x);
  out[threadIdx.x] = (b.bits >> 23) - 127;
}

//--- language_virtual_functions
// Virtual functions of objects constructed in the kernel.
// launch: --kernel areas --grid 1 --block 32 --arg out:f32:32
struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Rectangle : Shape {
  float a, b;
  __device__ Rectangle(float x, float y) : a(x), b(y) {}
  __device__ float area() const override { return a * b; }
};
__global__ void areas(float* out) {
  const Square square(threadIdx.x);
  const Rectangle rectangle(2, threadIdx.x);
  const Shape* shape = &square;
  if (threadIdx.x % 3 == 1) shape = &rectangle;
  out[threadIdx.x] = shape->area();
}
