// SPDX-License-Identifier: Apache-2.0
// Launches each kernel of accesses.cu once, for a profiler (README.md).
#include <cstdio>

#include "accesses.cu"

int main() {
  int* out;
  cudaMalloc(&out, 4096);
  void (*const kernels[])(int*) = {
      a_nothing,
      b_ld_own,
      c_ld_remote,
      d_ld_remote_generic,
      e_ld_self_cluster,
      f_ld_self_generic,
      g_ld_remote_stride2,
      h_ld_remote_stride32,
      i_ld_remote_broadcast,
      j_ld_remote_mixed,
      k_ld_remote_v4,
      l_st_remote,
      m_st_remote_stride2,
      n_st_remote_stride32,
      o_atom_remote,
      p_red_remote,
      q_red_remote_one,
      r_atom_remote_one,
      s_atom_own,
      t_atom_self_cluster,
      u_ld_remote_8lanes,
      v_ld_remote_u8,
      w_st_remote_generic,
      x_st_own,
      y_ld_remote_mixed_halves,
  };
  for (const auto kernel : kernels) kernel<<<2, 32, 8192>>>(out);
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
