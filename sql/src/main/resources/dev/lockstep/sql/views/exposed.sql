-- Communication that nothing hid, of each rank in each step, and its share of the step's device time.
SELECT run, rank, step, exposed_communication_ns, communication_ns,
       exposed_communication_ns / nullif(total_ns, 0) AS share_of_step,
       exposed_communication_ns / nullif(communication_ns, 0) AS share_exposed
FROM steps
WHERE step IS NOT NULL
