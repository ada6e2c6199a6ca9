// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.chakra;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.table.StringPool;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Nodes as slices. What a node of the device waits for on another stream is an arrow, and what it waits for on the host is the call that
 * launched it.
 */
final class NodeSlices {
    private static final String HOST = "host";
    private static final String BYTE = "Byte";

    /** Arrows of recorded dependencies have numbers from here on. */
    private static final long ARROWS = 1L << 40;

    private static final Pattern STREAM = Pattern.compile("(?:device (\\d{1,9}) )?stream (\\d{1,18})");
    private static final Pattern THREAD = Pattern.compile("thread (\\S+)(?: .*)?");

    /** What collectives are called, by their numbers. */
    private static final List<String> COLLECTIVES = List.of(
            "all_reduce",
            "reduce",
            "all_gather",
            "gather",
            "scatter",
            "broadcast",
            "all_to_all",
            "reduce_scatter",
            "reduce_scatter_block",
            "barrier");

    private static final int ALL_GATHER = 2;
    private static final int GATHER = 3;
    private static final int SCATTER = 4;
    private static final int REDUCE_SCATTER = 7;

    private final NodeTable nodes;
    private final GroupFile groups;
    private final TraceBuilder builder;
    private final StringPool strings;
    private final int[][] before;
    private final NodeTimes times;
    private final int[] track;
    private long arrows = ARROWS;
    private long onDevice;

    NodeSlices(NodeTable nodes, GroupFile groups, TraceBuilder builder) {
        this.nodes = nodes;
        this.groups = groups;
        this.builder = builder;
        strings = builder.strings();
        before = new int[nodes.size()][];
        for (int i = 0; i < before.length; i++) {
            before[i] = nodes.before(i);
        }
        times = new NodeTimes(nodes, before, builder.diagnostics());
        track = new int[before.length];
    }

    void add() {
        boolean[] launches = new boolean[before.length];
        for (int i = 0; i < before.length; i++) {
            int launch = launchOf(i);
            if (launch >= 0) {
                launches[launch] = true;
            }
        }
        for (int i = 0; i < before.length; i++) {
            if (nodes.type.get(i) <= ChakraNode.METADATA) {
                track[i] = -1;
            } else if (nodes.isOnHost(i)) {
                host(i, launches[i]);
            } else {
                device(i);
            }
        }
        for (int i = 0; i < before.length; i++) {
            arrows(i);
        }
        builder.counts().add(nodes.size(), nodes.size(), onDevice);
        builder.counts().addPhase("X", nodes.size());
        builder.processLabels(HOST, "CPU");
    }

    /** Of what a node of the device waits for on the host, the last; -1 for none. */
    private int launchOf(int node) {
        int launch = -1;
        if (!nodes.isOnHost(node)) {
            for (int other : before[node]) {
                launch = nodes.isOnHost(other) ? Math.max(launch, other) : launch;
            }
        }
        return launch;
    }

    private int slice(int node, SliceKind kind, String category) {
        int slice = builder.slice(times.start(node), nodes.duration.get(node), nodes.name.get(node), track[node], kind);
        builder.source(slice, strings.intern(category), node);
        builder.counts().addCategory(category, 1, 0);
        return slice;
    }

    private void host(int node, boolean launches) {
        Matcher thread = THREAD.matcher(trackOf(node));
        track[node] = builder.track(strings.intern(HOST), strings.intern(thread.matches() ? thread.group(1) : "0"));
        int slice = slice(node, launches ? SliceKind.RUNTIME_CALL : SliceKind.CPU_OP, "cpu_op");
        builder.join(slice, launches ? nodes.id.get(node) : -1, -1);
    }

    private String trackOf(int node) {
        return nodes.track.get(node) < 0 ? "" : strings.get(nodes.track.get(node));
    }

