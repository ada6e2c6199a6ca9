-- Time of computing kernels of each rank in each step, beside the median over the rank's own steps: where the pace changes, the device or the work did.
SELECT run, rank, step, kernels_ns,
       kernels_ns / nullif(median(kernels_ns) OVER (PARTITION BY run, rank), 0) AS pace
FROM steps
WHERE step IS NOT NULL
