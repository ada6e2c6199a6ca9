-- Kernels of one name and shape that take another time on a rank than on most: the logarithm of the ratio lies more than 3 scaled median absolute deviations, and more than 5 %, from the median of at least 4 ranks.
WITH means AS (
    SELECT run, rank, name, dims, sum(sum_ns) AS sum_ns, sum("count") AS "count", ln(sum(sum_ns) / sum("count")) AS log_mean
    FROM kernels
    WHERE kernel_class = 'compute'
    GROUP BY run, rank, name, dims
    HAVING sum(sum_ns) > 0),
middles AS (
    SELECT run, name, dims, count(*) AS ranks, median(log_mean) AS middle, mad(log_mean) AS spread
    FROM means
    GROUP BY run, name, dims)
SELECT m.run, m.rank, m.name, m.dims, m."count", m.sum_ns, exp(m.log_mean - middle) AS ratio,
       m.sum_ns - m.sum_ns / exp(m.log_mean - middle) AS excess_ns
FROM means m JOIN middles d ON m.run = d.run AND m.name = d.name AND m.dims IS NOT DISTINCT FROM d.dims
WHERE d.ranks >= 4 AND abs(m.log_mean - middle) > greatest(3 * 1.4826 * spread, ln(1.05))
ORDER BY abs(excess_ns) DESC, m.run, m.rank, m.name, m.dims
