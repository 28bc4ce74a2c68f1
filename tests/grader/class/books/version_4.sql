-- SPDX-License-Identifier: Apache-2.0
-- A released step of the schema, with its views, as books of users have it. Never changed.
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

DROP VIEW standing;

-- A row for each student and exercise: what counts, with what was changed by hand. Excused work,
-- work that was received and not graded, and missing work before the end of an extension leave the
-- points NULL. So does missing work that may have come from a student who is not in the roster.
CREATE VIEW standing AS
SELECT s.student, s.name, e.lab, e.exercise, e.place, e.max_points,
       CASE WHEN v.id IS NOT NULL THEN NULL
            WHEN j.points IS NOT NULL THEN j.points
            WHEN r.id IS NOT NULL THEN NULL
            WHEN c.attempt IS NOT NULL THEN c.points
            WHEN u.student IS NOT NULL THEN NULL
            WHEN d.until > strftime('%Y-%m-%dT%H:%M:%SZ', 'now') THEN NULL
            ELSE 0.0 END + coalesce(b.points, 0) AS points,
       CASE WHEN v.id IS NOT NULL THEN 'excused'
            WHEN r.id IS NOT NULL OR u.student IS NOT NULL THEN 'error'
            WHEN c.attempt IS NULL THEN 'missing'
            ELSE coalesce(c.verdict, 'error') END AS verdict,
       CASE WHEN v.id IS NOT NULL THEN 'none'
            WHEN r.id IS NOT NULL OR u.student IS NOT NULL THEN 'tool'
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
            THEN coalesce(c.open_reason, 'not graded yet')
            WHEN u.student IS NOT NULL
            THEN 'work of a student who is not in the roster was received; it may be this work'
            END AS open_reason,
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
          AND NOT EXISTS (SELECT 1 FROM received AS own WHERE own.student = s.student)))
LEFT JOIN student AS u
       ON u.student = (
         SELECT min(o.student) FROM student AS o
         WHERE s.in_roster AND c.attempt IS NULL AND r.id IS NULL AND o.unmatched
         AND (EXISTS (SELECT 1 FROM attempt WHERE student = o.student AND found
                      AND lab = e.lab AND exercise = e.exercise)
              OR EXISTS (SELECT 1 FROM received WHERE student = o.student AND state = 'open'
                         AND lab IN ('', e.lab) AND exercise IN ('', e.exercise)))
         AND (NOT EXISTS (SELECT 1 FROM candidate WHERE student = o.student)
              OR EXISTS (SELECT 1 FROM candidate WHERE student = o.student
                         AND enrolled = s.student)));
