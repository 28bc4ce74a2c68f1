// SPDX-License-Identifier: Apache-2.0
// A struct with bit-fields in shared memory.
// launch: --kernel packed --grid 1 --block 32 --arg out:u32:32
struct Packed {
  unsigned x : 5;
  unsigned y : 11;
  int z : 7;
  bool flag : 1;
};
__global__ void packed(unsigned* out) {
  __shared__ Packed all[32];
  const int t = threadIdx.x;
  all[t] = {unsigned(t), unsigned(t * 33), t - 16, t % 2 == 1};
  __syncthreads();
  const Packed p = all[t ^ 3];
  out[t] = p.x + 100 * p.y + 1000000 * p.flag + p.z;
}
