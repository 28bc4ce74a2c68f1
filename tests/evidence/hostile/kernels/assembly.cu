// SPDX-License-Identifier: Apache-2.0
// Inline PTX that no course needs, and text that is not PTX. A part begins with //// and its name;
// KERNEL, OUT, SIZE, INDEX and T are as in barriers.cu; NAME is the kernel's name.
//// garbage
KERNEL { asm volatile("this is no ptx at all"); }
//// only_semicolons
KERNEL { asm volatile(";;;;;;;;;"); OUT[0] = in[0]; }
//// unclosed_brace
KERNEL { asm volatile("{ .reg .u32 %a;"); OUT[0] = in[0]; }
//// closes_the_kernel
KERNEL { asm volatile("ret; } .visible .entry NAME() { ret;"); OUT[0] = in[0]; }
//// another_entry
KERNEL { asm volatile("ret;\n}\n.visible .entry other(.param .u64 a)\n{\nret;\n"); OUT[0] = in[0]; }
//// file_scope_entry
asm(".visible .entry NAME(.param .u64 a) { ret; }");
KERNEL { OUT[0] = in[0]; }
//// file_scope_variable
asm(".global .align 4 .b8 everything[4294967296];");
KERNEL { OUT[0] = in[0]; }
//// unclosed_comment
KERNEL { asm volatile("/* no end"); OUT[0] = in[0]; }
//// unclosed_string
KERNEL { asm volatile(".pragma \"nounroll;"); OUT[0] = in[0]; }
//// line_directives
KERNEL { asm volatile(".loc 99 99 99;\n.file 1 \"/etc/passwd\"\n# 7 \"reference.cu\"\n"); OUT[0] = in[0]; }
//// version_and_target
KERNEL { asm volatile(".version 1.0\n.target sm_10\n.address_size 32"); OUT[0] = in[0]; }
//// registers_without_end
KERNEL { asm volatile("{ .reg .u32 %many<4000000000>; mov.u32 %many5, 1; }"); OUT[0] = in[0]; }
//// registers_65536
KERNEL { asm volatile("{ .reg .u64 %many<65536>; mov.u64 %many65535, 1; }"); OUT[0] = in[0]; }
//// labels_twice
KERNEL { asm volatile("again: bra again;"); asm volatile("again: bra again;"); }
//// branch_to_itself
KERNEL { asm volatile("{ here: bra here; }"); }
//// branch_to_nowhere
KERNEL { asm volatile("bra nowhere;"); }
//// indirect_branch
KERNEL {
  asm volatile("{ .reg .u32 %i; mov.u32 %i, %0;\n t: .branchtargets a, b;\n brx.idx %i, t;\n a: bra b;\n b: }" ::"r"(INDEX));
}
//// breakpoint
KERNEL { asm volatile("brkpt;"); OUT[0] = in[0]; }
//// trap_in_one_lane
KERNEL { if (INDEX == 77) asm volatile("trap;"); OUT[0] = in[0]; }
//// trap_everywhere
KERNEL { __trap(); }
//// exit_everywhere
KERNEL { asm volatile("exit;"); }
//// returns_from_the_middle
KERNEL { if (INDEX & 1) asm volatile("ret;"); __syncthreads(); OUT[0] = in[0]; }
//// performance_events
KERNEL { asm volatile("pmevent 7;"); OUT[0] = in[0]; }
//// sets_registers
KERNEL { asm volatile("setmaxnreg.inc.sync.aligned.u32 232;"); OUT[0] = in[0]; }
//// special_registers
KERNEL {
  unsigned a, b, c; unsigned long long d;
  asm volatile("mov.u32 %0, %%envreg7; mov.u32 %1, %%pm0; mov.u32 %2, %%nsmid; mov.u64 %3, %%globaltimer;" : "=r"(a), "=r"(b), "=r"(c), "=l"(d));
  OUT[0] = T(a + b + c + d);
}
//// writes_a_special_register
KERNEL { asm volatile("mov.u32 %%tid.x, 5;"); OUT[0] = in[0]; }
//// tensor_cores
#include <mma.h>
KERNEL {
  using namespace nvcuda;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  OUT[0] = T(sum.x[0]);
}
//// matrices_multiplied
#include <cuda_fp16.h>
#include <mma.h>
KERNEL {
  using namespace nvcuda;
  __shared__ __half tile[256];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(a, tile, 16);
  wmma::load_matrix_sync(b, tile, 16);
  wmma::fill_fragment(sum, 0.0f);
  wmma::mma_sync(sum, a, b, sum);
  OUT[0] = T(sum.x[0]);
}
//// textures
KERNEL { OUT[0] = T(tex2D<float>(cudaTextureObject_t(INDEX), 1.0f, 2.0f)); }
//// surfaces
KERNEL { float x; surf2Dread(&x, cudaSurfaceObject_t(INDEX), 4, 4); OUT[0] = x; }
//// bulk_copies
KERNEL {
  __shared__ alignas(128) char room[1024];
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(OUT), "r"((unsigned)__cvta_generic_to_shared(room)));
}
//// clusters
KERNEL { asm volatile("barrier.cluster.arrive; barrier.cluster.wait;"); OUT[0] = in[0]; }
//// cluster_of_blocks
__cluster_dims__(2, 1, 1) KERNEL { OUT[0] = in[0]; }
//// predicates_without_end
KERNEL { asm volatile("{ .reg .pred p; setp.eq.u32 p, 1, 1; @!p @p @!p bra x; x: }"); }
//// alignment_of_3
KERNEL { asm volatile("{ .local .align 3 .b8 odd[7]; st.local.u32 [odd+1], 5; }"); }
//// vectors_of_eight
KERNEL { asm volatile("ld.global.v8.f32 {%0,%0,%0,%0,%0,%0,%0,%0}, [%1];" : "=f"(((float*)OUT)[0]) : "l"(in)); }
//// operands_that_are_missing
KERNEL { asm volatile("add.u32 %0, %1, %7;" : "=r"(((unsigned*)OUT)[0]) : "r"(1)); }
//// constraint_of_another_type
KERNEL { asm volatile("mov.u32 %0, %1;" : "=r"(((unsigned*)OUT)[0]) : "d"(1.0)); }
//// huge_immediates
KERNEL { asm volatile("{ .reg .u32 a; mov.u32 a, 99999999999999999999999999; add.u32 a, a, 0x1FFFFFFFFFFFFFFFF; }"); }
//// call_of_a_prototype
KERNEL { asm volatile("{ .reg .u64 f; mov.u64 f, 8; p: .callprototype _ (); call f, (), p; }"); }
//// pragma
KERNEL { asm volatile(".pragma \"nothing of the kind\";"); OUT[0] = in[0]; }
//// stack_save
KERNEL { asm volatile("{ .reg .u32 s; stacksave.u32 s; stackrestore.u32 0; }"); OUT[0] = in[0]; }
//// control_characters
KERNEL { asm volatile("\x1b[2J\x07\x00 bad \x9b"); }
//// system_calls
extern "C" __device__ int cudaDeviceSynchronize();
KERNEL { OUT[0] = cudaDeviceSynchronize(); }
//// launches_itself
__global__ void child() {}
KERNEL { child<<<1, 1>>>(); OUT[0] = in[0]; }
//// unknown_function
extern "C" __device__ int nobody_defines_this(int);
KERNEL { OUT[0] = nobody_defines_this(INDEX); }
//// vprintf_with_a_bad_pointer
extern "C" __device__ int vprintf(const char*, void*);
KERNEL { vprintf((const char*)(INDEX * 8ull), (void*)1); vprintf(nullptr, nullptr); }
