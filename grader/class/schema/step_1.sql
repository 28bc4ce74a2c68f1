-- SPDX-License-Identifier: Apache-2.0
-- Step 1: students, exercises, attempts, their grades and what is open.

CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE student (
  student TEXT PRIMARY KEY,
  name TEXT NOT NULL DEFAULT '',
  in_roster INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE exercise (
  lab TEXT NOT NULL,
  exercise TEXT NOT NULL,
  place INTEGER NOT NULL,
  max_points REAL NOT NULL,
  manifest TEXT NOT NULL,
  PRIMARY KEY (lab, exercise)
) WITHOUT ROWID;
CREATE TABLE bundle_file (
  bundle TEXT NOT NULL,
  place INTEGER NOT NULL,
  name TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (bundle, place)
) WITHOUT ROWID;
CREATE TABLE attempt (
  id INTEGER PRIMARY KEY,
  student TEXT NOT NULL REFERENCES student,
  lab TEXT NOT NULL,
  exercise TEXT NOT NULL,
  bundle TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  submitted_at TEXT NOT NULL,
  late_share REAL NOT NULL,
  source TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  UNIQUE (student, lab, exercise, bundle, submitted_at),
  FOREIGN KEY (lab, exercise) REFERENCES exercise
);
CREATE TABLE grade (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  lab TEXT NOT NULL,
  exercise TEXT NOT NULL,
  bundle TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  points REAL NOT NULL,
  max_points REAL NOT NULL,
  verdict TEXT NOT NULL,
  reason TEXT NOT NULL,
  backend TEXT NOT NULL,
  device TEXT NOT NULL,
  card TEXT NOT NULL,
  grader_version TEXT NOT NULL,
  grader_commit TEXT NOT NULL,
  toolkit TEXT NOT NULL,
  manifest TEXT NOT NULL,
  graded_at TEXT NOT NULL,
  seconds REAL NOT NULL,
  worker TEXT NOT NULL,
  report TEXT NOT NULL,
  text TEXT NOT NULL,
  page TEXT NOT NULL,
  FOREIGN KEY (lab, exercise) REFERENCES exercise
);
CREATE INDEX grade_of ON grade (lab, exercise, bundle);
CREATE TABLE open_attempt (
  key TEXT PRIMARY KEY,
  lab TEXT NOT NULL,
  exercise TEXT NOT NULL,
  bundle TEXT NOT NULL,
  reason TEXT NOT NULL,
  tries INTEGER NOT NULL,
  since TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE adjustment (
  id INTEGER PRIMARY KEY,
  student TEXT NOT NULL REFERENCES student,
  lab TEXT NOT NULL,
  exercise TEXT NOT NULL,
  points REAL,
  who TEXT NOT NULL CHECK (who <> ''),
  why TEXT NOT NULL CHECK (why <> ''),
  made_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  FOREIGN KEY (lab, exercise) REFERENCES exercise
);
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  began_at TEXT NOT NULL,
  ended_at TEXT NOT NULL DEFAULT '',
  engine TEXT NOT NULL,
  workers INTEGER NOT NULL,
  backend TEXT NOT NULL,
  sandbox TEXT NOT NULL,
  program TEXT NOT NULL
);
CREATE TABLE problem (
  run INTEGER NOT NULL REFERENCES run,
  student TEXT NOT NULL,
  file TEXT NOT NULL,
  what TEXT NOT NULL,
  unread INTEGER NOT NULL
);
CREATE TRIGGER grade_stays BEFORE UPDATE ON grade
BEGIN SELECT RAISE(ABORT, 'a grade is never changed: add a row to adjustment'); END;
CREATE TRIGGER grade_is_kept BEFORE DELETE ON grade
BEGIN SELECT RAISE(ABORT, 'a grade is never deleted'); END;
CREATE TRIGGER attempt_is_kept BEFORE DELETE ON attempt
BEGIN SELECT RAISE(ABORT, 'an attempt is never deleted'); END;
CREATE TRIGGER adjustment_stays BEFORE UPDATE ON adjustment
BEGIN SELECT RAISE(ABORT, 'an adjustment is never changed: add another row'); END;
CREATE TRIGGER adjustment_is_kept BEFORE DELETE ON adjustment
BEGIN SELECT RAISE(ABORT, 'an adjustment is never deleted: add another row'); END;
