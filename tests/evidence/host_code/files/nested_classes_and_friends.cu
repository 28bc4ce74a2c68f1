// SPDX-License-Identifier: Apache-2.0
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
