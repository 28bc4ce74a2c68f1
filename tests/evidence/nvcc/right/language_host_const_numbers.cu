// SPDX-License-Identifier: Apache-2.0
// Host constants used by value, and host arrays in constant expressions.
const int kSteps = 4;
const float kHalf = 0.5f;
const float kQuarter = kHalf * kHalf;
constexpr int kSizes[3] = {4, 5, 6};
constexpr int kLast = kSizes[2];
struct Settings {
  int first, last;
};
constexpr Settings kSettings = {1, 9};
__global__ void kernel(float* out) {
  __shared__ float part[kSizes[0]];
  if (threadIdx.x < kSteps) part[threadIdx.x] = kQuarter;
  __syncthreads();
  constexpr int second = kSizes[1];
  const Settings copy = kSettings;
  out[threadIdx.x] = kSteps * threadIdx.x + part[0] + kLast + second + copy.last +
                     sizeof(kSizes) / sizeof(kSizes[0]);
}
