// SPDX-License-Identifier: Apache-2.0
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
