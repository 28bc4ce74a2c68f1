-- SPDX-License-Identifier: Apache-2.0
-- Step 5: gates that everybody passed because a card cannot decide them, and groups of students.

-- The gates of a grade, separated by commas, that everybody passed: the card cannot decide them.
ALTER TABLE grade ADD COLUMN waived TEXT NOT NULL DEFAULT '';
DROP TRIGGER grade_stays;
UPDATE grade SET waived = coalesce(
  (SELECT group_concat(json_extract(g.value, '$.id'), ', ')
   FROM json_each(grade.report, '$.exercises[0].gates') AS g
   WHERE json_extract(g.value, '$.waived')), '')
WHERE json_valid(report);
CREATE TRIGGER grade_stays BEFORE UPDATE ON grade
BEGIN SELECT RAISE(ABORT, 'a grade is never changed: add a row to adjustment'); END;

-- Students who hand in together, as the last run of each source read them.
CREATE TABLE class_group (
  source INTEGER NOT NULL REFERENCES source,
  name TEXT NOT NULL,
  student TEXT NOT NULL,
  PRIMARY KEY (source, name, student)
) WITHOUT ROWID;
