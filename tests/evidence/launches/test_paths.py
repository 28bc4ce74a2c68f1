# SPDX-License-Identifier: Apache-2.0
"""Checks that a sample of blocks and the whole launch give the same time, that DRAM traffic is
that of two cards, and that the predictions behind the published errors are up to date.

Argument: `predict`. `compare.py --whole` does the same with all launches that fit.
"""

import pathlib
import sys
import types
import unittest

import bands
import compare
import launches
import light

PREDICT = pathlib.Path(sys.argv.pop())
SMALL = ("blocks_tiny_1x32", "chase_l1", "special_expf_one_warp", "double_one_warp", "atomic_shared_same_u32_1",
         "copy_plain_1mb", "copy_plain_4mb", "integer_mad", "reduction_many_shuffles", "transpose_tile_1024",
         "gather_20", "histogram_global")
# Launches that fit in L2, that do not fit, and that write partial sectors.
MOVED = ("copy_plain_128mb", "gather_26", "gather_by_index_27", "gather_float4_24", "scatter_26", "scatter_window_14",
         "sparse_ell_20", "stencil_seven_points_32x8", "atomic_global_own_f32", "type_grey")
DIFFERENT = 0.1  # of all bytes moved
OF_NO_RESOURCE = ("launch overhead", "first loads", "tail", "sleeping")
BUSY = 0.75  # The least share of the time without the launch overhead in which a bound is busy.
ROUNDED = 1.0001
EVERY = 9  # One launch in this many is predicted again.


def predicted(card, names, is_whole):
    options = types.SimpleNamespace(program=PREDICT, card=card, whole=is_whole)
    chosen = [one for one in launches.read() if one.name in names]
    return {row["name"]: row for row in compare.predict(chosen, options)}


class Paths(unittest.TestCase):
    def test_a_sample_and_the_whole_launch_take_the_same_time(self):
        for card in ("h200", "h100"):
            sampled, whole = (predicted(card, SMALL, is_whole) for is_whole in (False, True))
            self.assertEqual(set(SMALL), set(sampled))
            for name in SMALL:
                with self.subTest(name, card=card):
                    self.assertTrue(sampled[name]["seconds"], sampled[name]["why_not"])
                    self.assertEqual(sampled[name]["seconds"], whole[name]["seconds"])

    def test_dram_moves_what_it_moves_on_a_card(self):
        for card in ("h200", "h100"):
            _, counted = launches.read_measured(launches.FOLDER / f"{card}_counters.csv")
            rows = predicted(card, MOVED, False)
            for name in MOVED:
                there = [float(counted[name][column]) for column in ("dram_read_bytes", "dram_written_bytes")]
                here = [float(rows[name][column]) for column in ("dram_read", "dram_written")]
                with self.subTest(name, card=card):
                    for of_card, ours in zip(there, here):
                        self.assertAlmostEqual(of_card, ours, delta=DIFFERENT * sum(there))


class Published(unittest.TestCase):
    def explain(self, row):
        """The parts explain the time, and the bound is the part that lasts longest or long enough."""
        seconds, parts = float(row["seconds"]), row["parts"]
        self.assertAlmostEqual(1, sum(parts.values()) / seconds, delta=1e-4)
        executing = seconds - parts["launch overhead"]
        busiest = {part: time for part, time in parts.items() if part not in OF_NO_RESOURCE and not part.startswith("waiting")}
        self.assertLessEqual(len(busiest), 1)
        if row["bound_by"] == "latency":
            self.assertLess(sum(busiest.values()), BUSY * executing * ROUNDED)
        elif row["bound_by"] == "launch overhead":
            self.assertEqual(max(parts, key=parts.get), "launch overhead")
        else:
            self.assertIn(row["bound_by"], busiest)
            self.assertGreaterEqual(busiest[row["bound_by"]], BUSY * executing / ROUNDED)

    def compare_speed_of_light(self, rows):
        for group, difference, _ in light.differences({name: row["speed_of_light"] for name, row in rows.items()}):
            with self.subTest(group.name):
                self.assertLessEqual(difference, group.wanted)

    def test_predictions_and_their_speed_of_light_are_near_those_of_today(self):
        for card in bands.CARDS:
            kept = {name: row for name, row in bands.predictions(card).items() if row["seconds"]}
            names = sorted(kept)[::EVERY]
            rows = predicted(card, names, False)
            if card == "h200":
                self.compare_speed_of_light(rows)
            for name, row in rows.items():
                with self.subTest(name, card=card):
                    self.explain(row)
                    self.assertEqual(kept[name]["seconds"], row["seconds"],
                                     "predict all again: see the head of bands.py")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
