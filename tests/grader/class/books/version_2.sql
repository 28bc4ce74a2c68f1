-- SPDX-License-Identifier: Apache-2.0
-- A released step of the schema, with its views, as books of users have it. Never changed.
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

DROP VIEW standing;
DROP VIEW counted_attempt;
DROP VIEW graded_attempt;

-- Each attempt with the grade of the current manifest, solution and program.
CREATE VIEW graded_attempt AS
SELECT a.id AS attempt, a.student, a.lab, a.exercise, a.bundle, a.sha256, a.submitted_at,
       a.late_share, a.late_mark, a.source, a.found, a.place, g.id AS grade,
       g.points AS full_points, round(g.points * (1 - a.late_share), 2) AS points, g.verdict,
       g.reason, g.backend, g.device, g.card, g.graded_at, g.seconds, g.grader_version,
       g.grader_commit, o.reason AS open_reason
FROM attempt AS a
LEFT JOIN grade AS g ON g.key = a.grade_key
LEFT JOIN open_attempt AS o ON o.key = a.grade_key;

-- The attempt that counts, by the policy in `setting`. Of attempts of one time, the highest `place`
-- is the latest.
CREATE VIEW counted_attempt AS
SELECT * FROM (
  SELECT *, row_number() OVER (
    PARTITION BY student, lab, exercise
    ORDER BY
      CASE (SELECT value FROM setting WHERE name = 'policy')
        WHEN 'best' THEN -coalesce(points, -1) ELSE 0 END,
      CASE (SELECT value FROM setting WHERE name = 'policy')
        WHEN 'latest' THEN NULL ELSE submitted_at END,
      CASE (SELECT value FROM setting WHERE name = 'policy')
        WHEN 'latest' THEN NULL ELSE place END,
      submitted_at DESC, place DESC, attempt DESC) AS rank,
    count(*) OVER (PARTITION BY student, lab, exercise) AS attempts
  FROM graded_attempt WHERE found)
WHERE rank = 1;

-- The students of the class: those of the roster, those of whom something was received, and those
-- whose points were changed by hand.
CREATE VIEW class_student AS
SELECT * FROM student AS s
WHERE NOT forgotten
  AND (in_roster
       OR EXISTS (SELECT 1 FROM attempt AS a WHERE a.student = s.student AND a.found)
       OR EXISTS (SELECT 1 FROM received AS r WHERE r.student = s.student)
       OR EXISTS (SELECT 1 FROM adjustment AS j WHERE j.student = s.student
                  AND j.points IS NOT NULL AND j.id = (
                    SELECT max(id) FROM adjustment WHERE student = j.student AND lab = j.lab
                    AND exercise = j.exercise)));

CREATE VIEW class_exercise AS
SELECT * FROM exercise AS e
WHERE selected OR EXISTS (SELECT 1 FROM attempt AS a WHERE a.found AND a.lab = e.lab
                          AND a.exercise = e.exercise);

-- A row for each student and exercise: what counts, with points changed by hand. Work that was
-- received and not graded leaves the points NULL, with its reason.
CREATE VIEW standing AS
SELECT s.student, s.name, e.lab, e.exercise, e.place, e.max_points,
       CASE WHEN j.points IS NOT NULL THEN j.points
            WHEN r.id IS NOT NULL THEN NULL
            WHEN c.attempt IS NULL THEN 0.0
            ELSE c.points END AS points,
       CASE WHEN r.id IS NOT NULL THEN 'error'
            WHEN c.attempt IS NULL THEN 'missing'
            ELSE coalesce(c.verdict, 'error') END AS verdict,
       CASE WHEN r.id IS NOT NULL THEN 'tool'
            WHEN c.attempt IS NULL THEN 'none'
            ELSE coalesce(c.reason, 'tool') END AS reason,
       coalesce(c.sha256, r.sha256, '') AS sha256, coalesce(c.backend, '') AS backend,
       coalesce(c.device, '') AS device,
       coalesce(c.submitted_at, r.received_at, '') AS submitted_at,
       coalesce(c.graded_at, '') AS graded_at, coalesce(c.attempts, 0) AS attempts,
       CASE WHEN r.id IS NULL THEN c.full_points END AS full_points,
       coalesce(c.late_share, 0) AS late_share,
       CASE WHEN r.id IS NULL THEN c.grade END AS grade, c.bundle,
       CASE WHEN r.student = ''
            THEN 'files of an unknown student were received; one may be the work for this exercise'
            WHEN r.id IS NOT NULL
            THEN 'we received ' || r.name || '; it was not graded because ' || r.reason
            WHEN c.attempt IS NOT NULL AND c.grade IS NULL
            THEN coalesce(c.open_reason, 'not graded yet') END AS open_reason,
       coalesce(j.who, '') AS adjusted_by, coalesce(j.why, '') AS adjusted_why, c.attempt
FROM class_student AS s CROSS JOIN class_exercise AS e
LEFT JOIN counted_attempt AS c
       ON c.student = s.student AND c.lab = e.lab AND c.exercise = e.exercise
LEFT JOIN adjustment AS j
       ON j.id = (SELECT max(id) FROM adjustment
                  WHERE student = s.student AND lab = e.lab AND exercise = e.exercise)
LEFT JOIN received AS r
       ON r.id = coalesce(
         -- Work for this exercise that would count if it had been read.
         (SELECT max(o.id) FROM received AS o
          WHERE o.student = s.student AND o.state = 'open' AND o.lab = e.lab
          AND o.exercise = e.exercise AND (c.attempt IS NULL OR o.received_at > c.submitted_at AND
               (SELECT value FROM setting WHERE name = 'policy') = 'latest')),
         -- Work of the student that may be for this exercise.
         (SELECT min(o.id) FROM received AS o
          WHERE o.student = s.student AND o.state = 'open' AND o.exercise = ''
          AND c.attempt IS NULL),
         -- Work of nobody knows whom, and nothing at all of this student.
         (SELECT min(o.id) FROM received AS o
          WHERE o.student = '' AND o.state = 'open' AND o.exercise IN ('', e.exercise)
          AND c.attempt IS NULL
          AND NOT EXISTS (SELECT 1 FROM received AS own WHERE own.student = s.student)));
