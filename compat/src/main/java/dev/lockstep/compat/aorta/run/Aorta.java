// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.run;

import dev.lockstep.dialect.Dialect;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.publish.figures.SweepPage;
import dev.lockstep.publish.figures.SweepPictures;
import dev.lockstep.publish.figures.SweepSide;
import dev.lockstep.publish.figures.VarianceLook;
import dev.lockstep.publish.page.Page;
import dev.lockstep.reporting.ConfigurationDialect;
import dev.lockstep.runs.ReportNames;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.gemm.GemmDialect;
import dev.lockstep.sweep.gemm.GemmFile;
import dev.lockstep.sweep.gemm.Selection;
import dev.lockstep.sweep.merge.MergeDialect;
import dev.lockstep.sweep.merge.MergePlan;
import dev.lockstep.sweep.merge.RankMerge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** The scripts of AORTA: whole runs and sweeps, with TraceLens's reports as of December 2025. */
public final class Aorta implements Dialect {
    @Override
    public String name() {
        return "aorta";
    }

    @Override
    public List<Object> parts() {
        return List.of(
                ReportNames.AORTA,
                new AortaReports(),
                new AortaSweep(),
                new AortaSideBySide(),
                new Configurations(),
                new Merges(),
                new Gemms(),
                new Pictures());
    }

    private record Configurations() implements ConfigurationDialect {
        @Override
        public Compared compare(Session session, Request request) throws IOException {
            return new AortaConfigurations(session, request).compare();
        }
    }

    private record Merges() implements MergeDialect {
        @Override
        public MergePlan plan() {
            return new AortaMergePlan();
        }

        @Override
        public RankMerge open(List<String> inputs, Path target, Path staged, Consumer<String> say) throws IOException {
            return AortaRankMerge.open(inputs, target, staged, say);
        }
    }

    private record Gemms() implements GemmDialect {
        @Override
        public GemmFile variance(Path analysis, Selection selection, int topK) throws IOException {
            if (!Files.isDirectory(analysis)) {
                throw new UserException(ErrorCode.INPUT_NOT_FOUND, analysis + ": there is no such folder", null);
            }
            return AortaGemm.variance(analysis, selection, topK);
        }

        @Override
        public GemmFile timestamps(Session session, Path csv, Path sweep, double tolerance) throws IOException {
            return AortaGemm.timestamps(session, csv, sweep, tolerance);
        }

        @Override
        public GemmFile overlap(Path csv, Path analysis) throws IOException {
            return AortaGemm.overlap(csv, analysis);
        }
    }

    private record Pictures() implements SweepPictures {
        @Override
        public VarianceLook look() {
            return VarianceLook.AORTA;
        }

        @Override
        public Page page(SweepSide first, SweepSide second) {
            return SweepPage.likeAorta(first, second);
        }
    }
}
