-- Asked of a dataset, in what the dialects of DuckDB and Spark have in common.
SELECT 'sums' AS question, name AS subject, CAST(sum(count) AS BIGINT) AS n, CAST(sum(sum_ns) AS BIGINT) AS ns FROM kernels GROUP BY name
UNION ALL
SELECT 'activity', name, count(*), CAST(sum(dur_ns) AS BIGINT) FROM slices WHERE kind IN ('kernel', 'memcpy', 'memset') GROUP BY name
UNION ALL
SELECT 'kernels', name, count(*), CAST(sum(dur_ns) AS BIGINT) FROM slices WHERE kind = 'kernel' GROUP BY name
UNION ALL
SELECT 'copies', '', count(*), CAST(sum(dur_ns) AS BIGINT) FROM slices WHERE kind = 'memcpy' HAVING count(*) > 0
UNION ALL
SELECT 'streams', concat(device, '/', stream), count(*), CAST(sum(dur_ns) AS BIGINT) FROM slices
WHERE kind IN ('kernel', 'memcpy', 'memset') GROUP BY device, stream
UNION ALL
SELECT 'collectives', name, count(*), CAST(sum(dur_ns) AS BIGINT) FROM collectives GROUP BY name
UNION ALL
SELECT 'communication', '', count(*), CAST(sum(dur_ns) AS BIGINT) FROM collectives HAVING count(*) > 0
UNION ALL
SELECT 'ops', name, CAST(sum(count) AS BIGINT), CAST(sum(host_ns) AS BIGINT) FROM ops GROUP BY name
UNION ALL
SELECT 'operators', name, count(*), CAST(sum(dur_ns) AS BIGINT) FROM slices WHERE kind = 'cpu_op' GROUP BY name
