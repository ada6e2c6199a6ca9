// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.run;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Sweep;
import dev.lockstep.runs.SweepReports;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.gemm.GemmFile;
import dev.lockstep.sweep.gemm.Selection;
import dev.lockstep.sweep.summary.SweepStyle.Afterwards;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/**
 * AORTA's three files on matrix multiplications, each made from the one before as its scripts do, over all configurations
 * and ranks that the sweep has.
 */
final class AortaChain {
    private static final int ROWS_OF_A_RANK = 5;
    private static final double TOLERANCE = 0.01;

    private AortaChain() {}

    /** Runs the three steps; without usable reports there are no files. */
    static Afterwards of(Session session, Sweep sweep) throws IOException {
        SweepReports places = sweep.reports();
        List<String> remarks = new ArrayList<>();
        GemmFile variance;
        try {
            variance = AortaGemm.variance(places.analysis(), selection(sweep), ROWS_OF_A_RANK);
        } catch (UserException e) {
            return new Afterwards(List.of(), List.of(String.valueOf(e.getMessage())));
        }
        put(variance, places.variance(), remarks);
        put(
                AortaGemm.timestamps(session, places.variance(), sweep.folder(), TOLERANCE),
                places.varianceWithTimes(),
                remarks);
        put(AortaGemm.overlap(places.varianceWithTimes(), places.analysis()), places.varianceWithOverlap(), remarks);
        return new Afterwards(
                List.of(places.variance(), places.varianceWithTimes(), places.varianceWithOverlap()), remarks);
    }

    private static Selection selection(Sweep sweep) {
        TreeSet<Integer> ranks = new TreeSet<>();
        for (Configuration one : sweep.configurations()) {
            ranks.addAll(one.reports().performanceReports().keySet());
        }
        return new Selection(
                numbers(sweep, one -> one.settings().threads()),
                numbers(sweep, one -> one.settings().channels()),
                List.copyOf(ranks));
    }

    private static List<Integer> numbers(Sweep sweep, ToIntFunction<Configuration> number) {
        return sweep.configurations().stream()
                .map(number::applyAsInt)
                .filter(n -> n >= 0)
                .distinct()
                .sorted()
                .toList();
    }

    private static void put(GemmFile file, Path target, List<String> remarks) throws IOException {
        try (Output output = new Output()) {
            NamedFiles.write(output.file(target), file.text());
            output.commit();
        }
        remarks.addAll(file.remarks());
    }
}
