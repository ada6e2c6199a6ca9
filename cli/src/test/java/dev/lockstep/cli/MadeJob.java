// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;

/**
 * The operations of a job that was made from nothing: a stage, data-parallel workers that meet before the optimizer. Times are in
 * parts of a second that 32 bits hold exactly. What slow work costs is computed here in closed form.
 *
 * @param steps by step and worker
 * @param passes forward, and as many backward, of a worker in a step
 */
record MadeJob(List<List<Worker>> steps, int passes) {
    private static final double UNIT_US = 1e6 / 4096;

    /**
     * What a worker does in a step, in units.
     *
     * @param computes passes, then collecting garbage
     * @param waits how late each of these begins, and then the meeting
     * @param meets from the start of the last worker on
     */
    record Worker(long[] computes, long[] waits, long meets, long optimizes) {
        private long works() {
            return Arrays.stream(computes).sum();
        }

        private long arrives() {
            return works() + Arrays.stream(waits).sum();
        }
    }

    static MadeJob of(RandomGenerator random) {
        int passes = 1 + random.nextInt(3);
        int workers = 2 + random.nextInt(3);
        List<List<Worker>> steps = new ArrayList<>();
        for (int step = 1 + random.nextInt(4); step > 0; step--) {
            List<Worker> all = new ArrayList<>();
            for (int worker = 0; worker < workers; worker++) {
                all.add(new Worker(
                        numbers(random, 2 * passes + 1, 1, 400),
                        numbers(random, 2 * passes + 2, 0, 3),
                        random.nextLong(1, 60),
                        random.nextLong(1, 60)));
            }
            steps.add(all);
        }
        return new MadeJob(steps, passes);
    }

    private static long[] numbers(RandomGenerator random, int count, long least, long most) {
        return random.longs(count, least, most + 1).toArray();
    }

    /** The same with all times so many times as long. */
    MadeJob times(long by) {
        return new MadeJob(
                steps.stream()
                        .map(step -> step.stream()
                                .map(w -> new Worker(
                                        Arrays.stream(w.computes)
                                                .map(t -> t * by)
                                                .toArray(),
                                        Arrays.stream(w.waits).map(t -> t * by).toArray(),
                                        w.meets * by,
                                        w.optimizes * by))
                                .toList())
                        .toList(),
                passes);
    }

    /** The same with the workers numbered from behind. */
    MadeJob reversed() {
        return new MadeJob(steps.stream().map(List::reversed).toList(), passes);
    }

    int workers() {
        return steps.getFirst().size();
    }

    /** How long a step took when nothing was late for other reasons than what it waited for, in µs. */
    double replayed(int step) {
        return UNIT_US * length(steps.get(step), step, -1, false);
    }

    /** How long each step would take if everything took what is typical, in µs. */
    double ideal() {
        return UNIT_US * length(steps.getFirst(), 0, -1, true);
    }

    /** How many times as long as the ideal one the mean step is when one worker alone is as recorded. */
    double slowdown(int worker) {
        double sum = 0;
        for (int step = 0; step < steps.size(); step++) {
            sum += UNIT_US * length(steps.get(step), step, worker, true);
        }
        return sum / steps.size() / ideal();
    }

    /** @param typical whether all but one worker take what is typical */
    private double length(List<Worker> workers, int step, int recorded, boolean typical) {
        double latest = 0;
        for (int i = 0; i < workers.size(); i++) {
            boolean own = !typical || i == recorded;
            double works =
                    passes * (mean(w -> sum(w, 0, passes), passes) + mean(w -> sum(w, passes, 2 * passes), passes))
                            + mean(w -> w.computes[2 * passes], 1);
            latest = Math.max(latest, own ? workers.get(i).works() : works);
        }
        double end = 0;
        for (int i = 0; i < workers.size(); i++) {
            boolean own = !typical || i == recorded;
            end = Math.max(
                    end,
                    latest
                            + (own ? workers.get(i).meets : medianMeeting())
                            + (own ? workers.get(i).optimizes : mean(Worker::optimizes, 1)));
        }
        return end;
    }

    private static long sum(Worker worker, int from, int to) {
        return Arrays.stream(worker.computes, from, to).sum();
    }

    private double mean(ToLongFunction<Worker> of, int each) {
        return steps.stream().flatMap(List::stream).mapToLong(of).average().orElseThrow() / each;
    }

    private double medianMeeting() {
        long[] all = steps.stream()
                .flatMap(List::stream)
                .mapToLong(Worker::meets)
                .sorted()
                .toArray();
        return (all[(all.length - 1) / 2] + all[all.length / 2]) / 2.0;
    }

    /** Writes the table of operations, rows and columns in any order. */
    Path write(RandomGenerator random, Path file) throws IOException {
        List<String> rows = new ArrayList<>();
        for (int step = 0; step < steps.size(); step++) {
            List<Worker> workers = steps.get(step);
            long latest = workers.stream().mapToLong(Worker::arrives).max().orElseThrow();
            for (int rank = 0; rank < workers.size(); rank++) {
                Worker worker = workers.get(rank);
                long now = 0;
                for (int i = 0; i <= 2 * passes; i++) {
                    now += worker.waits[i];
                    boolean collects = i == 2 * passes;
                    String type = collects ? "gc" : i < passes ? "forward-compute" : "backward-compute";
                    rows.add(row(step, rank, type, collects ? 0 : i % passes, now, worker.computes[i], !collects));
                    now += worker.computes[i];
                }
                long arrives = worker.arrives();
                long met = latest + worker.meets;
                rows.add(row(step, rank, "optimizer-clip-main-grad", 0, arrives, met - arrives, false));
                rows.add(row(step, rank, "optimizer", 0, met, worker.optimizes, false));
            }
        }
        List<String> columns = List.of(
                "col0::TINYINT AS dp_rank",
                "0::TINYINT AS stage",
                "(col0 * 8)::SMALLINT AS rank",
                "col1::BIGINT AS step",
                "col2 AS optype",
                "(col3 / 4096)::FLOAT AS start_ts",
                "(col4 / 4096)::FLOAT AS duration",
                "col5::INTEGER AS seq_id",
                "(col6 - 1)::TINYINT AS mc",
                "(CASE WHEN col6 = 1 THEN col5 ELSE -1 END)::TINYINT AS mb_id",
                "(col6 - 1)::SMALLINT AS gmc");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            new MadeTable(columns, rows).write(statement, random, file);
        } catch (SQLException e) {
            throw new IOException(e);
        }
        return file;
    }

    private static String row(int step, int rank, String type, int number, long start, long takes, boolean pass) {
        return rank + ", " + (step * 3 + 2) + ", '" + type + "', " + start + ", " + takes + ", " + number + ", "
                + (pass ? 1 : 0);
    }
}
