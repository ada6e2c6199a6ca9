-- Ranks that are missing, unreadable or cut off, files that were set aside, and why.
SELECT run, rank, status, file, note
FROM ranks
WHERE status <> 'read'
