// SPDX-License-Identifier: Apache-2.0
// A constexpr variable template.
// launch: --kernel thirds --grid 1 --block 32 --arg out:f32:32
template <typename T>
constexpr T kThird = T(1) / T(3);
__global__ void thirds(float* out) { out[threadIdx.x] = threadIdx.x * kThird<float> + float(kThird<double>); }
