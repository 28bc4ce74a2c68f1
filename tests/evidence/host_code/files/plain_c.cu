// SPDX-License-Identifier: Apache-2.0
// C in the style of the 1990s: goto, comma operators, ternaries, K&R braces.
// left out: usage, main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define BLOCK 64
static int usage(const char *prog)
{
  fprintf(stderr, "usage: %s [-n N]\n", prog); return 1;
}
__global__ void
iota(int *p, int n)
{
    int i = blockIdx.x*BLOCK + threadIdx.x;

    if (i < n)
        p[i] = i;
}
int
main(int argc, char *argv[])
{
    int i, n = 100, *d = NULL, rc = 0;

    for (i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-n")) n = atoi(argv[++i]); else goto bad;
    if (cudaMalloc((void**)&d, n*sizeof *d)) { rc = 2; goto out; }
    iota<<<(n + BLOCK - 1)/BLOCK, BLOCK>>>(d, n);
out:
    cudaFree(d);
    return rc;
bad:
    return usage(argv[0]);
}
