-- SPDX-License-Identifier: Apache-2.0
-- The views of a book.

-- Each attempt with the grade of the current manifest, solution and program. A strict class does not
-- accept a grade whose gates were waived: it stays in `grade`, and the attempt is open.
CREATE VIEW graded_attempt AS
SELECT a.id AS attempt, a.student, a.lab, a.exercise, a.bundle, a.sha256, a.submitted_at,
       a.deadline, a.late_share, a.late_mark, a.source, a.found, a.place, g.id AS grade,
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

-- The newest decision about the points of a student's exercise; `points` is NULL if it takes an
-- earlier one back.
CREATE VIEW newest_adjustment AS
SELECT * FROM adjustment AS j
WHERE id = (SELECT max(id) FROM adjustment
            WHERE student = j.student AND lab = j.lab AND exercise = j.exercise);

CREATE VIEW current_exception AS
SELECT * FROM exception AS x
WHERE NOT removed AND id = (
  SELECT max(id) FROM exception
  WHERE student = x.student AND kind = x.kind AND lab = x.lab AND exercise = x.exercise);

-- The exception of each kind that holds for a student's exercise: the most specific one.
CREATE VIEW held_exception AS
SELECT student, lab, exercise, kind, until, points, who, why FROM (
  SELECT x.student, e.lab, e.exercise, x.kind, x.until, x.points, x.who, x.why, row_number() OVER (
    PARTITION BY x.student, e.lab, e.exercise, x.kind
    ORDER BY x.exercise <> '' DESC, x.lab <> '' DESC) AS rank
  FROM current_exception AS x
  JOIN exercise AS e ON x.lab IN ('', e.lab) AND x.exercise IN ('', e.exercise))
WHERE rank = 1;

-- The newest comment on a student's exercise; no row if it was taken back.
CREATE VIEW newest_comment AS
SELECT * FROM comment AS c
WHERE text <> '' AND id = (SELECT max(id) FROM comment
                           WHERE student = c.student AND lab = c.lab AND exercise = c.exercise);

-- Work about which a person decided: whatever was received for it is no open task.
CREATE VIEW closed_work AS
SELECT student, lab, exercise FROM newest_adjustment WHERE points IS NOT NULL
UNION SELECT student, lab, exercise FROM held_exception WHERE kind = 'excuse';

-- The students of the class: those of the roster, those of whom something was received, and those
-- for whom an instructor changed something.
CREATE VIEW class_student AS
SELECT * FROM student AS s
WHERE NOT forgotten
  AND (in_roster
       OR EXISTS (SELECT 1 FROM attempt AS a WHERE a.student = s.student AND a.found)
       OR EXISTS (SELECT 1 FROM received AS r WHERE r.student = s.student)
       OR EXISTS (SELECT 1 FROM current_exception AS x WHERE x.student = s.student)
       OR EXISTS (SELECT 1 FROM newest_adjustment AS j
                  WHERE j.student = s.student AND j.points IS NOT NULL));

CREATE VIEW class_exercise AS
SELECT * FROM exercise AS e
WHERE selected OR EXISTS (SELECT 1 FROM attempt AS a WHERE a.found AND a.lab = e.lab
                          AND a.exercise = e.exercise);

-- Files that may be work, were not graded, and need a person. A file whose exercise is not known is closed
-- with all exercises of the student that lack an attempt.
CREATE VIEW open_file AS
SELECT * FROM received AS r
WHERE state = 'open'
  AND NOT EXISTS (SELECT 1 FROM closed_work
                  WHERE student = r.student AND lab = r.lab AND exercise = r.exercise)
  AND NOT (exercise = ''
           AND EXISTS (SELECT 1 FROM closed_work WHERE student = r.student)
           AND NOT EXISTS (
             SELECT 1 FROM class_exercise AS e
             WHERE NOT EXISTS (SELECT 1 FROM closed_work
                               WHERE student = r.student AND lab = e.lab AND exercise = e.exercise)
             AND NOT EXISTS (SELECT 1 FROM attempt
                             WHERE student = r.student AND found AND lab = e.lab
                             AND exercise = e.exercise)));

