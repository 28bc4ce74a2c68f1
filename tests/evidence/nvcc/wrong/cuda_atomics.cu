// SPDX-License-Identifier: Apache-2.0
// Atomic functions with arguments that they do not have. corpus.py describes the parts.

//--- cuda_atomic_add_long
// atomicAdd of a signed long long.
__global__ void kernel(long long* out) { atomicAdd(out, 1ll); }

//--- cuda_atomic_and_float
// atomicAnd of a float.
__global__ void kernel(float* out) { atomicAnd(out, 1.0f); }

//--- cuda_atomic_bool
// atomicOr of a bool.
__global__ void kernel(bool* flag) { atomicOr(flag, true); }

//--- cuda_atomic_by_value
// atomicAdd with a value instead of an address.
__global__ void kernel(int* out) { atomicAdd(out[0], 1); }

//--- cuda_atomic_cas_float
// atomicCAS of a float.
__global__ void kernel(float* out) { atomicCAS(out, 0.0f, 1.0f); }

//--- cuda_atomic_char
// atomicAdd of a char.
__global__ void kernel(char* out) { atomicAdd(out, 1); }

//--- cuda_atomic_const
// An atomic on a pointer to const.
__global__ void kernel(const int* out) { atomicAdd(out, 1); }

//--- cuda_atomic_inc_signed
// atomicInc of a signed int.
__global__ void kernel(int* out) { atomicInc(out, 10); }

//--- cuda_atomic_max_float
// atomicMax of a float.
__global__ void kernel(float* out, const float* in) { atomicMax(out, in[threadIdx.x]); }

//--- cuda_atomic_min_double
// atomicMin of a double.
__global__ void kernel(double* out, const double* in) { atomicMin(out, in[threadIdx.x]); }

//--- cuda_atomic_one_argument
// atomicAdd with one argument.
__global__ void kernel(int* out) { atomicAdd(out); }

//--- cuda_atomic_order
// A memory order that does not exist.
#include <cuda/atomic>
__global__ void kernel(int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(*out);
  ref.fetch_add(1, cuda::memory_order_weak);
}

//--- cuda_atomic_ref_const
// cuda::atomic_ref to a literal.
#include <cuda/atomic>
__global__ void kernel(int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(5);
  out[threadIdx.x] = ref.load();
}

//--- cuda_atomic_scope
// A scope that does not exist.
#include <cuda/atomic>
__global__ void kernel(int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_warp> ref(*out);
  ref.fetch_add(1);
}

//--- cuda_atomic_short
// atomicAdd of a short.
__global__ void kernel(short* out) { atomicAdd(out, short(1)); }

//--- cuda_atomic_sub_float
// atomicSub of a float.
__global__ void kernel(float* out, const float* in) { atomicSub(out, in[threadIdx.x]); }
