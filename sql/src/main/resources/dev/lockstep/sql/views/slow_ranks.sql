-- Ranks by what they take without communication that nothing hid, beside the median rank; the slowest first. Chance is not told from cause here: 'lockstep fleet' does.
WITH ranks_own AS (
    SELECT run, rank, count(*) AS steps, sum(total_ns - exposed_communication_ns) AS own_ns
    FROM steps
    WHERE step IS NOT NULL AND total_ns IS NOT NULL
    GROUP BY run, rank)
SELECT run, rank, steps, own_ns, own_ns / nullif(median(own_ns) OVER (PARTITION BY run), 0) AS own_to_median
FROM ranks_own
ORDER BY own_to_median DESC, run, rank
