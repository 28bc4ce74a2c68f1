// SPDX-License-Identifier: Apache-2.0
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
