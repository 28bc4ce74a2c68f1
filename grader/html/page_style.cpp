// SPDX-License-Identifier: Apache-2.0
#include "grader/html/page_style.h"

namespace warpgrade::grader {

// Text has a contrast of 4.5 to 1 at least against its ground, in both schemes.
const std::string_view kPageStyle = R"css(
:root {
  color-scheme: light dark;
  --ground: #fbfbf9; --card: #ffffff; --text: #1b1f24; --quiet: #59616b; --rule: #dfe2e6;
  --good: #14713f; --bad: #b3261e; --open: #8a5a00; --link: #0b57a8;
  --good-ground: #e3f3e8; --bad-ground: #fce8e6; --open-ground: #fdf1d8;
  --bar: #3874b8; --sector: #e6e8ec; --code: #f3f4f6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --card: #1c2026; --text: #e7eaee; --quiet: #a3adb9; --rule: #353c46;
    --good: #6fd39a; --bad: #ff9d94; --open: #f0c268; --link: #8cc0ff;
    --good-ground: #173324; --bad-ground: #43201d; --open-ground: #3d2f12;
    --bar: #6aa5e8; --sector: #333a44; --code: #23282f;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1rem; max-width: 84rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.35rem; margin: 0.5rem 0; }
h2 { font-size: 1.25rem; margin: 0; }
h3 { font-size: 1.05rem; margin: 1.75rem 0 0.5rem; }
h4 { font-size: 1rem; margin: 0; font-weight: 600; }
p { margin: 0.4rem 0; max-width: 46rem; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Consolas, monospace; font-size: 0.85rem; }
pre { margin: 0.5rem 0; padding: 0.6rem; background: var(--code); border-radius: 6px; overflow-x: auto; }
.quiet { color: var(--quiet); font-size: 0.9rem; }
section.exercise { background: var(--card); border: 1px solid var(--rule); border-radius: 10px;
  padding: 1rem; margin: 1.25rem 0; }
nav ol { list-style: none; padding: 0; margin: 0.5rem 0; }
nav li { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: center; padding: 0.15rem 0;
  border-bottom: 1px solid var(--rule); }
nav li a { flex: 1 1 14rem; }
nav svg { flex: 0 1 8rem; height: 0.6rem; }
.head { display: flex; flex-wrap: wrap; gap: 0.4rem 0.8rem; align-items: baseline; }
.badge { font-weight: 700; padding: 0.1rem 0.6rem; border-radius: 999px; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); }
.badge.good { background: var(--good-ground); } .badge.bad { background: var(--bad-ground); }
.badge.open { background: var(--open-ground); }
.next { border-left: 4px solid var(--link); padding: 0.2rem 0 0.2rem 0.8rem; margin: 0.8rem 0; }
.finding { border-left: 4px solid var(--bad); padding: 0.2rem 0 0.2rem 0.8rem; margin: 0.8rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; overflow-wrap: normal; }
th, td { text-align: left; padding: 0.25rem 0.9rem 0.25rem 0; border-bottom: 1px solid var(--rule);
  vertical-align: top; }
th { color: var(--quiet); font-weight: 600; }
.wide table { width: 100%; }
.wide td:last-child { min-width: 16rem; }
/* In a narrow place, such as a notebook, a gate's meaning is below its numbers. */
.gates { container-type: inline-size; }
@container (max-width: 60rem) {
  .gates table { display: grid; grid-template-columns: repeat(7, auto); }
  .gates tbody { display: contents; }
  .gates tr { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; }
  .gates tr > * { border: 0; padding-right: 0.6rem; }
  .gates tr > :last-child { grid-column: 1 / -1; position: sticky; left: 0; box-sizing: border-box;
    width: 100cqi; min-width: 0; contain: inline-size; padding-bottom: 0.6rem;
    border-bottom: 1px solid var(--rule); }
  .gates th:last-child { display: none; }
}
/* On a phone it is a few lines per gate, with the heads in front of the numbers. */
@container (max-width: 30rem) {
  .gates table, .gates tbody { display: block; }
  .gates tr { display: flex; flex-wrap: wrap; column-gap: 0.8rem; }
  .gates tr:first-child { display: none; }
  .gates tr > * { padding: 0.1rem 0; }
  .gates tr > :nth-child(2) { flex: 1 0 calc(100% - 4rem); }
  .gates .number { text-align: left; }
  .gates .number small { display: inline; }
  .gates .number::before { color: var(--quiet); }
  .gates .number:nth-child(4)::before { content: "yours "; }
  .gates .number:nth-child(5)::before { content: "needed "; }
  .gates .number:nth-child(6)::before { content: "skeleton "; }
  .gates .number:nth-child(7)::before { content: "points "; }
}
td.number small { display: block; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bars { display: grid; grid-template-columns: max-content 1fr max-content; gap: 0.2rem 0.6rem;
  align-items: center; font-size: 0.9rem; max-width: 46rem; }
.bars svg { width: 100%; height: 1rem; }
.source { font-size: 0.85rem; border: 1px solid var(--rule); border-radius: 6px; overflow-x: auto; }
.source table { width: 100%; font-size: inherit; }
.source td, .source th { border: 0; padding: 0 0.6rem; white-space: pre; }
.source th { border-bottom: 1px solid var(--rule); padding: 0.25rem 0.6rem; }
.source td:last-child { white-space: pre-wrap; min-width: 20rem; }
.source th:last-child { white-space: normal; overflow-wrap: anywhere; }
.source td.counts { color: var(--quiet); text-align: right; font-variant-numeric: tabular-nums; }
.source .counts .bad { color: var(--bad); font-weight: 600; }
.source.uncounted tr > :nth-child(2):not([colspan]), .source.uncounted tr > :nth-child(3) { display: none; }
.source tr.hit td { background: var(--bad-ground); }
.source tr.touch td { background: var(--code); }
.source tr.rest td { color: var(--quiet); padding: 0.2rem 0.6rem; }
figure { margin: 1rem 0; padding: 0.8rem 0 0; border-top: 1px solid var(--rule); }
.stage { width: 100%; max-width: 60rem; margin: 0.6rem 0; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
  gap: 0.5rem 1.5rem; align-items: start; }
.pair h5 { font-size: 0.9rem; margin: 0.4rem 0 0; font-weight: 600; color: var(--quiet); }
.stage svg { display: block; max-width: 100%; }
.controls { display: flex; flex-wrap: wrap; gap: 0.5rem 1.2rem; align-items: center; margin-top: 0.4rem;
  font-size: 0.9rem; }
.controls label { display: inline-flex; align-items: center; gap: 0.4rem; }
.controls select, .controls input { font: inherit; max-width: 14rem; min-height: 2rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
output { display: block; max-width: 46rem; margin: 0.3rem 0; }
.cost { display: flex; flex-wrap: wrap; gap: 0.3rem 1.5rem; margin: 0.4rem 0; }
.cost b { font-size: 1.3rem; font-variant-numeric: tabular-nums; }
svg text { fill: var(--quiet); font: 11px system-ui, "DejaVu Sans", sans-serif; }
svg text.tick { text-anchor: middle; } svg text.end { text-anchor: end; }
svg text.strong { fill: var(--text); }
svg text.inside { text-anchor: middle; fill: var(--ground); font-size: 10px; font-weight: 600; }
svg .link { fill: none; stroke-width: 1; opacity: 0.75; }
svg .sector { fill: var(--sector); }
svg .bracket { fill: none; stroke: var(--quiet); }
svg .grid { fill: none; stroke: var(--ground); stroke-width: 1; vector-effect: non-scaling-stroke; }
.beside { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: flex-start; }
.beside > div { flex: 1 1 16rem; }
svg .slot { fill: none; stroke: var(--rule); }
svg .off { stroke: var(--rule); fill: none; }
svg .asked { stroke: var(--text); stroke-width: 1.8; }
svg .pale { opacity: 0.32; }
svg .dot { fill: var(--text); }
svg.roofline { display: block; width: 100%; max-width: 40rem; }
svg .roof { fill: none; stroke: var(--bar); stroke-width: 2.5; }
svg .gap { stroke: var(--bad); stroke-dasharray: 3 3; }
svg .track { fill: var(--sector); } svg .fill { fill: var(--bar); }
svg .fill.good { fill: var(--good); } svg .fill.bad { fill: var(--bad); }
svg .mark { stroke: var(--text); stroke-width: 2; }
svg .right { fill: var(--sector); } svg .wrong { fill: var(--bad); } svg .unwritten { fill: var(--open); }
.key { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; font-size: 0.9rem; }
.key svg { width: 0.9rem; height: 0.9rem; vertical-align: -0.1rem; }
.race { display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr); gap: 0.6rem; align-items: stretch;
  margin: 0.6rem 0; }
.race pre, figcaption pre { white-space: pre-wrap; }
.race > div { border: 1px solid var(--rule); border-radius: 8px; padding: 0.5rem 0.7rem; background: var(--code); }
.race > .gap { border: 0; background: none; color: var(--bad); align-self: center; text-align: center;
  font-weight: 600; max-width: 9rem; }
@media (max-width: 50rem) { .race { grid-template-columns: minmax(0, 1fr); } .race > .gap { max-width: none; } }
details { margin: 0.5rem 0; } summary { cursor: pointer; color: var(--link); }
footer { color: var(--quiet); font-size: 0.9rem; margin: 1.5rem 0; }
@media (max-width: 40rem) {
  .source .requests { display: none; }
  .source td, .source th { padding: 0 0.3rem; }
  .source td:last-child { min-width: 0; overflow-wrap: anywhere; }
}
@media print { section.exercise { border: 0; padding: 0; } }
)css";

}  // namespace warpgrade::grader
