// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.merge.MergeFilter;
import dev.lockstep.merge.MergeOptions;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.session.Registry;
import dev.lockstep.sweep.merge.MergeDialect;
import dev.lockstep.sweep.merge.MergePlan;
import dev.lockstep.sweep.merge.MergedFormat;
import dev.lockstep.sweep.merge.WholeMergePlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options that say what of a merge is kept, and whether clocks are corrected. */
final class MergeArguments {
    private final FilterArguments filter = new FilterArguments();
    private List<MergedFormat> formats = List.of();
    private boolean deviceOnly;
    private boolean rankInNames;
    private boolean keepEnvironment;
    private boolean aligned;
    private int gpusPerNode;
    private @Nullable String criticalPath;

    /** Options of merging into many files, whose formats are chosen, too. */
    void declareWithFormats(Arguments arguments) {
        Registry registry = new Registry();
        arguments.option(
                "--format",
                "F,..",
                String.class,
                "Formats of merged traces: " + MergedFormat.words(registry) + " (default: "
                        + MergedFormat.STANDARD.word() + ").",
                given -> formats = MergedFormat.parse(given, registry));
        declare(arguments);
    }

    /** Options of merging into a file whose name is given. */
    void declare(Arguments arguments) {
        filter.declare(arguments);
        arguments.flag("--gpu-only", "Keep only what ran on devices.", () -> deviceOnly = true);
        arguments.flag("--rank-in-names", "Begin each name with its rank, as in [R3] gemm.", () -> rankInNames = true);
        arguments.flag(
                "--keep-environment",
                "Hand on values of environment variables and other secrets that the traces' metadata hold.",
                () -> keepEnvironment = true);
        arguments.option(
                "--align",
                "HOW",
                String.class,
                "Correct clocks that differ between ranks: none, collectives (default: none).",
                given -> aligned = alignment(given));
        arguments.number(
                "--gpus-per-node",
                "N",
                1,
                "With --align collectives: ranks of a node, which read one clock (default: by names of hosts, if"
                        + " known).",
                given -> gpusPerNode = given);
    }

    /** The option that draws what held the run up. */
    void declarePath(Arguments arguments) {
        arguments.optionWithDefault(
                "--critical-path",
                "all|step|NAME[#N]",
                String.class,
                ReportOptions.Paths.WHOLE,
                "Draw the critical path over all ranks: of the whole trace (all, the default), every "
                        + "step, or annotations called NAME. Aligns clocks.",
                given -> criticalPath = given);
    }

    /** The windows whose critical paths shall be drawn; null for none. */
    @Nullable
    String criticalPath() {
        return criticalPath;
    }

    /** Other tools draw none. */
    void demandNoPathWith(CompatOption compat) {
        if (criticalPath != null && compat.isGiven()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "with --compat the other tool's kind of merged trace is written; --critical-path does not work"
                            + " with it",
                    null);
        }
    }

    /** Whether clocks shall be corrected. */
    boolean aligned() {
        return aligned;
    }

    /** Ranks of a node; 0 to go by the names of hosts. */
    int gpusPerNode() {
        return gpusPerNode;
    }

    /** Whether anything was asked for. */
    private boolean any() {
        return !formats.isEmpty()
                || !filter.isOpen()
                || deviceOnly
                || rankInNames
                || keepEnvironment
                || aligned
                || gpusPerNode > 0;
    }

    /** What is kept, and how it is named. */
    MergeOptions options() {
        MergeOptions options = new MergeOptions(new MergeFilter(filter.conditions(), deviceOnly), rankInNames);
        return keepEnvironment ? options.keepingEnvironment() : options;
    }

    /** How to merge the configurations of a sweep. */
    MergePlan plan(CompatOption compat) {
        MergeDialect dialect = compat.part(MergeDialect.class);
        if (dialect != null && any()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "with --compat the other tool's kind of merged trace is written; the options of merging do not"
                            + " work with it",
                    null);
        }
        if (dialect != null) {
            return dialect.plan();
        }
        return new WholeMergePlan(formats.isEmpty() ? List.of(MergedFormat.STANDARD) : formats, options());
    }

    private static boolean alignment(String given) {
        if (!given.equals("none") && !given.equals("collectives")) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "--align does not know '" + given + "'", "known: none, collectives");
        }
        return given.equals("collectives");
    }
}