-- A row for each student and exercise, with the attempt that counts if there is one.
CREATE VIEW expected_work AS
SELECT s.student, s.name, s.in_roster, e.lab, e.exercise, e.place, e.max_points,
       coalesce(c.deadline, e.deadline) AS class_deadline, c.attempt, c.bundle, c.sha256,
       c.submitted_at, c.late_share, c.grade, c.full_points, c.points, c.verdict, c.reason,
       c.backend, c.device, c.graded_at, c.attempts, c.open_reason, c.waived
FROM class_student AS s CROSS JOIN class_exercise AS e
LEFT JOIN counted_attempt AS c
       ON c.student = s.student AND c.lab = e.lab AND c.exercise = e.exercise;

-- The same rows with what else may be the student's work. `file` was received and not graded: it is
-- for this exercise and would count, or it may be for this exercise and nothing is, or nothing was
-- received from this student and the file's student is unknown. `stranger` is a student with such
-- work who is not in the roster and may be this one.
CREATE VIEW possible_work AS
SELECT w.*, r.id AS file, r.student AS file_student, r.name AS file_name, r.reason AS file_reason,
       r.sha256 AS file_sha256, r.received_at AS file_time, u.student AS stranger
FROM expected_work AS w
LEFT JOIN received AS r
       ON r.id = coalesce(
         (SELECT max(id) FROM received
          WHERE student = w.student AND state = 'open' AND lab = w.lab AND exercise = w.exercise
          AND (w.attempt IS NULL OR received_at > w.submitted_at AND
               (SELECT value FROM setting WHERE name = 'policy') = 'latest')),
         (SELECT min(id) FROM received
          WHERE student = w.student AND state = 'open' AND exercise = '' AND w.attempt IS NULL),
         (SELECT min(id) FROM received
          WHERE student = '' AND state = 'open' AND exercise IN ('', w.exercise)
          AND w.attempt IS NULL
          AND NOT EXISTS (SELECT 1 FROM received WHERE student = w.student)))
LEFT JOIN student AS u
       ON u.student = (
         SELECT min(o.student) FROM student AS o
         WHERE w.in_roster AND w.attempt IS NULL AND o.unmatched
         AND (EXISTS (SELECT 1 FROM attempt WHERE student = o.student AND found
                      AND lab = w.lab AND exercise = w.exercise)
              OR EXISTS (SELECT 1 FROM received WHERE student = o.student AND state = 'open'
                         AND lab IN ('', w.lab) AND exercise IN ('', w.exercise)))
         AND (NOT EXISTS (SELECT 1 FROM candidate WHERE student = o.student)
              OR EXISTS (SELECT 1 FROM candidate WHERE student = o.student
                         AND enrolled = w.student)));

-- The same rows with what persons decided, and the state of the work:
--   excused    the student need not hand it in
--   decided    a person set the points of work that has no grade
--   unread     a file that may be this work was not graded
--   graded     the attempt that counts has a grade
--   ungraded   it has none
--   unmatched  work of a student who is not in the roster may be this work
--   not due    nothing was received before the end of an extension
--   missing    nothing was received
CREATE VIEW decided_work AS
SELECT w.*,
       CASE WHEN v.student IS NOT NULL THEN 'excused'
            WHEN j.points IS NOT NULL AND w.grade IS NULL
                 AND (w.file IS NOT NULL OR w.attempt IS NOT NULL) THEN 'decided'
            WHEN w.file IS NOT NULL AND j.points IS NULL THEN 'unread'
            WHEN w.grade IS NOT NULL THEN 'graded'
            WHEN w.attempt IS NOT NULL THEN 'ungraded'
            WHEN w.stranger IS NOT NULL AND j.points IS NULL THEN 'unmatched'
            WHEN d.until > strftime('%Y-%m-%dT%H:%M:%SZ', 'now') THEN 'not due'
            ELSE 'missing' END AS state,
       coalesce(d.until, '') AS extended_until, coalesce(d.who, '') AS extended_by,
       coalesce(d.why, '') AS extended_why, coalesce(v.who, '') AS excused_by,
       coalesce(v.why, '') AS excused_why, coalesce(b.points, 0) AS bonus,
       coalesce(b.who, '') AS bonus_by, coalesce(b.why, '') AS bonus_why,
       j.points AS adjusted_points, coalesce(j.who, '') AS adjusted_by,
       coalesce(j.why, '') AS adjusted_why, coalesce(c.text, '') AS comment,
       coalesce(c.who, '') AS comment_by
