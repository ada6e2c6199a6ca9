// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Schedules in GOAL that are made up: in the order of the file everything ends. */
public final class RandomSchedules {
    private static final int[] SIZES = {1, 8, 4096};

    private RandomSchedules() {}

    /**
     * A schedule whose messages share few tags, so that they may meet in several orders.
     *
     * @param seed of every choice
     * @param steps calculations and messages, which take an operation on two ranks each
     * @param tags how many tags there are
     */
    public static String text(long seed, int steps, int tags) {
        Random random = new Random(seed);
        int ranks = 2 + random.nextInt(3);
        List<List<String>> lines = new ArrayList<>();
        int[] operations = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            lines.add(new ArrayList<>());
        }
        int waits = random.nextInt(4);
        for (int step = 0; step < steps; step++) {
            int from = random.nextInt(ranks);
            if (random.nextInt(4) == 0) {
                add(random, lines.get(from), operations[from]++, "calc " + random.nextInt(50_000), waits);
                continue;
            }
            int to = (from + 1 + random.nextInt(ranks - 1)) % ranks;
            int size = SIZES[random.nextInt(SIZES.length)];
            int tag = random.nextInt(tags);
            add(random, lines.get(from), operations[from]++, "send %db to %d tag %d".formatted(size, to, tag), waits);
            add(random, lines.get(to), operations[to]++, "recv %db from %d tag %d".formatted(size, from, tag), waits);
        }
        StringBuilder text = new StringBuilder("num_ranks " + ranks + "\n");
        for (int rank = 0; rank < ranks; rank++) {
            text.append("rank ").append(rank).append(" {\n");
            lines.get(rank).forEach(line -> text.append(line).append('\n'));
            text.append("}\n");
        }
        return text.toString();
    }

    /** Adds an operation that may wait for the end or the start of some before it. */
    private static void add(Random random, List<String> lines, int number, String what, int waits) {
        boolean calculates = what.startsWith("calc");
        String card = calculates || random.nextInt(3) > 0 ? "" : " nic " + random.nextInt(2);
        lines.add("l" + number + ": " + what + " cpu " + random.nextInt(2) + card);
        for (int i = 0; i < waits && number > 0; i++) {
            if (random.nextInt(3) > 0) {
                int before = random.nextInt(3) == 0 ? random.nextInt(number) : number - 1;
                String word = random.nextInt(4) == 0 ? "irequires" : "requires";
                lines.add("l" + number + " " + word + " l" + before);
            }
        }
    }
}
