-- The first step in which a rank leaves the band of all ranks: more than 3 scaled median absolute deviations and more than 5 % above the median of the step, in what it takes without communication that nothing hid.
WITH bands AS (
    SELECT run, step, median(own_ns) AS middle, mad(own_ns) AS spread
    FROM (SELECT run, step, total_ns - exposed_communication_ns AS own_ns FROM steps WHERE step IS NOT NULL)
    GROUP BY run, step
    HAVING count(*) >= 4)
SELECT s.run, s.rank, min(s.step) AS step, min_by(s.step_index, s.step) AS step_index, count(*) AS steps_outside
FROM steps s JOIN bands b ON s.run = b.run AND s.step = b.step
WHERE s.total_ns - s.exposed_communication_ns > middle + greatest(3 * 1.4826 * spread, 0.05 * middle)
GROUP BY s.run, s.rank
ORDER BY step, s.run, s.rank
