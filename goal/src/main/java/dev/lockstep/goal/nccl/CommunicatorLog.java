// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.error.NamedFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Members of communicators as a log of the library names them ({@code NCCL_DEBUG=INFO}). */
public final class CommunicatorLog {
    /** A log that says nothing. */
    public static final CommunicatorLog NONE = new CommunicatorLog(Map.of());

    private static final Pattern MEMBER = Pattern.compile(
            "^\\S*?([^\\s:]+):(\\d{1,18}):\\d+ \\[\\d+\\] NCCL INFO ncclCommInitRank\\w* comm \\S+ rank (\\d{1,9})"
                    + " n[rR]anks (\\d{1,9}).* commId (0x[0-9a-f]+)");

    private static final int LONGEST_LINE = 1000;

    private record Entry(String host, long pid, int rank, int ranks) {}

    private final Map<String, List<Entry>> byId;

    private CommunicatorLog(Map<String, List<Entry>> byId) {
        this.byId = byId;
    }

    /** Reads a log; lines that say something else do not matter. */
    public static CommunicatorLog read(Path file) throws IOException {
        Map<String, List<Entry>> byId = new HashMap<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(NamedFiles.in(file), StandardCharsets.ISO_8859_1))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher found = MEMBER.matcher(line);
                if (line.length() <= LONGEST_LINE && found.find()) {
                    byId.computeIfAbsent(found.group(5), id -> new ArrayList<>())
                            .add(new Entry(
                                    found.group(1),
                                    Long.parseLong(found.group(2)),
                                    Integer.parseInt(found.group(3)),
                                    Integer.parseInt(found.group(4))));
                }
            }
        }
        return new CommunicatorLog(byId);
    }

    /** GPUs by their rank, of those that use the communicator; empty when the log does not know it. */
    Map<Integer, Integer> members(String id, Set<Integer> users, List<NcclProcess> processes) {
        Map<Integer, Integer> members = new TreeMap<>();
        for (Entry entry : byId.getOrDefault(id, List.of())) {
            List<Integer> same = users.stream()
                    .filter(gpu -> processes.get(gpu).pid() == entry.pid)
                    .toList();
            same.stream()
                    .filter(gpu -> same.size() == 1
                            || entry.host.endsWith(processes.get(gpu).node()))
                    .max(Comparator.comparingInt(
                            gpu -> processes.get(gpu).node().length()))
                    .ifPresent(gpu -> members.put(entry.rank, gpu));
        }
        return members;
    }

    int size(String id, Set<Integer> users) {
        return byId.getOrDefault(id, List.of()).stream()
                .mapToInt(Entry::ranks)
                .max()
                .orElse(users.size());
    }
}
