-- Ranks by their own time in a step, which is the step without exposed communication, beside the median of all ranks in the same steps, those that at least half of the ranks have; the slowest first. Table slow_ranks says who is slow beyond chance.
WITH owns AS (
    SELECT run, rank, step, sum(total_ns - exposed_communication_ns) AS own_ns
    FROM steps
    WHERE step IS NOT NULL AND total_ns IS NOT NULL
    GROUP BY run, rank, step),
middles AS (
    SELECT run, step, median(own_ns) AS middle_ns
    FROM owns
    GROUP BY run, step
    HAVING 2 * count(*) >= (SELECT count(DISTINCT rank) FROM owns o WHERE o.run = owns.run))
SELECT run, rank, count(*) AS steps, sum(own_ns) AS own_ns, sum(own_ns) / nullif(sum(middle_ns), 0) AS own_to_median
FROM owns JOIN middles USING (run, step)
GROUP BY run, rank
ORDER BY own_to_median DESC, run, rank
