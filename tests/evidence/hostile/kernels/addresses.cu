// SPDX-License-Identifier: Apache-2.0
// Kernels that request too much memory, or access memory that they must not. A part begins with
// //// and its name; KERNEL, OUT, SIZE, INDEX and T are as in barriers.cu.
//// out_of_bounds_in_every_thread
KERNEL { OUT[SIZE + INDEX * 1000003ull] = in[-1 - (long long)INDEX]; }
//// misaligned_in_every_thread
KERNEL { *reinterpret_cast<double*>(reinterpret_cast<char*>(OUT) + 3 + INDEX) = 1; }
//// null_pointer
KERNEL { *static_cast<volatile T*>(nullptr) = in[0]; }
//// every_bit_pattern_as_a_pointer
KERNEL {
  for (int k = 0; k < 64; ++k) OUT[0] += *reinterpret_cast<volatile T*>((1ull << k) + INDEX * 8);
}
//// last_bytes_of_the_address_space
KERNEL { OUT[0] = *reinterpret_cast<volatile T*>(0ull - sizeof(T)); }
//// device_array_of_16_gib
__device__ char huge[16ull << 30];
KERNEL { huge[INDEX] = 1; OUT[0] = huge[(16ull << 30) - 1]; }
//// device_array_of_3_gib_touched_sparsely
__device__ char huge[3ull << 30];
KERNEL { for (unsigned long long k = INDEX; k < sizeof huge; k += 1ull << 20) huge[k] = 1; }
//// device_array_of_1_gib_touched_everywhere
__device__ unsigned huge[1u << 28];
KERNEL { for (unsigned k = INDEX; k < 1u << 28; k += gridDim.x * gridDim.y * blockDim.x * blockDim.y) huge[k] = k; }
//// device_array_of_1_gib_touched_by_the_page
__device__ char huge[1ull << 30];
KERNEL { for (unsigned long long k = INDEX * 4096ull; k < sizeof huge; k += 4096ull * 256) atomicOr((int*)&huge[k], 1); }
//// constant_array_of_1_mib
__constant__ char huge[1 << 20];
KERNEL { OUT[0] = huge[INDEX % (1 << 20)]; }
//// initialised_array
__device__ int filled[1 << 20] = {1, 2, 3};
KERNEL { OUT[0] = filled[INDEX % (1 << 20)]; }
//// shared_array_of_1_gib
KERNEL { __shared__ char huge[1 << 30]; huge[threadIdx.x] = 1; __syncthreads(); OUT[0] = huge[5]; }
//// shared_array_of_48_kib_and_1
KERNEL { __shared__ char most[48 * 1024 + 1]; most[threadIdx.x] = 1; __syncthreads(); OUT[0] = most[5]; }
//// local_array_of_256_mib
KERNEL { volatile char stack[256 << 20]; stack[INDEX] = 1; OUT[0] = stack[INDEX % 77]; }
//// local_array_of_500_kib
KERNEL { volatile char stack[500 << 10]; for (int k = 0; k < 500 << 10; k += 64) stack[k] = k; OUT[0] = stack[77]; }
//// local_array_of_128_kib_in_every_thread
KERNEL {
  volatile int stack[32 << 10];
  for (int k = 0; k < 32 << 10; k += 16) stack[k] = k;
  OUT[0] = stack[INDEX % 2048 * 16];
}
//// array_of_variable_length
KERNEL { T room[SIZE]; room[0] = in[0]; OUT[0] = room[0]; }
//// alloca_of_everything
KERNEL { char* room = static_cast<char*>(__builtin_alloca(1 << 28)); room[INDEX] = 1; OUT[0] = room[5]; }
//// infinite_recursion
__device__ __noinline__ int deeper(int n) { volatile int room[64]; room[n & 63] = n; return deeper(n + 1) + room[n & 63]; }
KERNEL { OUT[0] = deeper(INDEX); }
//// exponential_recursion
__device__ __noinline__ int twice(int n) { return n <= 0 ? 1 : twice(n - 1) + twice(n - 2); }
KERNEL { OUT[0] = twice(60); }
//// stack_address_kept_in_a_variable
__device__ int* volatile kept;
KERNEL { int mine = INDEX; if (kept) *kept = 5; kept = &mine; __syncthreads(); OUT[0] = *kept; }
//// frees_what_it_never_took
KERNEL { free(OUT); free((void*)in); free((void*)8); free((void*)~0ull); }
//// frees_twice
KERNEL { void* p = malloc(16); free(p); free(p); OUT[0] = in[0]; }
//// uses_after_free
KERNEL { int* p = static_cast<int*>(malloc(16)); free(p); p[0] = 1; OUT[0] = p[1]; }
//// malloc_of_absurd_sizes
KERNEL { for (int k = 0; k < 64; ++k) { char* p = (char*)malloc(~0ull >> k); if (p) p[0] = 1; } OUT[0] = in[0]; }
//// heap_filled_and_read
KERNEL { volatile char* p = (char*)malloc(8 << 20); if (p) for (int k = 0; k < 8 << 20; k += 8) p[k] = 1; }
//// memcpy_of_everything
KERNEL { memcpy(OUT, in, ~0ull >> 1); }
//// memset_over_all
KERNEL { memset((void*)OUT, 0xff, 1ull << 40); }
//// writes_the_code
__device__ __noinline__ int helper(int x) { return x * 3; }
KERNEL {
  auto* volatile code = reinterpret_cast<unsigned long long*>(reinterpret_cast<void*>(&helper));
  OUT[0] = T(code[1]);
  *code = 0;
  OUT[0] = helper(5);
}
//// jumps_anywhere
KERNEL { void (*const somewhere)() = reinterpret_cast<void (*)()>(INDEX * 16ull + 8); somewhere(); }
//// shared_address_as_a_global_one
KERNEL {
  __shared__ int here;
  asm volatile("st.global.u32 [%0], 1;" ::"l"((unsigned long long)__cvta_generic_to_shared(&here)));
}
//// parameters_overwritten
KERNEL { asm volatile("{ .reg .u64 %a; mov.u64 %a, 0; cvta.param.u64 %a, %a; st.u32 [%a], 5; }"); }
//// races_everywhere
KERNEL { __shared__ T one; one = in[INDEX % SIZE]; OUT[0] = one; OUT[1] = one; }
//// all_threads_write_all_elements
KERNEL { for (unsigned k = 0; k < (unsigned)SIZE; ++k) OUT[k] = in[k]; }
//// uninitialised_everywhere
KERNEL { T room[64]; T x; __shared__ T more[64]; OUT[0] = room[INDEX % 64] + x + more[INDEX % 64]; }
