-- SPDX-License-Identifier: Apache-2.0
-- The tables, indices and triggers of a book. docs/class.md explains them for people who query it.
-- Whatever a person or the grader decided is never changed and never deleted: the newest row counts.

CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- `unmatched`: has work and is not in the roster, and nobody decided whose the work is.
CREATE TABLE student (
  student TEXT PRIMARY KEY,
  name TEXT NOT NULL DEFAULT '',
  in_roster INTEGER NOT NULL,
  forgotten INTEGER NOT NULL DEFAULT 0,
  unmatched INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
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

CREATE TABLE exercise (
  lab TEXT NOT NULL,
  exercise TEXT NOT NULL,
  place INTEGER NOT NULL,
  max_points REAL NOT NULL,
  manifest TEXT NOT NULL,
  selected INTEGER NOT NULL DEFAULT 1,
  deadline TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (lab, exercise)
) WITHOUT ROWID;

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

-- A folder or archive that runs read (SUBMISSIONS), the last run that did, and its rule for late work,
-- so that an extension changes a deduction without another run.
CREATE TABLE source (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  layout TEXT NOT NULL,
  run INTEGER NOT NULL REFERENCES run,
  timezone TEXT NOT NULL DEFAULT 'UTC',
  grace_seconds INTEGER NOT NULL DEFAULT 0,
  share_a_day REAL NOT NULL DEFAULT 0,
  most_share REAL NOT NULL DEFAULT 1
);

-- Students who hand in together, as the last run of each source read them.
CREATE TABLE class_group (
  source INTEGER NOT NULL REFERENCES source,
  name TEXT NOT NULL,
  student TEXT NOT NULL,
  PRIMARY KEY (source, name, student)
) WITHOUT ROWID;

CREATE TABLE bundle_file (
  bundle TEXT NOT NULL,
  place INTEGER NOT NULL,
  name TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (bundle, place)
) WITHOUT ROWID;

-- `given`: the student as the submissions name them. The roster, or a person, gives the key that
-- `student` holds. `found`: the last run of its source found it again; others do not count. `place`
-- orders attempts of one time: the highest is the latest. `grade_key` is that of the grade that counts.
-- `deadline` is NULL if it is not known.
CREATE TABLE attempt (
  id INTEGER PRIMARY KEY,
  student TEXT NOT NULL REFERENCES student,
  given TEXT NOT NULL DEFAULT '',
  lab TEXT NOT NULL,
  exercise TEXT NOT NULL,
  bundle TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  submitted_at TEXT NOT NULL,
  deadline TEXT,
  late_share REAL NOT NULL,
  late_mark INTEGER NOT NULL DEFAULT 0,
  untouched INTEGER NOT NULL DEFAULT 0,  -- It is the course's skeleton.
  source TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  found INTEGER NOT NULL DEFAULT 1,
  found_in INTEGER REFERENCES source,
  place INTEGER NOT NULL DEFAULT 0,
  grade_key TEXT NOT NULL DEFAULT '',
  UNIQUE (student, lab, exercise, bundle, submitted_at),
  FOREIGN KEY (lab, exercise) REFERENCES exercise
);
CREATE INDEX attempt_of ON attempt (student, lab, exercise);
CREATE INDEX attempt_given ON attempt (given);

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
  given TEXT NOT NULL DEFAULT '',
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

-- `waived`: the gates, separated by commas, that everybody passed because the card cannot decide them.
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
  waived TEXT NOT NULL DEFAULT '',
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

-- What an instructor wrote about a student's work, without points. The newest row of an exercise counts;
-- an empty `text` takes it back.
CREATE TABLE comment (
  id INTEGER PRIMARY KEY,
  student TEXT NOT NULL REFERENCES student,
  lab TEXT NOT NULL,
  exercise TEXT NOT NULL,
  text TEXT NOT NULL,
  who TEXT NOT NULL CHECK (who <> ''),
  made_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  FOREIGN KEY (lab, exercise) REFERENCES exercise
);
CREATE INDEX comment_of ON comment (student, lab, exercise);

-- The grade that counted at the end of the last run that ended, and what later runs changed: `points` before
-- deductions of the same content under another manifest, solution or program.
CREATE TABLE last_grade (
  student TEXT NOT NULL,
  lab TEXT NOT NULL,
  exercise TEXT NOT NULL,
  bundle TEXT NOT NULL,
  grade INTEGER NOT NULL REFERENCES grade,
  points REAL NOT NULL,
  PRIMARY KEY (student, lab, exercise)
) WITHOUT ROWID;
CREATE TABLE regrade (
  run INTEGER NOT NULL REFERENCES run,
  student TEXT NOT NULL,
  lab TEXT NOT NULL,
  exercise TEXT NOT NULL,
  before REAL NOT NULL,
  after REAL NOT NULL,
  PRIMARY KEY (run, student, lab, exercise)
) WITHOUT ROWID;

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

CREATE TRIGGER identity_stays BEFORE UPDATE ON identity
BEGIN SELECT RAISE(ABORT, 'an identity is never changed: add another row'); END;
CREATE TRIGGER identity_is_kept BEFORE DELETE ON identity
BEGIN SELECT RAISE(ABORT, 'an identity is never deleted: add another row'); END;
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
CREATE TRIGGER exception_stays BEFORE UPDATE ON exception
BEGIN SELECT RAISE(ABORT, 'an exception is never changed: add another row'); END;
CREATE TRIGGER exception_is_kept BEFORE DELETE ON exception
BEGIN SELECT RAISE(ABORT, 'an exception is never deleted: add another row'); END;
CREATE TRIGGER comment_stays BEFORE UPDATE ON comment
BEGIN SELECT RAISE(ABORT, 'a comment is never changed: add another row'); END;
CREATE TRIGGER comment_is_kept BEFORE DELETE ON comment
BEGIN SELECT RAISE(ABORT, 'a comment is never deleted: add another row'); END;
