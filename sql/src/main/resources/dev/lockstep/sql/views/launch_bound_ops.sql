-- Operators whose host takes longer, with all that lies inside them, than the device activity that they launch themselves: the device waits for them unless it is ahead, or what lies inside launches enough.
SELECT run, name, sum("count") AS calls, sum(launches) AS launches, sum(host_ns) AS host_ns, sum(device_ns) AS device_ns,
       sum(host_ns) / nullif(sum(device_ns), 0) AS host_to_device
FROM ops
WHERE launches > 0
GROUP BY run, name
HAVING sum(host_ns) > sum(device_ns)
ORDER BY sum(host_ns) - sum(device_ns) DESC, run, name
