// SPDX-License-Identifier: Apache-2.0
// Classes and functors that host and device share.

//--- abstract_backends
// Virtual functions in a host class hierarchy.
// left out: Backend, CudaBackend, run, name, main
#include <iostream>
#include <memory>
class Backend {
 public:
  virtual ~Backend() = default;
  virtual void run(float* data, int n) = 0;
  virtual const char* name() const { return "none"; }
};
__global__ void ramp(float* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = i;
}
class CudaBackend final : public Backend {
 public:
  void run(float* data, int n) override { ramp<<<(n + 255) / 256, 256>>>(data, n); }
  const char* name() const override { return "cuda"; }
};
int main() {
  std::unique_ptr<Backend> backend = std::make_unique<CudaBackend>();
  std::cout << backend->name();
}

//--- buffer_template
// A class template that owns device memory, used only by host code.
// left out: DeviceBuffer, DeviceBuffer, operator, data, size, upload, test
#include <utility>
#include <vector>

template <typename T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(size_t n) : size_{n}, data_{nullptr} { cudaMalloc(&data_, n * sizeof(T)); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer(DeviceBuffer&& other) noexcept : size_(other.size_), data_(std::exchange(other.data_, nullptr)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  T* data() { return data_; }
  size_t size() const noexcept { return size_; }
  void upload(const std::vector<T>& from);

 private:
  size_t size_;
  T* data_;
};

__global__ void increment(int* p, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++p[i];
}

void test() {
  DeviceBuffer<int> buffer(1000);
  increment<<<4, 256>>>(buffer.data(), buffer.size());
}

//--- constexpr_class
// A class with constexpr members, which the compiler treats as host functions, in constants.
// left out: main
struct Shape {
  int rows, columns;
  constexpr Shape(int r, int c) : rows(r), columns(c) {}
  constexpr int size() const { return rows * columns; }
};
constexpr Shape kTile(8, 32);
constexpr int kSize = kTile.size(), kLast = kSize - 1;
__global__ void tiles(int* out) {
  __shared__ int tile[kSize];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = tile[kLast - threadIdx.x];
}
int main() { tiles<<<1, kTile.size()>>>(nullptr); }

//--- enums_and_switch
// Enumerations and a struct that host and device share.
// left out: to_string, launch
enum class Order { rows, columns, diagonal };
enum Flags : unsigned { kNone = 0, kFast = 1 << 0, kSafe = 1 << 1 };
struct Config {
  Order order = Order::rows;
  unsigned flags = kNone;
};
const char* to_string(Order order) {
  switch (order) {
    case Order::rows: return "rows";
    case Order::columns: return "columns";
    default: return "diagonal";
  }
}
__global__ void index(int* out, Config config) {
  int i = threadIdx.x;
  switch (config.order) {
    case Order::rows: out[i] = i; break;
    case Order::columns: out[i] = 31 - i; break;
    default: out[i] = (config.flags & kFast) ? i * i : 0;
  }
}
void launch(int* out) { index<<<1, 32>>>(out, Config{Order::diagonal, kFast | kSafe}); }

//--- functors
// Thrust's and user-defined functors in a kernel template.
// left out: main
// instances: reduce_with<Larger> reduce_with<thrust::plus<float>>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/transform_reduce.h>
struct Larger {
  __host__ __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};
template <typename Op>
__global__ void reduce_with(float* x) {
  Op op;
  for (int h = 16; h > 0; h /= 2)
    x[threadIdx.x] = op(x[threadIdx.x], __shfl_down_sync(~0u, x[threadIdx.x], h));
}
int main() {
  thrust::device_vector<float> v(32);
  reduce_with<Larger><<<1, 32>>>(v.data().get());
  reduce_with<thrust::plus<float>><<<1, 32>>>(v.data().get());
  return (int)thrust::reduce(v.begin(), v.end(), 0.f, Larger());
}

//--- members_outside_of_the_class
// Member functions defined outside their class, with initialisers.
// left out: Image, Image, load, row, operator, total, Image, Image, load, row, operator, total
#include <cstdlib>
class Image {
 public:
  Image(int w, int h);
  ~Image();
  bool load(const char* path);
  float* row(int y) const;
  float& operator()(int x, int y);
  __device__ float at(int x, int y) const { return pixels_[y * width_ + x]; }
  static int total;

 private:
  int width_, height_;
  float* pixels_;
};
Image::Image(int w, int h) : width_{w}, height_(h), pixels_{(float*)malloc(sizeof(float) * w * h)} {}
Image::~Image() { free(pixels_); }
bool Image::load(const char* path) { return path != nullptr; }
float* Image::row(int y) const { return pixels_ + y * width_; }
float& Image::operator()(int x, int y) { return row(y)[x]; }
int Image::total = 0;
__global__ void sample(float* out, const Image* image) {
  out[threadIdx.x] = image->at(threadIdx.x, threadIdx.x);
}

//--- nested_classes_and_friends
// Host-only nested classes, friends and member templates in a class used by both sides.
// left out: Grid, make, swap, launch, describe
#include <ostream>
class Grid {
 public:
  struct Index {
    int x, y;
    __device__ Index() : x(blockIdx.x * blockDim.x + threadIdx.x), y(blockIdx.y) {}
  };
  Grid(float* data, int pitch) : data_(data), pitch_(pitch) {}
  template <typename T>
  static Grid make(T* data) {
    return Grid(data, 32);
  }
  friend void swap(Grid& a, Grid& b) {
    float* data = a.data_;
    a.data_ = b.data_;
    b.data_ = data;
  }
  __device__ float& operator()(Index i) { return data_[i.y * pitch_ + i.x]; }
  void launch();
  float* data_;
  int pitch_;
};
__global__ void mark(Grid grid) { grid(Grid::Index()) = 1; }
void describe(std::ostream& out, const Grid& grid) { out << grid.pitch_; }

//--- operators
// Host and device operators for the same type.
// left out: operator, operator, main
#include <iostream>
struct Vec3 {
  float x, y, z;
};
__host__ __device__ inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ inline Vec3 operator*(float s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
std::ostream& operator<<(std::ostream& out, const Vec3& v) {
  return out << '(' << v.x << ", " << v.y << ", " << v.z << ')';
}
bool operator==(const Vec3& a, const Vec3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
__global__ void advance(Vec3* position, const Vec3* velocity, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  position[i] = position[i] + dt * velocity[i];
}
int main() {
  Vec3 v{1, 2, 3};
  std::cout << v << std::endl;
}

//--- parameters_with_constructor
// A struct with host constructors and functions that the kernel takes by value.
// left out: Params, Params, print, run
#include <cstdio>

struct Params {
  int width, height;
  float scale;
  Params() : width(0), height(0), scale(1) {}
  Params(int w, int h) : width{w}, height{h}, scale{1.0f} {}
  void print() const { printf("%d x %d\n", width, height); }
  __host__ __device__ int area() const { return width * height; }
};

__global__ void apply(float* data, Params p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.area()) data[i] *= p.scale;
}

void run(float* data) {
  Params p(640, 480);
  p.print();
  apply<<<(p.area() + 127) / 128, 128>>>(data, p);
}

//--- structured_bindings
// Structured bindings, tuples, optional and initialisers in conditions on the host.
// left out: best_shape, main
#include <iostream>
#include <map>
#include <optional>
#include <tuple>
std::tuple<int, int> best_shape(int n) { return {n / 32, 32}; }
__global__ void idle(int* x) { if (x) *x = 0; }
int main() {
  auto [blocks, threads] = best_shape(1024);
  std::map<int, std::optional<int>> cache{{1, 2}, {3, std::nullopt}};
  if (auto found = cache.find(blocks); found != cache.end() && found->second) std::cout << *found->second;
  for (const auto& [key, value] : cache) std::cout << key << value.value_or(0);
  idle<<<blocks, threads>>>(nullptr);
}

//--- types_with_host_functions
// A plain data type of the device with host functions before and after its fields.
// left out: parse, print, operator, main
#include <sstream>
#include <string>
struct Particle {
  static Particle parse(const std::string& text) {
    Particle p;
    std::istringstream(text) >> p.x >> p.y;
    return p;
  }
  float x, y;
  int cell = 0;
  void print() const;
  explicit operator bool() const { return cell != 0; }
};
__global__ void move(Particle* p, float dx) {
  p[threadIdx.x].x += dx;
  p[threadIdx.x].cell = static_cast<int>(p[threadIdx.x].x);
}
int main() { return Particle::parse("1 2") ? 0 : 1; }

//--- unions_and_bitfields
// Unions, bit fields, typedef struct, packed and aligned types.
// left out: dump, launch
#include <stdio.h>
#include <stdint.h>
typedef union {
  float f;
  uint32_t u;
} Bits;
typedef struct __align__(16) {
  unsigned sign : 1, exponent : 8, mantissa : 23;
  float padding[3];
} Parts;
struct alignas(8) Pair {
  int a, b;
};
static void dump(Parts p) { printf("%u %u %u\n", p.sign, p.exponent, p.mantissa); }
__global__ void split(Parts* out, const float* in) {
  Bits bits;
  bits.f = in[threadIdx.x];
  Parts p;
  p.sign = bits.u >> 31;
  p.exponent = bits.u >> 23 & 255;
  p.mantissa = bits.u & 0x7fffff;
  out[threadIdx.x] = p;
}
__global__ void swap_pairs(Pair* p) {
  Pair x = p[threadIdx.x];
  p[threadIdx.x] = {x.b, x.a};
}
void launch(Parts* out, const float* in) { split<<<1, 32>>>(out, in); dump(Parts{}); }
