-- Communication kernels beside which no computing kernel of their device ran at any time. Needs single slices (level full).
SELECT c.run, c.rank, c.step, c.name, c.stream, c.ts_ns, c.dur_ns
FROM slices c
WHERE c.kernel_class = 'communication' AND c.kind = 'kernel'
  AND NOT EXISTS (
    SELECT 1 FROM slices k
    WHERE k.run = c.run AND k.rank = c.rank AND k.device IS NOT DISTINCT FROM c.device
      AND k.kernel_class = 'compute' AND k.ts_ns < c.ts_ns + c.dur_ns AND k.ts_ns + k.dur_ns > c.ts_ns)