    private void device(int node) {
        onDevice++;
        Matcher place = STREAM.matcher(trackOf(node));
        boolean known = place.matches();
        String number = known && place.group(1) != null ? place.group(1) : "0";
        long stream = known ? Long.parseLong(place.group(2)) : nodes.communicates(node) ? 1 : 0;
        track[node] = builder.track(strings.intern(number), strings.intern(Long.toString(stream)));
        builder.processLabels(number, "GPU " + number);
        String name = strings.get(nodes.name.get(node));
        SliceKind kind = name.startsWith("Memcpy")
                ? SliceKind.MEMCPY
                : name.startsWith("Memset") ? SliceKind.MEMSET : SliceKind.KERNEL;
        int slice = slice(node, nodes.communicates(node) ? SliceKind.KERNEL : kind, "kernel");
        int launch = launchOf(node);
        builder.join(slice, launch < 0 ? -1 : nodes.id.get(launch), -1);
        DetailRows rows = builder.details(DeviceDetails.KEY);
        rows.add(slice);
        rows.number(DeviceDetails.DEVICE, Long.parseLong(number));
        rows.number(DeviceDetails.STREAM, stream);
        if (nodes.communicates(node)) {
            communication(node, slice);
        }
    }

    private void communication(int node, int slice) {
        int type = nodes.type.get(node);
        int kind = type == ChakraNode.COLLECTIVE ? Math.clamp(nodes.collective.get(node), -1, COLLECTIVES.size()) : -1;
        String name = type == ChakraNode.SEND
                ? "send"
                : type == ChakraNode.RECEIVE
                        ? "recv"
                        : kind < 0 || kind == COLLECTIVES.size() ? "unknown" : COLLECTIVES.get(kind);
        DetailRows rows = builder.details(CollectiveDetails.KEY);
        rows.add(slice);
        rows.text(CollectiveDetails.COLLECTIVE, strings.intern(name));
        rows.text(CollectiveDetails.DTYPE, strings.intern(BYTE));
        long bytes = nodes.bytes.get(node);
        int members = -1;
        if (nodes.group.get(node) >= 0) {
            String group = strings.get(nodes.group.get(node));
            rows.text(CollectiveDetails.GROUP_NAME, nodes.group.get(node));
            members = groups.size(group);
            if (members > 0) {
                rows.number(CollectiveDetails.GROUP_SIZE, members);
                rows.text(CollectiveDetails.GROUP_RANKS, strings.intern(groups.list(group)));
            }
        }
        rows.number(CollectiveDetails.IN_ELEMENTS, type == ChakraNode.RECEIVE ? -1 : bytes);
        rows.number(CollectiveDetails.OUT_ELEMENTS, type == ChakraNode.SEND ? -1 : out(kind, bytes, members));
        rows.number(
                CollectiveDetails.PEER,
                switch (type) {
                    case ChakraNode.SEND -> nodes.to.get(node);
                    case ChakraNode.RECEIVE -> nodes.from.get(node);
                    default -> -1;
                });
    }

    /** What a rank gets out that puts so much in; -1 where that is not known. */
    private static long out(int kind, long bytes, int members) {
        if (bytes < 0 || members < 0 && kind >= ALL_GATHER) {
            return kind < ALL_GATHER ? bytes : -1;
        }
        return switch (kind) {
            case ALL_GATHER, GATHER -> bytes > Long.MAX_VALUE / members ? -1 : bytes * members;
            case SCATTER, REDUCE_SCATTER -> bytes / members;
            default -> bytes;
        };
    }

    /** The order of a stream needs none. */
    private void arrows(int node) {
        if (track[node] < 0 || nodes.isOnHost(node)) {
            return;
        }
        int category = -1;
        for (int other : before[node]) {
            if (track[other] >= 0 && track[other] != track[node] && !nodes.isOnHost(other)) {
                category = category < 0 ? strings.intern("ac2g") : category;
                builder.flow(arrows, 's', times.start(other) + nodes.duration.get(other), track[other], category);
                builder.flow(arrows++, 'f', times.start(node), track[node], category);
            }
        }
    }
}
