// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.chakra;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.JsonOut;
import dev.lockstep.error.NamedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ranks of process groups, which stand beside execution traces in a file of their own.
 *
 * @param members by name of the group
 */
record GroupFile(Map<String, List<Long>> members) {
    private static final String NAME = "comm_group.json";

    /** The groups of a trace; none where there is no such file, or it is something else. */
    static GroupFile beside(Path trace) {
        Path file = trace.resolveSibling(NAME);
        Map<String, List<Long>> members = new HashMap<>();
        try {
            if (Files.isRegularFile(file) && Json.parse(NamedFiles.settings(file)) instanceof Json.Members groups) {
                groups.members().keySet().forEach(group -> members.put(group, ranks(groups.items(group))));
            }
        } catch (IOException e) {
            return new GroupFile(Map.of());
        }
        return new GroupFile(members);
    }

    private static List<Long> ranks(List<Json> items) {
        return items.stream()
                .map(item -> item instanceof Json.Numeral rank && rank.isWhole() ? rank.bits() : -1L)
                .toList();
    }

    /** How many ranks a group has, -1 where that is not known. */
    int size(String group) {
        List<Long> ranks = members.get(group);
        return ranks == null || ranks.isEmpty() ? -1 : ranks.size();
    }

    /** The ranks as PyTorch's profiler lists them. */
    String list(String group) {
        return JsonOut.line(members.get(group));
    }
}
