-- SPDX-License-Identifier: Apache-2.0
-- A released step of the schema, with its views, as books of users have it. Never changed.
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

-- Each attempt with its grade, the newest by id, and what of it a late hand-in leaves.
CREATE VIEW graded_attempt AS
SELECT a.id AS attempt, a.student, a.lab, a.exercise, a.bundle, a.sha256, a.submitted_at,
       a.late_share, g.id AS grade, g.points AS full_points,
       round(g.points * (1 - a.late_share), 2) AS points, g.verdict, g.reason, g.backend, g.device,
       g.card, g.graded_at, g.seconds, g.grader_version, g.grader_commit, o.reason AS open_reason
FROM attempt AS a
LEFT JOIN grade AS g ON g.id = (SELECT max(id) FROM grade
                                WHERE lab = a.lab AND exercise = a.exercise AND bundle = a.bundle)
LEFT JOIN (SELECT lab, exercise, bundle, max(reason) AS reason FROM open_attempt
           GROUP BY lab, exercise, bundle) AS o
       ON o.lab = a.lab AND o.exercise = a.exercise AND o.bundle = a.bundle;

-- The attempt that counts, by the policy in `setting`.
CREATE VIEW counted_attempt AS
SELECT * FROM (
  SELECT *, row_number() OVER (
    PARTITION BY student, lab, exercise
    ORDER BY
      CASE (SELECT value FROM setting WHERE name = 'policy')
        WHEN 'best' THEN -coalesce(points, -1) ELSE 0 END,
      CASE (SELECT value FROM setting WHERE name = 'policy')
        WHEN 'latest' THEN NULL ELSE submitted_at END,
      submitted_at DESC, attempt DESC) AS rank,
    count(*) OVER (PARTITION BY student, lab, exercise) AS attempts
  FROM graded_attempt)
WHERE rank = 1;

-- A row for each student and exercise: what counts, with points changed by hand.
CREATE VIEW standing AS
SELECT s.student, s.name, e.lab, e.exercise, e.place, e.max_points,
       CASE WHEN j.points IS NOT NULL THEN j.points
            WHEN c.attempt IS NULL THEN 0.0
            ELSE c.points END AS points,
       CASE WHEN c.attempt IS NULL THEN 'missing'
            ELSE coalesce(c.verdict, 'error') END AS verdict,
       CASE WHEN c.attempt IS NULL THEN 'none'
            ELSE coalesce(c.reason, 'tool') END AS reason,
       coalesce(c.sha256, '') AS sha256, coalesce(c.backend, '') AS backend,
       coalesce(c.device, '') AS device, coalesce(c.submitted_at, '') AS submitted_at,
       coalesce(c.graded_at, '') AS graded_at, coalesce(c.attempts, 0) AS attempts,
       c.full_points, coalesce(c.late_share, 0) AS late_share, c.grade, c.bundle,
       CASE WHEN c.attempt IS NOT NULL AND c.grade IS NULL
            THEN coalesce(c.open_reason, 'not graded yet') END AS open_reason,
       coalesce(j.who, '') AS adjusted_by, coalesce(j.why, '') AS adjusted_why
FROM student AS s CROSS JOIN exercise AS e
LEFT JOIN counted_attempt AS c
       ON c.student = s.student AND c.lab = e.lab AND c.exercise = e.exercise
LEFT JOIN adjustment AS j
       ON j.id = (SELECT max(id) FROM adjustment
                  WHERE student = s.student AND lab = e.lab AND exercise = e.exercise);