FROM possible_work AS w
LEFT JOIN held_exception AS d
       ON d.student = w.student AND d.lab = w.lab AND d.exercise = w.exercise
       AND d.kind = 'extension'
LEFT JOIN held_exception AS v
       ON v.student = w.student AND v.lab = w.lab AND v.exercise = w.exercise AND v.kind = 'excuse'
LEFT JOIN held_exception AS b
       ON b.student = w.student AND b.lab = w.lab AND b.exercise = w.exercise AND b.kind = 'bonus'
LEFT JOIN newest_adjustment AS j
       ON j.student = w.student AND j.lab = w.lab AND j.exercise = w.exercise
LEFT JOIN newest_comment AS c
       ON c.student = w.student AND c.lab = w.lab AND c.exercise = w.exercise;

-- A row for each student and exercise: what counts, with what was changed by hand. Excused work,
-- work that was received and not graded, and missing work before the end of an extension leave the
-- points NULL. So does missing work that may have come from a student who is not in the roster.
CREATE VIEW standing AS
SELECT student, name, lab, exercise, place, max_points,
       CASE WHEN state <> 'excused' THEN bonus + coalesce(
         adjusted_points, CASE state WHEN 'graded' THEN points WHEN 'missing' THEN 0.0 END)
         END AS points,
       CASE state WHEN 'excused' THEN 'excused' WHEN 'graded' THEN verdict
            WHEN 'not due' THEN 'missing' WHEN 'missing' THEN 'missing'
            WHEN 'decided' THEN CASE WHEN adjusted_points >= max_points THEN 'pass' ELSE 'fail' END
            ELSE 'error' END AS verdict,
       CASE WHEN state IN ('excused', 'decided', 'not due', 'missing') THEN 'none'
            WHEN state = 'graded' THEN reason ELSE 'tool' END AS reason,
       coalesce(sha256, file_sha256, '') AS sha256, coalesce(backend, '') AS backend,
       coalesce(device, '') AS device, coalesce(submitted_at, file_time, '') AS submitted_at,
       coalesce(graded_at, '') AS graded_at, coalesce(attempts, 0) AS attempts,
       CASE state WHEN 'graded' THEN full_points END AS full_points,
       CASE WHEN state <> 'excused' THEN coalesce(late_share, 0) ELSE 0 END AS late_share,
       CASE state WHEN 'graded' THEN grade END AS grade, bundle,
       CASE WHEN state = 'unread' AND file_student = ''
            THEN 'files of an unknown student were received; one may be the work for this exercise'
            WHEN state = 'unread'
            THEN 'we received ' || file_name || '; it was not graded because ' || file_reason
            WHEN state = 'ungraded' THEN coalesce(open_reason, 'not graded yet')
            WHEN state = 'unmatched'
            THEN 'work of a student who is not in the roster was received; it may be this work'
            END AS open_reason,
       adjusted_by, adjusted_why, attempt, adjusted_points,
       CASE WHEN class_deadline = '' THEN '' ELSE max(class_deadline, extended_until) END
         AS deadline,
       extended_until, extended_by, extended_why, excused_by, excused_why, bonus, bonus_by,
       bonus_why, CASE state WHEN 'graded' THEN waived ELSE '' END AS waived, comment, comment_by
FROM decided_work;
