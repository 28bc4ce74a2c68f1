// SPDX-License-Identifier: Apache-2.0
// A user-defined literal operator in device code.
// launch: --kernel lengths --grid 1 --block 32 --arg out:f32:32
__host__ __device__ constexpr float operator""_km(long double x) { return float(x * 1000); }
__global__ void lengths(float* out) { out[threadIdx.x] = 1.5_km + threadIdx.x; }
