-- SPDX-License-Identifier: Apache-2.0
-- The views of a book.

-- Each attempt with the grade of the current manifest, solution and program. A strict class does not
-- accept a grade whose gates were waived: it stays in `grade`, and the attempt is open.
CREATE VIEW graded_attempt AS
SELECT a.id AS attempt, a.student, a.lab, a.exercise, a.bundle, a.sha256, a.submitted_at,
       a.late_share, a.late_mark, a.source, a.found, a.place, g.id AS grade,
       g.points AS full_points, round(g.points * (1 - a.late_share), 2) AS points, g.verdict,
       g.reason, g.backend, g.device, g.card, g.graded_at, g.seconds, g.grader_version,
       g.grader_commit,
       coalesce(o.reason, 'the card cannot decide the gate ' || w.waived || ', and the class '
                || 'accepts no grade without it')
         AS open_reason,
       coalesce(g.waived, '') AS waived, coalesce(w.waived, '') AS refused
FROM attempt AS a
LEFT JOIN grade AS g ON g.key = a.grade_key
       AND (g.waived = '' OR NOT EXISTS (SELECT 1 FROM setting WHERE name = 'strict'))
LEFT JOIN grade AS w ON w.key = a.grade_key AND g.id IS NULL
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

CREATE VIEW class_exercise AS
SELECT * FROM exercise AS e
WHERE selected OR EXISTS (SELECT 1 FROM attempt AS a WHERE a.found AND a.lab = e.lab
                          AND a.exercise = e.exercise);

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
       coalesce(b.who, '') AS bonus_by, coalesce(b.why, '') AS bonus_why,
       CASE WHEN v.id IS NULL AND r.id IS NULL THEN coalesce(c.waived, '') ELSE '' END AS waived
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
