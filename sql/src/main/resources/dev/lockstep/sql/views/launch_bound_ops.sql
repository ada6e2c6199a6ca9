-- Operators whose host takes longer than the device activity that they launch: the device waits for them unless it is ahead.
SELECT run, name, sum("count") AS calls, sum(launches) AS launches, sum(host_ns) AS host_ns, sum(device_ns) AS device_ns,
       sum(host_ns) / nullif(sum(device_ns), 0) AS host_to_device
FROM ops
WHERE launches > 0
GROUP BY run, name
HAVING sum(host_ns) > sum(device_ns)
ORDER BY sum(host_ns) - sum(device_ns) DESC, run, name
