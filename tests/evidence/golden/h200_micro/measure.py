#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what limits a card's L2 and DRAM: lines and sectors a second, by how they are asked for.

    python3 tests/evidence/golden/h200_micro/measure.py > h200.csv     # a machine with a card and CuPy

A row is group, name, value, unit. README.md says what each group is, and which number of the
profile comes from it. Times are medians between two events, less 4 us that a launch takes.
"""

import cupy as cp
import numpy as np
SOURCE = r'''
extern "C" {
// each warp: `lines` distinct 128-B lines a request, lanes spread evenly; passes over own region in L2
__global__ void lines_load(unsigned* out, const unsigned* in, unsigned mask, int lanes_per_line, int n, unsigned words_apart){
  unsigned w=(blockIdx.x*blockDim.x+threadIdx.x)/32, l=threadIdx.x%32;
  unsigned at=(w*977u)*32u*32u + (l/lanes_per_line)*words_apart + l%lanes_per_line;
  unsigned s=0;
  #pragma unroll 8
  for(int i=0;i<n;++i){ s+=__ldcg(in+(at&mask)); at+=32u*1024u+32u; }
  if(s==0x12345) out[0]=s;
}
__global__ void lines_store(unsigned* out, unsigned mask, int lanes_per_line, int n, unsigned words_apart){
  unsigned w=(blockIdx.x*blockDim.x+threadIdx.x)/32, l=threadIdx.x%32;
  unsigned at=(w*977u)*32u*32u + (l/lanes_per_line)*words_apart + l%lanes_per_line;
  #pragma unroll 8
  for(int i=0;i<n;++i){ out[at&mask]=i; at+=32u*1024u+32u; }
}
__global__ void lines_red(unsigned* out, unsigned mask, int lanes_per_line, int n, unsigned words_apart){
  unsigned w=(blockIdx.x*blockDim.x+threadIdx.x)/32, l=threadIdx.x%32;
  unsigned at=(w*977u)*32u*32u + (l/lanes_per_line)*words_apart + l%lanes_per_line;
  #pragma unroll 8
  for(int i=0;i<n;++i){ atomicAdd(out+(at&mask),l); at+=32u*1024u+32u; }
}
__global__ void chase(unsigned* out,const unsigned* in,unsigned mask,int lanes_per_line,unsigned step,int n){
  unsigned l=threadIdx.x%32; unsigned at=(l/lanes_per_line)*step*3u;
  long long t0=clock64();
  for(int i=0;i<n;++i){ at=(at+step*37u+__ldcg(in+(at&mask))); }
  long long t1=clock64();
  if(l==0) out[0]=(unsigned)((t1-t0)/n);
  if(at==77) out[1]=1;
}
__device__ unsigned hash(unsigned i){ i=(i^(i>>16))*0x7feb352du; i=(i^(i>>15))*0x846ca68bu; return i^(i>>16);}
// random pieces of `piece` lanes each with 4-B words, from a buffer of 2^bits words
__global__ void random_load(unsigned* out,const unsigned* in,int bits,int piece,int n){
  unsigned g=blockIdx.x*blockDim.x+threadIdx.x; unsigned s=0;
  #pragma unroll 8
  for(int i=0;i<n;++i){ unsigned h=hash((g/piece)*64u+i); unsigned at=((h>>(32-bits))&~(unsigned)(piece-1))+g%piece; s+=__ldcg(in+at);}
  if(s==0x12345) out[0]=s;
}
__global__ void random_store(unsigned* out,int bits,int piece,int n){
  unsigned g=blockIdx.x*blockDim.x+threadIdx.x;
  #pragma unroll 8
  for(int i=0;i<n;++i){ unsigned h=hash((g/piece)*64u+i); unsigned at=((h>>(32-bits))&~(unsigned)(piece-1))+g%piece; out[at]=i;}
}
__global__ void random_red(unsigned* out,int bits,int piece,int n){
  unsigned g=blockIdx.x*blockDim.x+threadIdx.x;
  #pragma unroll 8
  for(int i=0;i<n;++i){ unsigned h=hash((g/piece)*64u+i); unsigned at=((h>>(32-bits))&~(unsigned)(piece-1))+g%piece; atomicAdd(out+at,g);}
}
// all on `words` words; lanes take words lane*apart
__global__ void same_red(unsigned* out,unsigned words,int apart,int n){
  unsigned w=(blockIdx.x*blockDim.x+threadIdx.x)/32,l=threadIdx.x%32;
  for(int i=0;i<n;++i) atomicAdd(out+((l*apart+w*0)%words),l+i);
}
__global__ void same_red_f(float* out,unsigned words,int apart,int n){
  unsigned l=threadIdx.x%32;
  for(int i=0;i<n;++i) atomicAdd(out+((l*apart)%words),1.0f+l);
}
__global__ void random_bins(unsigned* out,unsigned words,int n){
  unsigned g=blockIdx.x*blockDim.x+threadIdx.x;
  for(int i=0;i<n;++i) atomicAdd(out+hash(g*64u+i)%words,1u);
}
__global__ void same_atom(unsigned* out,unsigned words,int apart,int n){
  unsigned l=threadIdx.x%32; unsigned s=0;
  for(int i=0;i<n;++i) s+=atomicAdd(out+((l*apart)%words),l+i);
  if(s==0x1234567) out[words]=s;
}
__global__ void l2_read(float4* out,const float4* in,unsigned mask,int n){
  unsigned g=blockIdx.x*blockDim.x+threadIdx.x; unsigned t=gridDim.x*blockDim.x; float s=0;
  #pragma unroll 8
  for(int i=0;i<n;++i){ float4 v=__ldcg(in+((g+i*t)&mask)); s+=v.x+v.y+v.z+v.w; }
  if(s==1.2345f) out[0]=make_float4(s,s,s,s);
}
__global__ void l2_write(float4* out,unsigned mask,int n){
  unsigned g=blockIdx.x*blockDim.x+threadIdx.x; unsigned t=gridDim.x*blockDim.x;
  #pragma unroll 8
  for(int i=0;i<n;++i) out[(g+i*t)&mask]=make_float4(i,i,i,i);
}
__global__ void l2_copy(float4* out,const float4* in,unsigned mask,int n){
  unsigned g=blockIdx.x*blockDim.x+threadIdx.x; unsigned t=gridDim.x*blockDim.x;
  #pragma unroll 8
  for(int i=0;i<n;++i) out[(g+i*t)&mask]=__ldcg(in+((g+i*t)&mask));
}
}
'''
mod=cp.RawModule(code=SOURCE,options=('-std=c++17',))
f=lambda n: mod.get_function(n)
big=cp.zeros(1<<30,dtype=cp.uint32)     # 4 GB
big2=cp.zeros(1<<28,dtype=cp.uint32)
def t(fn,grid,block,args,rep=7):
    best=[]
    for i in range(rep):
        a=cp.cuda.Event();b=cp.cuda.Event();a.record();fn((grid,),(block,),args);b.record();b.synchronize()
        best.append(cp.cuda.get_elapsed_time(a,b)*1e-3)
    return sorted(best)[len(best)//2]
u=np.uint32;I=np.int32
def out(g,n,v,unit): print(f'{g},{n},{v:.6g},{unit}',flush=True)
clk=1.98e9
mask=u((1<<22)-1)   # 16 MB
for k in ('load','store','red'):
  for blocks in (8,33,66,132,264):
    for lpl in (1,2,4,8,16,32):
      if blocks not in (132,) and lpl not in (1,4,32): continue
      n=256
      apart=u(32)
      args=(big,big2,mask,I(lpl),I(n),apart) if k=='load' else (big,mask,I(lpl),I(n),apart)
      s=t(f('lines_'+k),blocks,1024,args)-4e-6
      warps=blocks*32*n; lines=32//lpl
      out('lines_'+k,f'blocks={blocks} lanes_a_line={lpl} lines={lines}',warps*lines/s/1e9,'Glines/s')
# neighbouring lines vs far apart rows; also sectors within a line
for apart in (8,32,64,1024,8192,8193,8200):
  for k in ('load','store'):
    n=256; args=(big,big2,mask,I(1),I(n),u(apart)) if k=='load' else (big,mask,I(1),I(n),u(apart))
    s=t(f('lines_'+k),132,1024,args)-4e-6
    out('apart_'+k,f'words_apart={apart}',132*32*n*32/s/1e9,'Glanes/s')
res=cp.zeros(4,dtype=cp.uint32)
for lpl in (32, 16, 8, 4, 2, 1):
  for _ in range(2):  # once to bring the data to L2
    f('chase')((1,), (32,), (res, big, u((1 << 22) - 1), I(lpl), u(32 * 33), I(1024)))
  out('chase_l2', f'lines={32 // lpl}', float(res[0]), 'clocks')
for bits in (20,22,23,26,28,30):
  for piece in (1,2,8,16,32,64,128):
    n=16; g=132*16
    s=t(f('random_load'),g,1024,(big2,big,I(bits),I(piece),I(n)),5)-4e-6
    out('random_load',f'bytes={4<<bits} piece={4*piece}',g*1024*n/piece/s/1e9,'Gpieces/s')
    if piece in (1,8,16,32):
      s=t(f('random_store'),g,1024,(big,I(bits),I(piece),I(n)),5)-4e-6
      out('random_store',f'bytes={4<<bits} piece={4*piece}',g*1024*n/piece/s/1e9,'Gpieces/s')
    if piece in (1,):
      s=t(f('random_red'),g,1024,(big,I(bits),I(piece),I(n)),5)-4e-6
      out('random_red',f'bytes={4<<bits} piece={4*piece}',g*1024*n/piece/s/1e9,'Gpieces/s')
for fn in ('same_red','same_red_f','same_atom'):
  for words,apart in ((1,1),(8,1),(32,1),(256,8),(1024,32),(32768,1024)):
    n=16;g=132*2
    s=t(f(fn),g,256,(big,u(words),I(apart),I(n)))-4e-6
    out(fn,f'words={words} apart={apart}',g*8*n/s/1e9,'Gwarps/s')
for words in (1,8,32,64,256,1024,4096,65536,1<<20):
    n=16;g=132*8
    s=t(f('random_bins'),g,256,(big,u(words),I(n)))-4e-6
    out('random_bins',f'words={words}',g*256*n/s/1e9,'Glanes/s')
for mb in (4,16,32):
  m=u((mb<<20)//16-1); n=64;g=132*8
  for k,a in (('read',(big,big2,m,I(n))),('write',(big,m,I(n))),('copy',(big,big2,m,I(n)))):
    s=t(f('l2_'+k),g,256,a)-4e-6
    out('l2_'+k,f'MB={mb}',g*256*n*16*(2 if k=='copy' else 1)/s/1e9,'GB/s')
