// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import dev.lockstep.codec.ByteSource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the binary form: little-endian numbers without gaps. After a header with the place of each rank follow, rank by
 * rank, the operations that wait for nothing, all operations, and for each of them those that wait for it.
 */
final class GoalBinary {
    static final long MAGIC = 4223;
    /** What a simulation that saves memory leaves instead of {@link #MAGIC}. */
    static final long USED_UP = 2342;

    private static final int HEADER = 14;
    private static final int BEFORE_TABLE = 8;
    private static final int RECORD = 39;
    private static final long UNSIGNED = 0xFFFFFFFFL;

    private final LittleEndian in;
    private final String name;
    private final Flaws flaws;
    private final OperationsBuilder builder;
    private int mostCpu;
    private int mostNic;

    GoalBinary(String name, ByteSource source, Flaws flaws) {
        this.name = name;
        this.flaws = flaws;
        in = new LittleEndian(name, source);
        builder = new OperationsBuilder(flaws);
    }

    List<Operations> read() throws IOException {
        long magic = in.u64();
        if (magic != MAGIC) {
            throw malformed("magic number " + magic + ", expected " + MAGIC
                    + (magic == USED_UP ? "; a simulation that saves memory has used this file up" : ""));
        }
        long count = in.u32();
        int statedCpu = in.u8();
        int statedNic = in.u8();
        if (count == 0) {
            throw malformed("expected one rank at least");
        }
        List<Operations> ranks = new ArrayList<>();
        long[] ends = table(count);
        for (int rank = 0; rank < count; rank++) {
            ranks.add(rank(rank, count, ends[rank]));
        }
        if (in.more()) {
            flaws.add("bytes follow the last rank, which ends at byte " + in.position());
        }
        if (mostCpu != statedCpu || mostNic != statedNic) {
            flaws.add("the header says that cpu " + statedCpu + " and nic " + statedNic
                    + " are the largest, but they are " + mostCpu + " and " + mostNic);
        }
        return ranks;
    }

    /** Ends of the ranks' blocks, counted from the beginning of the file. */
    private long[] table(long count) throws IOException {
        LongList ends = new LongList(16);
        long due = HEADER - BEFORE_TABLE + 16 * count;
        for (long rank = 0; rank < count; rank++) {
            long start = in.u64();
            long end = in.u64();
            if (start != due) {
                flaws.add("rank " + rank + " starts at byte " + (start + BEFORE_TABLE) + ", expected "
                        + (due + BEFORE_TABLE));
            }
            if (end < due) {
                throw malformed("rank " + rank + " ends at byte " + (end + BEFORE_TABLE) + ", before it starts");
            }
            due = end;
            ends.add(end + BEFORE_TABLE);
        }
        return ends.toArray();
    }

    private Operations rank(int rank, long of, long end) throws IOException {
        long start = in.position();
        long nodes = in.u32();
        long roots = in.u32();
        long appendix = end - start - 8 - 4 * roots - RECORD * nodes;
        if (appendix < 0 || nodes > Integer.MAX_VALUE - 8) {
            throw malformed("rank " + rank + ": " + nodes + " operations and " + roots
                    + " that wait for nothing do not fit into " + (end - start) + " bytes");
        }
        if (appendix % 4 != 0) {
            throw malformed("rank " + rank + ": its dependencies take " + appendix + " bytes, no multiple of 4");
        }
        IntList stated = new IntList((int) Math.min(roots, 1 << 16));
        for (long i = 0; i < roots; i++) {
            stated.add((int) in.u32());
        }
        builder.begin(rank, of);
        int capacity = (int) Math.min(nodes, 1 << 16);
        IntList waits = new IntList(capacity);
        IntList dependents = new IntList(2 * capacity);
        long total = 0;
        for (int node = 0; node < nodes; node++) {
            total = record(rank, node, total, waits, dependents);
        }
        if (total != appendix / 4) {
            throw malformed(
                    "rank " + rank + ": " + appendix / 4 + " dependencies are stored, but " + total + " are used");
        }
        for (int node = 0; node < nodes; node++) {
            targets(rank, node, (int) nodes, dependents.get(2 * node), false);
            targets(rank, node, (int) nodes, dependents.get(2 * node + 1), true);
        }
        Operations operations = builder.build();
        compare(rank, operations.waitsFor(), waits, stated);
        return operations;
    }

    private long record(int rank, int node, long before, IntList waits, IntList dependents) throws IOException {
        waits.add((int) in.u32());
        int kind = in.u8();
        long peer = in.u32();
        long amount = in.u64();
        long tag = in.u32();
        int cpu = in.u8();
        int nic = in.u8();
        long after = in.u32();
        long afterIndex = in.u32();
        long start = in.u32();
        long startIndex = in.u32();
        if (kind != Operations.SEND && kind != Operations.RECV && kind != Operations.CALC) {
            throw malformed("rank " + rank + " operation " + node + ": type " + kind + ", expected 1, 2 or 3");
        }
        if (afterIndex != before || startIndex != before + after) {
            throw malformed("rank " + rank + " operation " + node + ": its dependents begin at " + afterIndex + " and "
                    + startIndex + ", expected " + before + " and " + (before + after));
        }
        if (kind == Operations.CALC && (peer != 0 || tag != 0)) {
            flaws.add("%s: a calc has peer " + peer + " and tag " + tag, new Flaws.Place(rank, node));
        }
        mostCpu = Math.max(mostCpu, cpu);
        mostNic = Math.max(mostNic, nic);
        boolean any = kind == Operations.RECV && peer == UNSIGNED;
        builder.add((byte) kind, amount, any ? OperationsBuilder.ANY : peer, tag, cpu, nic);
        dependents.add((int) after);
        dependents.add((int) start);
        return before + after + start;
    }

    private void targets(int rank, int node, int nodes, int count, boolean start) throws IOException {
        for (int i = 0; i < count; i++) {
            long target = in.u32();
            if (target >= nodes) {
                throw malformed(
                        "rank " + rank + " operation " + node + ": a dependent has number " + target + " of " + nodes);
            }
            builder.dependency((int) target, node, start);
        }
    }

    private void compare(int rank, int[] waits, IntList statedWaits, IntList statedRoots) {
        int roots = 0;
        boolean same = true;
        for (int node = 0; node < waits.length; node++) {
            if (statedWaits.get(node) != waits[node]) {
                flaws.add(
                        "%s: its record says that it waits for " + Integer.toUnsignedString(statedWaits.get(node))
                                + " operations, but it waits for " + waits[node],
                        new Flaws.Place(rank, node));
            }
            if (waits[node] == 0) {
                same &= roots < statedRoots.size() && statedRoots.get(roots) == node;
                roots++;
            }
        }
        if (!same || roots != statedRoots.size()) {
            flaws.add("rank " + rank + ": the list of operations that wait for nothing is not what the operations say");
        }
    }

    private TraceFormatException malformed(String problem) {
        return new TraceFormatException(ErrorCode.FORMAT_CORRUPT, name, in.position(), problem, null);
    }
}
