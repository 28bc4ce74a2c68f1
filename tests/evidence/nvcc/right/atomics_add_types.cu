// SPDX-License-Identifier: Apache-2.0
// atomicAdd of integers, floats and doubles.
// launch: --kernel sums --grid 2 --block 64 --arg inout:i32:1:zeros --arg inout:u64:1:zeros --arg inout:f32:1:zeros --arg inout:f64:1:zeros
__global__ void sums(int* i, unsigned long long* u, float* f, double* d) {
  atomicAdd(i, static_cast<int>(threadIdx.x) - 20);
  atomicAdd(u, 1ull << 40);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
}
