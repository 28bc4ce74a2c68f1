// SPDX-License-Identifier: Apache-2.0
// cause: index_overflow line=11
// says: The offset is counted in bytes in an int: row * pitch passes 2^31 in a plane of 32800 x
//   32800 floats and becomes negative; compute it in 64 bits.
// A plane of floats, addressed as in cudaMallocPitch: a base and the bytes of a row.
struct Plane {
  const char* base;
  int pitch;

  __device__ float operator()(int row, int column) const {
    const int offset = row * pitch + column * 4;
    return *reinterpret_cast<const float*>(base + offset);
  }
};

__global__ void heat(float* out, const float* in, int width, int height) {
  const Plane old{reinterpret_cast<const char*>(in), width * 4};
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= width || r >= height) return;

  float* const target = out + static_cast<size_t>(r) * width + c;
  const bool border = c == 0 || r == 0 || c == width - 1 || r == height - 1;
  if (border) {
    *target = old(r, c);
    return;
  }
  const float sum = old(r, c) + old(r, c - 1) + old(r, c + 1) + old(r - 1, c) + old(r + 1, c);
  *target = 0.2f * sum;
}
