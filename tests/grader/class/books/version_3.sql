-- SPDX-License-Identifier: Apache-2.0
-- A released step of the schema, with its views, as books of users have it. Never changed.
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

CREATE VIEW current_exception AS
SELECT * FROM exception AS x
WHERE NOT removed AND id = (
  SELECT max(id) FROM exception
  WHERE student = x.student AND kind = x.kind AND lab = x.lab AND exercise = x.exercise);

-- The exception of each kind that holds for a student's exercise: the most specific one.
CREATE VIEW held_exception AS
SELECT s.student, e.lab, e.exercise, x.kind, x.until, x.points, x.who, x.why, x.id
FROM student AS s CROSS JOIN exercise AS e
JOIN current_exception AS x ON x.student = s.student AND x.id IN (
  (SELECT id FROM current_exception
   WHERE student = s.student AND kind = 'extension' AND lab IN ('', e.lab)
   AND exercise IN ('', e.exercise) ORDER BY exercise <> '' DESC, lab <> '' DESC LIMIT 1),
  (SELECT id FROM current_exception
   WHERE student = s.student AND kind = 'excuse' AND lab IN ('', e.lab)
   AND exercise IN ('', e.exercise) ORDER BY exercise <> '' DESC, lab <> '' DESC LIMIT 1),
  (SELECT id FROM current_exception
   WHERE student = s.student AND kind = 'bonus' AND lab = e.lab AND exercise = e.exercise));

DROP VIEW standing;
DROP VIEW class_student;

-- The students of the class: those of the roster, those of whom something was received, and those
-- for whom an instructor changed something.
CREATE VIEW class_student AS
SELECT * FROM student AS s
WHERE NOT forgotten
  AND (in_roster
       OR EXISTS (SELECT 1 FROM attempt AS a WHERE a.student = s.student AND a.found)
       OR EXISTS (SELECT 1 FROM received AS r WHERE r.student = s.student)
       OR EXISTS (SELECT 1 FROM current_exception AS x WHERE x.student = s.student)
       OR EXISTS (SELECT 1 FROM adjustment AS j WHERE j.student = s.student
                  AND j.points IS NOT NULL AND j.id = (
                    SELECT max(id) FROM adjustment WHERE student = j.student AND lab = j.lab
                    AND exercise = j.exercise)));

-- A row for each student and exercise: what counts, with what was changed by hand. Excused work,
-- work that was received and not graded, and missing work before the end of an extension leave the
-- points NULL.
CREATE VIEW standing AS
SELECT s.student, s.name, e.lab, e.exercise, e.place, e.max_points,
       CASE WHEN v.id IS NOT NULL THEN NULL
            WHEN j.points IS NOT NULL THEN j.points
            WHEN r.id IS NOT NULL THEN NULL
            WHEN c.attempt IS NOT NULL THEN c.points
            WHEN d.until > strftime('%Y-%m-%dT%H:%M:%SZ', 'now') THEN NULL
            ELSE 0.0 END + coalesce(b.points, 0) AS points,
       CASE WHEN v.id IS NOT NULL THEN 'excused'
            WHEN r.id IS NOT NULL THEN 'error'
            WHEN c.attempt IS NULL THEN 'missing'
            ELSE coalesce(c.verdict, 'error') END AS verdict,
       CASE WHEN v.id IS NOT NULL THEN 'none'
            WHEN r.id IS NOT NULL THEN 'tool'
            WHEN c.attempt IS NULL THEN 'none'
            ELSE coalesce(c.reason, 'tool') END AS reason,
       coalesce(c.sha256, r.sha256, '') AS sha256, coalesce(c.backend, '') AS backend,
       coalesce(c.device, '') AS device,
       coalesce(c.submitted_at, r.received_at, '') AS submitted_at,
       coalesce(c.graded_at, '') AS graded_at, coalesce(c.attempts, 0) AS attempts,
       CASE WHEN v.id IS NULL AND r.id IS NULL THEN c.full_points END AS full_points,
       CASE WHEN v.id IS NULL THEN coalesce(c.late_share, 0) ELSE 0 END AS late_share,
       CASE WHEN v.id IS NULL AND r.id IS NULL THEN c.grade END AS grade, c.bundle,
       CASE WHEN v.id IS NOT NULL THEN NULL
            WHEN r.student = ''
            THEN 'files of an unknown student were received; one may be the work for this exercise'
            WHEN r.id IS NOT NULL
            THEN 'we received ' || r.name || '; it was not graded because ' || r.reason
            WHEN c.attempt IS NOT NULL AND c.grade IS NULL
            THEN coalesce(c.open_reason, 'not graded yet') END AS open_reason,
       coalesce(j.who, '') AS adjusted_by, coalesce(j.why, '') AS adjusted_why, c.attempt,
       j.points AS adjusted_points,
       CASE WHEN coalesce(a.deadline, e.deadline) = '' THEN ''
            ELSE max(coalesce(a.deadline, e.deadline), coalesce(d.until, '')) END AS deadline,
       coalesce(d.until, '') AS extended_until, coalesce(d.who, '') AS extended_by,
       coalesce(d.why, '') AS extended_why, coalesce(v.who, '') AS excused_by,
       coalesce(v.why, '') AS excused_why, coalesce(b.points, 0) AS bonus,
       coalesce(b.who, '') AS bonus_by, coalesce(b.why, '') AS bonus_why
FROM class_student AS s CROSS JOIN class_exercise AS e
LEFT JOIN counted_attempt AS c
       ON c.student = s.student AND c.lab = e.lab AND c.exercise = e.exercise
LEFT JOIN attempt AS a ON a.id = c.attempt
LEFT JOIN adjustment AS j
       ON j.id = (SELECT max(id) FROM adjustment
                  WHERE student = s.student AND lab = e.lab AND exercise = e.exercise)
LEFT JOIN exception AS d
       ON d.id = (SELECT id FROM held_exception WHERE student = s.student AND lab = e.lab
                  AND exercise = e.exercise AND kind = 'extension')
LEFT JOIN exception AS v
       ON v.id = (SELECT id FROM held_exception WHERE student = s.student AND lab = e.lab
                  AND exercise = e.exercise AND kind = 'excuse')
LEFT JOIN exception AS b
       ON b.id = (SELECT id FROM held_exception WHERE student = s.student AND lab = e.lab
                  AND exercise = e.exercise AND kind = 'bonus')
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
