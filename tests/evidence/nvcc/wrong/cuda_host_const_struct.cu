// SPDX-License-Identifier: Apache-2.0
// The address of a file-scope constexpr struct.
struct Settings {
  int first, last;
};
constexpr Settings kSettings = {1, 9};
__device__ int length(const Settings& s) { return s.last - s.first; }
__global__ void kernel(int* out) { out[threadIdx.x] = length(kSettings); }
