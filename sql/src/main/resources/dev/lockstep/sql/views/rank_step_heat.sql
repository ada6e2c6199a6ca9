-- What each rank took in each step without communication that nothing hid, beside the median of all ranks in that step: above 1, others wait for it.
SELECT run, rank, step, total_ns - exposed_communication_ns AS own_ns,
       own_ns / nullif(median(own_ns) OVER (PARTITION BY run, step), 0) AS own_to_median
FROM steps
WHERE step IS NOT NULL AND total_ns IS NOT NULL
