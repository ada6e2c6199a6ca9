// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What was called: an operation with its sizes, without where and when. Equal calls are one object in a dump.
 *
 * @param name as recorded, {@code nccl:_all_gather_base}
 * @param in elements of all inputs
 * @param out elements of all outputs
 * @param types types of the elements, sorted
 * @param parts of a group of calls that the device gets at once; empty for a call alone
 */
public record Call(String name, long in, long out, String types, List<Call> parts) {
    private static final List<String> KINDS = List.of(
            "all_gather",
            "reduce_scatter",
            "all_reduce",
            "all_to_all",
            "broadcast",
            "barrier",
            "gather",
            "scatter",
            "reduce",
            "send",
            "recv");

    private static final Map<String, String> OTHER_SPELLINGS = Map.of(
            "allgather",
            "all_gather",
            "allreduce",
            "all_reduce",
            "alltoall",
            "all_to_all",
            "reducescatter",
            "reduce_scatter");

    /** Copies the parts. */
    public Call {
        parts = List.copyOf(parts);
    }

    /** The library: what stands before the colon; empty where nothing does. */
    static String backend(String name) {
        int colon = name.indexOf(':');
        return colon < 0 ? "" : name.substring(0, colon);
    }

    /** The name without library and ranks: {@code send} of {@code nccl:send 0->1}. */
    public String operation() {
        String bare = name.substring(name.indexOf(':') + 1);
        int space = bare.indexOf(' ');
        return space < 0 ? bare : bare.substring(0, space);
    }

    /** What libraries carry out alike, whatever the function is called: {@code all_gather}. */
    public String kind() {
        String word = operation().toLowerCase(Locale.ROOT);
        if (endsCoalesced(name)) {
            return parts.isEmpty()
                    ? word
                    : parts.stream().map(Call::kind).sorted().collect(Collectors.joining("+"));
        }
        if (word.endsWith("barrier")) {
            return "barrier";
        }
        for (Map.Entry<String, String> spelling : OTHER_SPELLINGS.entrySet()) {
            word = word.replace(spelling.getKey(), spelling.getValue());
        }
        for (String kind : KINDS) {
            if (word.contains(kind)) {
                return kind;
            }
        }
        return word;
    }

    /** Whether it ends a group of calls. */
    static boolean endsCoalesced(String name) {
        return name.endsWith("coalesced");
    }

    /** Elements that must be equal on all members; -1 where they may differ. */
    public long size() {
        if (!parts.isEmpty()) {
            return parts.stream().mapToLong(Call::size).sum();
        }
        return switch (kind()) {
            case "all_gather", "broadcast", "scatter" -> out;
            case "all_reduce", "reduce_scatter", "reduce", "gather", "send" -> in;
            case "recv" -> Math.max(in, out);
            default -> -1;
        };
    }

    /** For people: {@code all_reduce of 1,024 Float}. */
    public String words() {
        if (parts.size() == 1) {
            return parts.getFirst().words();
        }
        if (!parts.isEmpty()) {
            return "a group of " + parts.size() + " calls";
        }
        String bare = name.substring(name.indexOf(':') + 1);
        long size = size() >= 0 ? size() : in;
        return kind().equals("barrier") || size == 0
                ? bare
                : String.format(Locale.ROOT, "%s of %,d %s", bare, size, types).strip();
    }

    /** Whether it is sent from one rank to another. */
    public boolean isPeerToPeer() {
        return kind().equals("send") || kind().equals("recv");
    }

    /** The rank within the group at the other end, of a message; -1 where the name does not say. */
    public int peer() {
        int space = name.indexOf(' ');
        if (space < 0) {
            return -1;
        }
        String pair = name.substring(space + 1);
        int arrow = Math.max(pair.indexOf("->"), pair.indexOf("<-"));
        try {
            return arrow < 0 ? -1 : Integer.parseInt(pair.substring(arrow + 2).strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
