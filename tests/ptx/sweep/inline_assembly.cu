// SPDX-License-Identifier: Apache-2.0
// Inline assembly that courses write, and builtins without a header.
#include <cuda_fp16.h>
#define KERNEL(name) extern "C" __global__ void name(int* out, int* in)
KERNEL(builtin_atomics) {
  __nv_atomic_fetch_add(out, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store_n(out, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
  out[1] = __nv_atomic_load_n(in, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
}
KERNEL(byte_swap) { out[threadIdx.x] = __nv_bswap32(in[0]); }
KERNEL(clocks) {
  long long t = clock64();
  __nanosleep(100);
  out[0] = (int)(clock64() - t) + clock();
}
KERNEL(address_spaces) {
  out[threadIdx.x] = __isGlobal(out) + __isShared(out) + __isConstant(out) + __isLocal(out) +
                     __isGridConstant(out);
}
KERNEL(trap) {
  out[threadIdx.x] = in[threadIdx.x];
  __trap();
}
KERNEL(prefetches) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
  asm volatile("prefetchu.L1 [%0];" ::"l"(in));
  asm volatile("discard.global.L2 [%0],128;" ::"l"(out));
  asm volatile("applypriority.global.L2::evict_normal [%0],128;" ::"l"(out));
}
KERNEL(cache_policy) {
  unsigned long long p;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(p));
  int v;
  asm volatile("ld.global.L2::cache_hint.s32 %0,[%1],%2;" : "=r"(v) : "l"(in), "l"(p));
  asm volatile("st.global.L2::cache_hint.s32 [%0],%1,%2;" ::"l"(out), "r"(v), "l"(p));
}
KERNEL(loads) {
  int v;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.s32 %0,[%1];" : "=r"(v) : "l"(in));
  out[0] = v;
  asm volatile("ld.volatile.global.s32 %0,[%1];" : "=r"(v) : "l"(in));
  out[1] = v;
  asm volatile("ld.relaxed.gpu.global.s32 %0,[%1];" : "=r"(v) : "l"(in));
  asm volatile("ld.mmio.relaxed.sys.global.s32 %0,[%1];" : "=r"(v) : "l"(in));
  out[2] = v;
}
KERNEL(video) {
  int v;
  asm("vadd.s32.s32.s32 %0,%1,%2;" : "=r"(v) : "r"(in[0]), "r"(in[1]));
  out[0] = v;
  asm("vadd4.s32.s32.s32 %0,%1,%2,%3;" : "=r"(v) : "r"(in[0]), "r"(in[1]), "r"(in[2]));
  out[1] = v;
  asm("vmad.u32.u32.u32 %0,%1,%2,%3;" : "=r"(v) : "r"(in[0]), "r"(in[1]), "r"(in[2]));
  out[2] = v;
}
KERNEL(tf32) {
  float v;
  asm("cvt.rna.tf32.f32 %0,%1;" : "=f"(v) : "f"(__int_as_float(in[0])));
  out[0] = __float_as_int(v);
}
KERNEL(barriers) {
  out[0] = __activemask();
  asm volatile("barrier.sync 1, 64;");
  asm volatile("bar.warp.sync 0xffffffff;");
  asm volatile("bar.sync 2;");
  asm volatile("barrier.sync.aligned 3, 32;");
}
KERNEL(special_registers) {
  int w;
  asm("mov.u32 %0, WARP_SZ;" : "=r"(w));
  out[0] = w;
  asm("mov.u32 %0, %%smid;" : "=r"(w));
  out[1] = w;
  asm("mov.u32 %0, %%nsmid;" : "=r"(w));
  out[1] = w;
  asm("mov.u32 %0, %%envreg3;" : "=r"(w));
  out[2] = w;
}
KERNEL(remainders) {
  out[0] = warpSize;
  auto f = [](int x) { return x * 2; };
  out[1] = f(in[0]);
  double d = in[0];
  out[2] = (int)fmod(d, 3.0) + (int)remainder(d, 3.0) + lrint(d) + (int)ldexp(d, 3);
  int e;
  out[3] = (int)frexp(d, &e) + e;
}
KERNEL(remote_store) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(0),
               "r"(1), "r"(8));
}
KERNEL(bulk_copies) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(0),
      "l"(in), "r"(16), "r"(64));
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(64), "r"(16));
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;");
  asm volatile(
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0],[%1],16;" ::"l"(out),
      "r"(0));
  asm volatile("fence.proxy.async;");
  asm volatile("fence.mbarrier_init.release.cluster;");
}
KERNEL(multimem) {
  asm volatile("multimem.ld_reduce.relaxed.sys.global.add.f32 %0,[%1];"
               : "=f"(((float*)out)[0])
               : "l"(in));
}
KERNEL(elect) {
  unsigned p;
  asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0,1,0,p;}" : "=r"(p));
  out[0] = p;
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
}
KERNEL(matrices) {
  unsigned a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "r"(0));
  out[0] = a + b + c + d;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0,%1;" : "=r"(a) : "r"(b));
  out[1] = a;
}
KERNEL(vector_atomics) {
  asm volatile("red.global.add.v4.f32 [%0],{%1,%1,%1,%1};" ::"l"(out), "f"(1.0f));
  asm volatile("red.global.add.noftz.v2.f16x2 [%0],{%1,%1};" ::"l"(out), "r"(in[0]));
  asm volatile("red.global.add.v2.f32 [%0],{%1,%1};" ::"l"(out), "f"(1.0f));
}
KERNEL(approximations) {
  float f;
  asm("ex2.approx.ftz.f32 %0,%1;" : "=f"(f) : "f"(1.0f * in[0]));
  asm("tanh.approx.f32 %0,%0;" : "+f"(f));
  out[0] = (int)f;
  asm("copysign.f32 %0,%0,%1;" : "+f"(f) : "f"(-1.f));
  asm("fma.rn.relu.f16 %0,%0,%0,%0;" : "+h"(((short*)out)[9]));
  asm("fma.rn.oob.relu.f16 %0,%0,%0,%0;" : "+h"(((short*)out)[9]));
}
KERNEL(scalar_video) {
  int v;
  asm("bfind.u32 %0,%1;" : "=r"(v) : "r"(in[0]));
  asm("vshl.u32.u32.u32.clamp %0,%0,3;" : "+r"(v));
  asm("vset.u32.u32.lt %0,%0,3;" : "+r"(v));
  asm("vmin.s32.s32.s32 %0,%0,3;" : "+r"(v));
  asm("vabsdiff.u32.u32.u32 %0,%0,3;" : "+r"(v));
  out[0] = v;
}
#if __CUDA_ARCH__ >= 900
KERNEL(fences) {
  int v;
  asm("add.s32 %0,%0,1;" : "+r"(v));
  asm volatile("fence.acq_rel.cluster;");
  asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;");
  asm volatile("fence.proxy.alias;");
  asm volatile("fence.sc.gpu;");
}
#endif
KERNEL(remote_reduction) {
  asm volatile("red.async.relaxed.cluster.global.add.u32 [%0],%1;" ::"l"(out), "r"(1));
}
KERNEL(halves_of_a_register) {
  unsigned long long q;
  asm("{.reg .b32 t; mov.b64 {t,_}, %1; cvt.u64.u32 %0,t;}" : "=l"(q) : "l"((long long)in[0]));
  out[0] = (int)q;
}
KERNEL(exit) { asm volatile("exit;"); }
KERNEL(scopes) {
  int v;
  asm volatile("{.reg .u32 t<4>; mov.u32 t0, %%tid.x; add.u32 %0,t0,1;}" : "=r"(v));
  out[v] = v;
  asm volatile("{ .reg .pred p; setp.eq.s32 p,%0,3; @p bra DONE; add.s32 %0,%0,1; DONE: }"
               : "+r"(v));
  out[v] = 1;
}
