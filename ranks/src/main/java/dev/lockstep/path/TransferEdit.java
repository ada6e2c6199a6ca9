// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.codec.GivenTime;
import dev.lockstep.codec.Glob;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.table.LongIntMap;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Other times for the transfers of some collectives: times a factor, as long as given, or as a bandwidth gives them. */
final class TransferEdit {
    private static final Pattern VALUE = Pattern.compile("x?(?<factor>\\d{1,6}(?:\\.\\d{1,6})?)"
            + "|(?<time>\\d{1,12}(?:\\.\\d{1,3})?)(?<unit>ns|us|ms)"
            + "|bandwidth:(?<bandwidth>\\d{1,9}(?:\\.\\d{1,6})?)GB/s(?<any>!?)");

    /** So long ago that nothing waits for it, with room to add to. */
    static final long LONG_AGO = -(1L << 60);

    private final Glob kind;
    private final Glob group;
    private final long bytes;
    private final Matcher value;

    private TransferEdit(Glob kind, Glob group, long bytes, Matcher value) {
        this.kind = kind;
        this.group = group;
        this.bytes = bytes;
        this.value = value;
    }

    /** @param wrong makes an error of what cannot be understood */
    static TransferEdit parse(String subject, String value, Function<String, UserException> wrong) {
        String[] parts = subject.split(":", -1);
        Matcher found = VALUE.matcher(value);
        if (!found.matches()) {
            throw wrong.apply("'" + value + "' is no factor, time or bandwidth");
        }
        if (parts.length > 3 || parts.length == 3 && !parts[2].matches("\\d{1,18}")) {
            throw wrong.apply("'" + subject + "' is no kind, group and number of bytes");
        }
        return new TransferEdit(
                new Glob(parts[0]),
                new Glob(parts.length > 1 ? parts[1] : "*"),
                parts.length > 2 ? Long.parseLong(parts[2]) : -1,
                found);
    }

    void apply(DependencyGraph graph, long[] weights) {
        LongIntMap byMeeting = new LongIntMap(64);
        for (int i = 0; i < transfers(graph); i++) {
            if (concerns(graph.transfers.get(i))) {
                byMeeting.put(graph.transfers.get(i).met(), i);
            }
        }
        Map<List<Object>, Long> shortest = new HashMap<>();
        for (int v = 0; v < graph.size(); v++) {
            Transfer transfer = ended(graph, byMeeting, v);
            for (int e = graph.firstEdge[v]; transfer != null && e < graph.firstEdge[v + 1]; e++) {
                if (graph.kind[e] == EdgeKind.MEMBER.ordinal()) {
                    shortest.merge(alike(transfer), graph.weight[e], Math::min);
                }
            }
        }
        for (int v = 0; v < graph.size(); v++) {
            Transfer transfer = ended(graph, byMeeting, v);
            for (int e = graph.firstEdge[v]; transfer != null && e < graph.firstEdge[v + 1]; e++) {
                if (graph.kind[e] == EdgeKind.MEMBER.ordinal()) {
                    weights[e] = time(transfer, weights[e], shortest.getOrDefault(alike(transfer), 0L));
                }
            }
        }
    }

    private static List<Object> alike(Transfer transfer) {
        return List.of(transfer.kind(), transfer.group(), transfer.bytes());
    }

    private boolean concerns(Transfer transfer) {
        return kind.matches(transfer.kind())
                && group.matches(transfer.group())
                && (bytes < 0 || bytes == transfer.bytes());
    }

    /** The transfer that a vertex ends for one of the members, null for none in question. */
    private static @Nullable Transfer ended(DependencyGraph graph, LongIntMap byMeeting, int vertex) {
        for (int e = graph.firstEdge[vertex]; e < graph.firstEdge[vertex + 1]; e++) {
            int found = graph.kind[e] == EdgeKind.MEMBER.ordinal() ? byMeeting.get(graph.source[e]) : -1;
            if (found >= 0) {
                return graph.transfers.get(found);
            }
        }
        return null;
    }

    /**
     * What a transfer takes.
     *
     * @param shortest what was recorded of its kind, group and size: no bandwidth gives less, unless it is asked for
     */
    private long time(Transfer transfer, long recorded, long shortest) {
        if (value.group("factor") != null) {
            return decimal("factor").multiply(BigDecimal.valueOf(recorded)).longValue();
        }
        if (value.group("time") != null) {
            return GivenTime.nanoseconds(value.group("time") + value.group("unit"))
                    .orElseThrow();
        }
        if (transfer.bytes() < 0) {
            return recorded;
        }
        BigDecimal crossing = BigDecimal.valueOf(transfer.bytes() * transfer.busFactor());
        long time =
                crossing.divide(decimal("bandwidth"), 0, RoundingMode.HALF_EVEN).longValue();
        return value.group("any").isEmpty() ? Math.max(time, shortest) : time;
    }

    private BigDecimal decimal(String name) {
        return new BigDecimal(value.group(name));
    }

    /** Lets every member transfer from when it comes. */
    static void withoutWaiting(DependencyGraph graph, long[] weights) {
        for (int i = 0; i < transfers(graph); i++) {
            int met = graph.transfers.get(i).met();
            for (int e = graph.firstEdge[met]; e < graph.firstEdge[met + 1]; e++) {
                weights[e] = LONG_AGO;
            }
        }
    }

    private static int transfers(DependencyGraph graph) {
        if (graph.transfers.isEmpty()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "transfers and late members are known across ranks only",
                    "use lockstep collectives with the traces of all ranks");
        }
        return graph.transfers.size();
    }
}
