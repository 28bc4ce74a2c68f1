// SPDX-License-Identifier: Apache-2.0
// Two-dimensional clusters set at launch: the special registers of PTX.
// launch: --kernel registers --grid 4,4 --block 32 --cluster 2,2 --arg out:i32:256
__global__ void registers(int* out) {
  int v[16];
  asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v[0]));
  asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(v[1]));
  asm volatile("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(v[2]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v[3]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(v[4]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(v[5]));
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(v[6]));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(v[7]));
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(v[8]));
  asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(v[9]));
  asm volatile("mov.u32 %0, %%clusterid.z;" : "=r"(v[10]));
  asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(v[11]));
  asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(v[12]));
  asm volatile("mov.u32 %0, %%nclusterid.z;" : "=r"(v[13]));
  asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.s32 %0, 1, 0, p; }"
               : "=r"(v[14]));
  v[15] = blockIdx.y * 4 + blockIdx.x;
  if (threadIdx.x < 16) out[v[15] * 16 + threadIdx.x] = v[threadIdx.x];
}
