// SPDX-License-Identifier: Apache-2.0
// __nv_atomic_load_n, __nv_atomic_store_n and __nv_atomic_fetch_add.
// launch: --kernel loads --grid 1 --block 32 --arg inout:i32:32:iota
__global__ void loads(int* data) {
  const int x = __nv_atomic_load_n(data + threadIdx.x, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store_n(data + threadIdx.x, x * 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_add(data + threadIdx.x, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
