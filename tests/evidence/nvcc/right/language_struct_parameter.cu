// SPDX-License-Identifier: Apache-2.0
// A struct passed to a kernel by value.
// launch: --kernel scaled --grid 1 --block 32 --arg struct:0300000000000040 --arg out:f32:32
struct Settings {
  int count;
  float factor;
};
__global__ void scaled(Settings settings, float* out) { out[threadIdx.x] = settings.factor * threadIdx.x + settings.count; }
