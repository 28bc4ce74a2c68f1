-- SPDX-License-Identifier: Apache-2.0
-- Step 2: every file received, which attempts a run still finds, and the grade that belongs to the
-- current manifest, solution and program.

-- A folder or archive that runs read (SUBMISSIONS), and the last run that did.
CREATE TABLE source (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  layout TEXT NOT NULL,
  run INTEGER NOT NULL REFERENCES run
);
ALTER TABLE student ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
ALTER TABLE exercise ADD COLUMN selected INTEGER NOT NULL DEFAULT 1;
-- `found`: the last run of its source found it again; others do not count. `place` orders attempts
-- of one time: the highest is the latest. `grade_key` is that of the grade that counts.
ALTER TABLE attempt ADD COLUMN found INTEGER NOT NULL DEFAULT 1;
ALTER TABLE attempt ADD COLUMN found_in INTEGER REFERENCES source;
ALTER TABLE attempt ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempt ADD COLUMN late_mark INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempt ADD COLUMN grade_key TEXT NOT NULL DEFAULT '';
UPDATE attempt SET grade_key = coalesce(
  (SELECT g.key FROM grade AS g WHERE g.lab = attempt.lab AND g.exercise = attempt.exercise
   AND g.bundle = attempt.bundle ORDER BY g.id DESC LIMIT 1),
  (SELECT o.key FROM open_attempt AS o WHERE o.lab = attempt.lab AND o.exercise = attempt.exercise
   AND o.bundle = attempt.bundle ORDER BY o.since DESC LIMIT 1), '');
CREATE INDEX attempt_of ON attempt (student, lab, exercise);

-- Every file that the last run of each source received, and what became of it:
--   attempt  graded, or about to be: `attempt`
--   part     a header that belongs to an attempt
--   open     may be work, and was not graded: `reason`
--   unused   no work by its kind or place, in the hand-in of a student: `reason`
--   ignored  what a system or a platform puts there: `reason`
CREATE TABLE received (
  id INTEGER PRIMARY KEY,
  source INTEGER NOT NULL REFERENCES source,
  run INTEGER NOT NULL REFERENCES run,
  student TEXT NOT NULL,
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('attempt', 'part', 'open', 'unused', 'ignored')),
  lab TEXT NOT NULL,
  exercise TEXT NOT NULL,
  reason TEXT NOT NULL,
  received_at TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  attempt INTEGER REFERENCES attempt
);
CREATE INDEX received_from ON received (student, state);
CREATE INDEX received_in ON received (source);
