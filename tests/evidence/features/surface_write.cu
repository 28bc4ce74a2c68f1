// SPDX-License-Identifier: Apache-2.0
// A store through a surface.
// launch: --kernel writes --grid 1 --block 32 --arg u64:0 --arg out:i32:32
__global__ void writes(cudaSurfaceObject_t surface, int* out) {
  surf1Dwrite(7, surface, threadIdx.x * 4);
  out[threadIdx.x] = 1;
}
