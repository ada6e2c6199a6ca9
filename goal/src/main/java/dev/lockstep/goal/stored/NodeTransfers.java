// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.goal.model.Machine;
import dev.lockstep.goal.model.SideTable;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Which calculations of a schedule are transfers within a node, and how much each moves. */
public final class NodeTransfers {
    /** The name of the table that says so, beside the schedule. */
    public static final String NAME = "transfers.tsv";

    /** The first line of that table. */
    public static final String HEAD = "rank\toperation\tbytes";

    private static final int COLUMNS = 3;
    private static final int LONGEST_NUMBER = 18;

    private final SideTable table;
    private final List<IntList> operations = new ArrayList<>();
    private final List<LongList> bytes = new ArrayList<>();
    private long count;

    private NodeTransfers(Path file, int ranks) {
        table = new SideTable(file, HEAD);
        for (int rank = 0; rank < ranks; rank++) {
            operations.add(new IntList(16));
            bytes.add(new LongList(16));
        }
    }

    /** Whether there is a table. */
    public static boolean exist(Path file) {
        return Files.isRegularFile(file);
    }

    /**
     * Reads the table of a schedule.
     *
     * @throws TraceFormatException when it is something else, or about another schedule
     */
    public static NodeTransfers read(Path file, StoredSchedule schedule) throws IOException {
        NodeTransfers read = new NodeTransfers(file, schedule.ranks().size());
        try (BufferedReader lines = NamedFiles.reader(file)) {
            String head = lines.readLine();
            if (!HEAD.equals(head)) {
                throw read.table.corrupt(1);
            }
            long[] cells = new long[COLUMNS];
            long number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!numbers(line, cells)) {
                    throw read.table.corrupt(number);
                }
                read.add(schedule, cells, number);
            }
        }
        return read;
    }

    /** How many there are. */
    public long count() {
        return count;
    }

    /** The schedule with other durations of calculations, and of transfers. */
    public StoredSchedule on(Machine machine, StoredSchedule schedule) {
        List<Operations> ranks = new ArrayList<>();
        for (int rank = 0; rank < schedule.ranks().size(); rank++) {
            Operations as = schedule.ranks().get(rank);
            long[] amounts = amounts(machine, as);
            for (int i = 0; i < operations.get(rank).size(); i++) {
                int operation = operations.get(rank).get(i);
                amounts[operation] = machine.transferNs(bytes.get(rank).get(i), as.amount(operation));
            }
            ranks.add(as.with(amounts));
        }
        return new StoredSchedule(ranks, schedule.flaws());
    }

    /** A schedule with other durations of all its calculations: it is not known which are transfers. */
    public static StoredSchedule unknown(Machine machine, StoredSchedule schedule) {
        return new StoredSchedule(
                schedule.ranks().stream()
                        .map(rank -> rank.with(amounts(machine, rank)))
                        .toList(),
                schedule.flaws());
    }

    private static long[] amounts(Machine machine, Operations as) {
        long[] amounts = new long[as.size()];
        for (int i = 0; i < amounts.length; i++) {
            amounts[i] = as.kind(i) == Operations.CALC ? machine.computeNs(as.amount(i)) : as.amount(i);
        }
        return amounts;
    }

    private void add(StoredSchedule schedule, long[] cells, long line) throws TraceFormatException {
        int rank = (int) Math.min(cells[0], Integer.MAX_VALUE);
        int operation = (int) Math.min(cells[1], Integer.MAX_VALUE);
        if (rank >= operations.size()
                || operation >= schedule.ranks().get(rank).size()
                || schedule.ranks().get(rank).kind(operation) != Operations.CALC) {
            throw table.corrupt(
                    line, "operation " + cells[1] + " of rank " + cells[0] + " is no calculation of the schedule");
        }
        operations.get(rank).add(operation);
        bytes.get(rank).add(cells[2]);
        count++;
    }

    private static boolean numbers(String line, long[] into) {
        int at = 0;
        for (int i = 0; i < into.length; i++) {
            int end = i < into.length - 1 ? line.indexOf('\t', at) : line.length();
            if (end <= at || end - at > LONGEST_NUMBER) {
                return false;
            }
            long value = 0;
            for (; at < end; at++) {
                int digit = line.charAt(at) - '0';
                if (digit < 0 || digit > 9) {
                    return false;
                }
                value = 10 * value + digit;
            }
            into[i] = value;
            at = end + 1;
        }
        return true;
    }
}
