// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the dump of a rank as JSON, call by call. */
final class DumpText {
    private final Map<String, String> groups = new HashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> entries = new ArrayList<>();

    /** @param ranks as a dump spells them, {@code [0, 1]} */
    DumpText group(String name, String ranks) {
        groups.put(name, ranks);
        return this;
    }

    /** A call that is done where it ends with a full stop, that began with a tilde, else scheduled. */
    DumpText call(String group, String operation, long elements, String state) {
        boolean message = operation.startsWith("send") || operation.startsWith("recv");
        int number = numbers.merge(group + message, 1, Integer::sum);
        entries.add(String.format(
                Locale.ROOT,
                "{\"record_id\":%d,\"process_group\":[\"%s\",\"\"],\"collective_seq_id\":%d,\"p2p_seq_id\":%d,"
                        + "\"is_p2p\":%b,\"profiling_name\":\"nccl:%s\",\"time_created_ns\":%d,\"input_sizes\":[[%d]],"
                        + "\"output_sizes\":[[%d]],\"input_dtypes\":[\"Float\"],\"output_dtypes\":[\"Float\"],"
                        + "\"state\":\"%s\",\"frames\":null}",
                entries.size(),
                group,
                number,
                number,
                message,
                operation,
                1_790_000_000_000_000_000L + entries.size() * 1_000_000L,
                elements,
                elements,
                state));
        return this;
    }

    void write(Path folder, int rank) throws IOException {
        StringBuilder config = new StringBuilder();
        groups.forEach((name, ranks) -> config.append(config.isEmpty() ? "" : ",")
                .append("\"" + name + "\":{\"name\":\"" + name + "\",\"desc\":\"\",\"ranks\":\"" + ranks + "\"}"));
        Files.writeString(
                folder.resolve("nccl_trace_rank_" + rank),
                "{\"version\":\"2.10\",\"pg_config\":{" + config + "},\"pg_status\":{},\"entries\":["
                        + String.join(",", entries) + "]}");
    }
}
