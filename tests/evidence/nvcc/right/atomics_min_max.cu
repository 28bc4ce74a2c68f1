// SPDX-License-Identifier: Apache-2.0
// atomicMin and atomicMax, signed and unsigned.
// launch: --kernel bounds --grid 2 --block 64 --arg inout:i32:2:zeros --arg inout:u32:2:zeros --arg inout:i64:1:zeros
__global__ void bounds(int* i, unsigned* u, long long* l) {
  const int x = static_cast<int>(blockIdx.x * 64 + threadIdx.x) - 60;
  atomicMin(i, x);
  atomicMax(i + 1, x);
  atomicMin(u, static_cast<unsigned>(x));
  atomicMax(u + 1, static_cast<unsigned>(x));
  atomicMin(l, -1000ll * x);
}
