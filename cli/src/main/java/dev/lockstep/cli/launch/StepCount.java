// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** Counts the steps that a run has done, by the lines that rank 0 adds to its metrics. */
final class StepCount {
    private static final String METRICS = "rank_00_metrics.jsonl";
    private static final int BUFFER = 1 << 16;

    private final Path file;
    private long read;
    private int lines;

    StepCount(Path directory) {
        file = directory.resolve(METRICS);
    }

    /** How many there are by now; 0 where the trainer writes no metrics. */
    int steps() {
        if (!Files.exists(file)) {
            return 0;
        }
        try (RandomAccessFile metrics = new RandomAccessFile(file.toFile(), "r")) {
            metrics.seek(read);
            byte[] buffer = new byte[BUFFER];
            for (int count = metrics.read(buffer); count > 0; count = metrics.read(buffer)) {
                read += count;
                for (int i = 0; i < count; i++) {
                    lines += buffer[i] == '\n' ? 1 : 0;
                }
            }
        } catch (IOException e) {
            return lines;
        }
        return lines;
    }
}
