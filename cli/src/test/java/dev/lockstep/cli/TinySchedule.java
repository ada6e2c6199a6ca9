// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Random;

/**
 * Schedules of a few operations in sound lines that need not fit: messages nobody waits for, ranks that are not there, circles,
 * labels twice, sizes at their limits. The same seed makes the same schedule.
 */
final class TinySchedule {
    private static final int MOST_OPERATIONS = 5;

    private final Random random;
    private final StringBuilder text = new StringBuilder();

    private TinySchedule(long seed) {
        random = new Random(seed);
    }

    static byte[] bytes(long seed) {
        return new TinySchedule(seed).schedule().getBytes(UTF_8);
    }

    private String schedule() {
        int ranks = 1 + random.nextInt(3);
        text.append("num_ranks ")
                .append(random.nextInt(8) == 0 ? number() : ranks)
                .append('\n');
        for (int rank = 0; rank < ranks; rank++) {
            int operations = random.nextInt(MOST_OPERATIONS);
            text.append("rank ")
                    .append(random.nextInt(16) == 0 ? random.nextInt(4) : rank)
                    .append(" {\n");
            for (int i = 1; i <= operations; i++) {
                operation(random.nextInt(16) == 0 ? 1 : i, rank, ranks);
            }
            for (int i = random.nextInt(1 + operations); i > 0; i--) {
                // mostly a later one for an earlier one
                int later = 1 + random.nextInt(operations);
                int earlier = random.nextInt(8) == 0 ? 1 + random.nextInt(operations + 1) : 1 + random.nextInt(later);
                text.append('l')
                        .append(later)
                        .append(random.nextInt(4) == 0 ? " irequires l" : " requires l")
                        .append(earlier)
                        .append('\n');
            }
            text.append("}\n");
        }
        return text.toString();
    }

    private void operation(int label, int rank, int ranks) {
        text.append('l').append(label).append(": ");
        int kind = random.nextInt(3);
        if (kind == 0) {
            text.append("calc ").append(number());
        } else {
            int peer = random.nextInt(8) == 0 ? random.nextInt(4) : (rank + 1 + random.nextInt(ranks)) % ranks;
            text.append(kind == 1 ? "send " : "recv ")
                    .append(number())
                    .append("b ")
                    .append(kind == 1 ? "to " : "from ")
                    .append(peer);
            if (random.nextBoolean()) {
                text.append(" tag ").append(random.nextInt(4) == 0 ? number() : String.valueOf(random.nextInt(2)));
            }
        }
        if (random.nextInt(3) == 0) {
            text.append(" cpu ").append(random.nextInt(8) == 0 ? number() : String.valueOf(random.nextInt(3)));
        }
        if (random.nextInt(3) == 0) {
            text.append(" nic ").append(random.nextInt(8) == 0 ? number() : String.valueOf(random.nextInt(3)));
        }
        text.append('\n');
    }

    private String number() {
        return switch (random.nextInt(12)) {
            case 0 -> "0";
            case 1 -> "2147483647";
            case 2 -> "2147483648";
            case 3 -> "9223372036854775807";
            case 4 -> "1";
            case 5 -> "4294967296";
            default -> String.valueOf(random.nextInt(10_000));
        };
    }
}
