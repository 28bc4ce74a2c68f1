// SPDX-License-Identifier: Apache-2.0
// Written on Windows: a byte order mark, lines that end in CR LF, tabs, no line break at the end.
#define TILE	32
#define ROWS	8

__global__ void transpose(float *odata, \
			  const float *idata, int width, int height)
{
	__shared__ float tile[TILE][TILE+1];
	int x = blockIdx.x*TILE + threadIdx.x;
	int y = blockIdx.y*TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		if (x < width && y+i < height)
			tile[threadIdx.y+i][threadIdx.x] = idata[(y+i)*width + x];	// Zeilen, nicht Spalten: “größer”
	__syncthreads();
	x = blockIdx.y*TILE + threadIdx.x;
	y = blockIdx.x*TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		if (x < height && y+i < width)
			odata[(y+i)*height + x] = tile[threadIdx.x][threadIdx.y+i];
}