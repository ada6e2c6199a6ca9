-- the longest of what is given here
WITH given(name, stream, "time") AS (VALUES ('ncclDevKernel', 7, 3.5), ('gemm', 7, 1e9), ('copy', NULL, 0.25))
SELECT name, sum("time") OVER (PARTITION BY stream ORDER BY name) AS total, [name, 'x'] AS list, {'a': stream} AS part
FROM given WHERE name NOT LIKE 'x%' ORDER BY total DESC, name LIMIT 10;
