-- Who waited for whom: of each rank, how often and how long it waited in collectives in which another one came last.
SELECT run, rank, last_rank AS waited_for, count(*) AS collectives, sum(wait_ns) AS wait_ns
FROM collectives
WHERE last_rank IS NOT NULL AND last_rank <> rank
GROUP BY run, rank, last_rank
