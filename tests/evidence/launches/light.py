# SPDX-License-Identifier: Apache-2.0
"""Compares the modelled Speed of Light with Nsight Compute's on an H200 (h200_speed_of_light.csv).

    python3 tests/evidence/launches/light.py [NAME...]

Prints the mean difference of each metric in points for the halves `fit` and `held`, and the launches of
`held` that differ most.
"""

import collections
import pathlib
import sys
import types

import compare
import launches

Group = collections.namedtuple("Group", ["name", "wanted", "metrics"])
ELAPSED = ".avg.pct_of_peak_sustained_elapsed"
ACTIVE = ".avg.pct_of_peak_sustained_active"
# The mean difference, in points, that a test allows.
GROUPS = (
    Group("occupancy", 8, ["sm__warps_active" + ACTIVE]),
    Group("SM throughput", 8, ["sm__throughput" + ELAPSED]),
    Group("memory throughput", 8, ["gpu__compute_memory_throughput" + ELAPSED]),
    Group("L1 throughput", 8, ["l1tex__throughput" + ACTIVE]),
    Group("L2 throughput", 8, ["lts__throughput" + ELAPSED]),
    Group("DRAM throughput", 6, ["gpu__dram_throughput" + ELAPSED]),
    Group("L1 hits", 6, ["l1tex__t_sector_hit_rate.pct"]),
    Group("L2 hits", 10, ["lts__t_sector_hit_rate.pct"]),
    Group("issue slots", 6, ["smsp__issue_active" + ACTIVE]),
)
SHOWN = 5


def measured():
    """{name: {metric: value}} of the card; without launches of which it counted nothing."""
    _, rows = launches.read_measured(launches.FOLDER / "h200_speed_of_light.csv")
    out = {name: {metric: float(value) for metric, value in row.items() if metric != "name" and value}
           for name, row in rows.items()}
    return {name: row for name, row in out.items() if row["sm__inst_executed.avg.per_cycle_active"] > 0}


def differences(modelled):
    """[(group, mean difference, [(difference, name, modelled, measured)] from large to small)] of
    {name: {metric: value}}; launches without a modelled value do not count."""
    card = measured()
    for group in GROUPS:
        every = []
        for metric in group.metrics:
            for name in modelled:
                if name not in card or metric not in modelled[name]:
                    continue
                pair = modelled[name][metric], min(100, card[name][metric])
                every.append((abs(pair[0] - pair[1]), name, *pair))
        every.sort(reverse=True)
        yield group, sum(one[0] for one in every) / len(every), every


def main():
    program = pathlib.Path("build/tests/evidence/launches/predict")
    options = types.SimpleNamespace(program=program, card="h200", whole=False)
    chosen = [one for one in launches.read() if not sys.argv[1:] or one.name in sys.argv[1:]]
    modelled = {row["name"]: row["speed_of_light"] for row in compare.predict(chosen, options)}
    for half in ("fit", "held"):
        here = {name: row for name, row in modelled.items() if launches.half(name) == half}
        for group, mean, every in differences(here):
            print(f"{group.name:20} {half:5} {len(every):4} launches  {mean:5.1f} points")
            if half == "held":
                for difference, name, ours, theirs in every[:SHOWN]:
                    print(f"    {name:36} {ours:6.1f}, card {theirs:6.1f}")


if __name__ == "__main__":
    main()
