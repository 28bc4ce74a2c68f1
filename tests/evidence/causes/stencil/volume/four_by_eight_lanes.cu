// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_store|uncoalesced_load|partial_sectors line=19
// says: A warp covers eight rows of four points, so it uses half of each sector: let threadIdx.x
//   be the column.
// never: plane is still in L2
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int t = threadIdx.y * 32 + threadIdx.x;
  const int x = blockIdx.x * 32 + t / 8, y = blockIdx.y * 8 + t % 8;
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny;
  const bool is_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  int i = y * nx + x;
  float below = 0, centre = in[i];
  for (int z = 0; z < nz; ++z, i += plane) {
    const float above = z + 1 < nz ? in[i + plane] : 0;
    float result = centre;
    if (!is_side && z > 0 && z < nz - 1)
      result = centre / 4 + (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above) / 8;
    out[i] = result;
    below = centre;
    centre = above;
  }
}
