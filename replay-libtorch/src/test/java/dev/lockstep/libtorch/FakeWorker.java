// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import dev.lockstep.replay.plan.OperatorRun;
import dev.lockstep.replay.plan.PlanFile;
import dev.lockstep.replay.plan.PlannedOperator;
import dev.lockstep.replay.plan.ReplayGap;
import dev.lockstep.replay.plan.ReplaySequence;
import dev.lockstep.replay.plan.SequenceRun;
import dev.lockstep.replay.plan.Timing;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** A worker without libtorch, which does what the name of the operator says. */
final class FakeWorker {
    private static final int STATUS = 7;
    private static final int MEGABYTES = 512;

    private FakeWorker() {}

    public static void main(String[] words) throws IOException, InterruptedException {
        WorkerSettings settings = WorkerSettings.parse(words);
        System.out.println("a library says hello");
        if (settings.device().equals("cuda")) {
            System.err.println("no such device");
            System.exit(1);
        }
        String once = settings.record();
        if (once != null && !Path.of(once).toFile().createNewFile()) {
            System.exit(1);
        }
        System.out.println(WorkerSettings.MARK + "ready fake " + settings.framework() + "\t0000:3b:00.0");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(WorkerSettings.SEQUENCE)) {
                sequence(ReplaySequence.read(line.substring(WorkerSettings.SEQUENCE.length())));
                continue;
            }
            PlannedOperator operator = PlanFile.readOperator(line);
            System.out.println("a library says something");
            System.out.println(WorkerSettings.MARK + run(operator.call().name()).line());
        }
    }

    private static void sequence(ReplaySequence sequence) throws InterruptedException {
        for (PlannedOperator operator : sequence.operators()) {
            run(operator.call().name());
        }
        Map<Integer, Timing> timings = Map.of(sequence.order().getFirst(), Timing.of(new long[] {5}));
        System.out.println(WorkerSettings.MARK + new SequenceRun(null, 1, timings, null).line());
    }

    private static OperatorRun run(String name) throws InterruptedException {
        switch (name) {
            case "test::end" -> {
                System.err.println("# C  [libnative.so+0x12]");
                System.exit(STATUS);
            }
            case "test::fault" -> Runtime.getRuntime().halt(139);
            case "test::hang" -> Thread.sleep(600_000);
            case "test::grow" -> {
                byte[][] held = new byte[MEGABYTES][];
                for (int i = 0; i < MEGABYTES; i++) {
                    held[i] = new byte[1 << 20];
                    java.util.Arrays.fill(held[i], (byte) 1);
                }
                Thread.sleep(600_000 + held.length);
            }
            case "test::refuse" -> {
                return OperatorRun.failed(ReplayGap.FAILED, "refused");
            }
            default -> {
                // runs
            }
        }
        return new OperatorRun(null, null, name, null, 1, 2, 0, Timing.of(new long[] {3, 4}), null, null);
    }
}
