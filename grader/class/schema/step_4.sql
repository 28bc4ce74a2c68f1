-- SPDX-License-Identifier: Apache-2.0
-- Step 4: whose work it is, if the submissions and the roster name a student in two ways.

-- `given`: the student as the submissions name them. The roster, or a person, gives the key that
-- `student` holds.
ALTER TABLE attempt ADD COLUMN given TEXT NOT NULL DEFAULT '';
ALTER TABLE received ADD COLUMN given TEXT NOT NULL DEFAULT '';
UPDATE attempt SET given = student;
UPDATE received SET given = student;
CREATE INDEX attempt_given ON attempt (given);

-- `unmatched`: has work and is not in the roster, and nobody decided whose the work is.
ALTER TABLE student ADD COLUMN unmatched INTEGER NOT NULL DEFAULT 0;
CREATE INDEX student_unmatched ON student (student) WHERE unmatched;

-- Students of the roster whom an unmatched student may be. No row: everybody.
CREATE TABLE candidate (
  student TEXT NOT NULL,
  enrolled TEXT NOT NULL,
  PRIMARY KEY (student, enrolled)
) WITHOUT ROWID;

-- Whose work it is, as a person decided. `student` is `given` itself if the roster does not have the
-- student, and NULL if the decision was taken back. The newest row of a `given` counts.
CREATE TABLE identity (
  id INTEGER PRIMARY KEY,
  given TEXT NOT NULL CHECK (given <> ''),
  student TEXT REFERENCES student,
  who TEXT NOT NULL DEFAULT '',
  why TEXT NOT NULL DEFAULT '',
  made_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
);
CREATE INDEX identity_of ON identity (given);
CREATE TRIGGER identity_stays BEFORE UPDATE ON identity
BEGIN SELECT RAISE(ABORT, 'an identity is never changed: add another row'); END;
CREATE TRIGGER identity_is_kept BEFORE DELETE ON identity
BEGIN SELECT RAISE(ABORT, 'an identity is never deleted: add another row'); END;
