-- SPDX-License-Identifier: Apache-2.0
-- Step 3: extensions, excuses and bonuses of single students, with the deadlines that they move.

-- The class's deadline and its rule for late work, kept with what they apply to: an extension
-- changes a deduction without another run. NULL: an earlier program did not keep them.
ALTER TABLE attempt ADD COLUMN deadline TEXT;
ALTER TABLE exercise ADD COLUMN deadline TEXT NOT NULL DEFAULT '';
ALTER TABLE source ADD COLUMN timezone TEXT NOT NULL DEFAULT 'UTC';
ALTER TABLE source ADD COLUMN grace_seconds INTEGER NOT NULL DEFAULT 0;
ALTER TABLE source ADD COLUMN share_a_day REAL NOT NULL DEFAULT 0;
ALTER TABLE source ADD COLUMN most_share REAL NOT NULL DEFAULT 1;

-- What an instructor granted one student: `lab` is '' for all exercises, `exercise` is '' for all of
-- a lab. The newest row of a student, lab, exercise and kind counts; `removed` takes it back.
-- `origin` is 'command' or the path of a class.toml.
CREATE TABLE exception (
  id INTEGER PRIMARY KEY,
  student TEXT NOT NULL REFERENCES student,
  lab TEXT NOT NULL,
  exercise TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('extension', 'excuse', 'bonus')),
  until TEXT NOT NULL DEFAULT '',
  points REAL NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0,
  who TEXT NOT NULL CHECK (who <> ''),
  why TEXT NOT NULL CHECK (why <> ''),
  origin TEXT NOT NULL CHECK (origin <> ''),
  made_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  CHECK (lab <> '' OR exercise = ''),
  CHECK (removed OR (kind = 'extension') = (until <> ''))
);
CREATE INDEX exception_of ON exception (student, kind, lab, exercise);
CREATE TRIGGER exception_stays BEFORE UPDATE ON exception
BEGIN SELECT RAISE(ABORT, 'an exception is never changed: add another row'); END;
CREATE TRIGGER exception_is_kept BEFORE DELETE ON exception
BEGIN SELECT RAISE(ABORT, 'an exception is never deleted: add another row'); END;
