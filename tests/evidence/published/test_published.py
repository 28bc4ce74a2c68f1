# SPDX-License-Identifier: Apache-2.0
"""Checks the published tables, the predictions stored beside them, and the errors that docs/fidelity.md states.

Argument: `predict`. compare.py predicts every row.
"""

import hashlib
import pathlib
import re
import sys
import unittest

import compare

PREDICT = pathlib.Path(sys.argv.pop())
FIDELITY = compare.ROOT / "docs/fidelity.md"
EVERY = 6  # One row in this many, by the hash of its name and card, is predicted again.
DIFFERENT = 1e-3
MOST_BYTES = 16000  # Tables are samples.


def is_chosen(row):
    return hashlib.sha256(f"{row['name']}@{row['card']}".encode()).digest()[0] % EVERY == 0


class Published(unittest.TestCase):
    def test_every_row_has_a_launch_and_a_prediction(self):
        predicted = compare.read_predicted()
        rows = {(name, row["name"], row["card"]) for name, row in compare.every()}
        self.assertEqual(rows, set(predicted))
        for name, row in compare.every():
            self.assertGreater(float(row["seconds"]), 0)
            launch = compare.LAUNCH[name](row["name"])
            self.assertLessEqual(launch.block[0] * launch.block[1], 1024, row["name"])

    def test_the_tables_are_small_and_name_their_source(self):
        for name in compare.SETS:
            text = (compare.FOLDER / f"{name}.csv").read_text(encoding="utf-8")
            self.assertLess(len(text), MOST_BYTES, name)
            self.assertRegex(text, r"^# .*\((MIT|CC BY 4.0), ", name)

    def test_predictions_are_up_to_date(self):
        predicted = compare.read_predicted()
        groups = {}
        for name, row in compare.every():
            if is_chosen(row):
                groups.setdefault((name, row["card"]), []).append(row)
        self.assertGreater(sum(map(len, groups.values())), 0)
        for name, card, rows in [(*key, part) for key, rows in groups.items() for part in compare.parts(key[0], rows)]:
            for key, (seconds, bound) in compare.predict(PREDICT, name, card, rows).items():
                with self.subTest(key, card=card):
                    self.assertIsNotNone(seconds, bound)
                    expected = predicted[name, key, card]
                    self.assertAlmostEqual(expected, seconds, delta=DIFFERENT * expected)

    def test_fidelity_states_the_errors(self):
        stated = {}
        for line in FIDELITY.read_text(encoding="utf-8").splitlines():
            row = re.fullmatch(r"\| `?([\w ]+?)`? \| (\d+) \| [^|]* \| ([\d.]+) % \| ([\d.]+) % \| ([+-][\d.]+) % \|", line)
            if row:
                stated[row[1]] = (int(row[2]), *map(float, row.groups()[2:]))
        found = {f"{name} {card}": compare.summary(list(found.values()))
                 for (name, card), found in compare.deviations(compare.read_predicted()).items()}
        self.assertEqual(set(found), set(stated))
        for key, (count, mean, median, worst) in found.items():
            with self.subTest(key):
                self.assertEqual(count, stated[key][0])
                for here, there in zip((mean, median, worst), stated[key][1:]):
                    self.assertAlmostEqual(100 * here, there, delta=0.06)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
