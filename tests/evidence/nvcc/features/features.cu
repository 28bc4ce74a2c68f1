// SPDX-License-Identifier: Apache-2.0
// Features that the simulator lacks.

//--- multimem
// A reduction over the memory of several cards.
// launch: --kernel sums --grid 1 --block 32 --arg inout:f32:32:zeros
__global__ void sums(float* out) {
  asm volatile("multimem.red.relaxed.sys.global.add.f32 [%0], %1;" ::"l"(out + threadIdx.x), "f"(1.0f) : "memory");
}

//--- one_bit_product
// A matrix instruction on single bits.
// launch: --kernel products --grid 1 --block 32 --arg out:i32:64
__global__ void products(int* out) {
  int a = 1, b = 2, c0 = 0, c1 = 0;
  asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1}, {%2}, {%3}, {%0, %1};" : "+r"(c0), "+r"(c1) : "r"(a), "r"(b));
  out[2 * threadIdx.x] = c0;
  out[2 * threadIdx.x + 1] = c1;
}

//--- sparse_product
// A product of a sparse matrix on tensor cores.
// launch: --kernel products --grid 1 --block 32 --arg out:f32:128
__global__ void products(float* out) {
  float d[4] = {};
  asm volatile(
      "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4}, {%4,%4}, {%0,%1,%2,%3}, %5, 0x0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(0), "r"(0x44444444));
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
}

//--- surface_write
// A store through a surface.
// launch: --kernel writes --grid 1 --block 32 --arg u64:0 --arg out:i32:32
__global__ void writes(cudaSurfaceObject_t surface, int* out) {
  surf1Dwrite(7, surface, threadIdx.x * 4);
  out[threadIdx.x] = 1;
}

//--- tensor_copy
// The tensor copy engine with a descriptor.
// launch: --kernel copies --grid 1 --block 32 --arg in:u64:16:zeros --arg out:i32:32
__global__ void copies(const void* map, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ unsigned long long barrier;
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  const auto by = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(to),
      "l"(map), "r"(0), "r"(by)
      : "memory");
  out[threadIdx.x] = tile[threadIdx.x];
}

//--- texture_3d
// A texture of three dimensions.
// launch: --kernel reads --grid 1 --block 32 --arg u64:0 --arg out:f32:32
__global__ void reads(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex3D<float>(texture, threadIdx.x, 0.5f, 0.5f);
}
