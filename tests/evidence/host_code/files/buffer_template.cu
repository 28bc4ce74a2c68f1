// SPDX-License-Identifier: Apache-2.0
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
