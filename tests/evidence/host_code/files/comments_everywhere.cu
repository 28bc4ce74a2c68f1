// SPDX-License-Identifier: Apache-2.0
// Comments inside of heads and bodies, with braces, quotes and directives in them.
// left out: main
/* main() { */
int /* the result */ main /* of */ ( /* nothing } */ )  // {
{
  // it's "unbalanced {
  /*
#endif
   } */
  return 0;  // }
}
__global__ /* void */ void /* int */ mark(int* /* out */ x) {  // }
  x[threadIdx.x] = /* 1 */ 2;
}
