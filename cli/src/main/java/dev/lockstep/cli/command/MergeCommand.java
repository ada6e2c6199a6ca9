// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.Merge;
import dev.lockstep.MergeResult;
import dev.lockstep.Run;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.session.RankSet;
import dev.lockstep.sweep.merge.MergeDialect;
import dev.lockstep.sweep.merge.RankMerge;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@code lockstep merge RANKS -o FILE}: one timeline of all ranks. */
public final class MergeCommand implements Command {
    private final RankArguments ranks = new RankArguments();
    private final MergeArguments merging = new MergeArguments();
    private final CompatOption compat = new CompatOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // a required option
    private Path target;

    private @Nullable Path manifest;

    /** Whether no packets or tables were passed over that may hold the work of devices. */
    private boolean isWhole = true;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep merge run/ -o merged.json.gz", "lockstep merge run/ -o merged.pftrace --align collectives");
        global = arguments.global();
        ranks.declare(arguments);
        ranks.declareCount(arguments);
        arguments.required(
                "-o,--output",
                "FILE",
                Path.class,
                "Where the merged trace goes. Its ending chooses the format.",
                given -> target = given);
        merging.declare(arguments);
        arguments.option(
                "--manifest",
                "FILE",
                Path.class,
                "With --align collectives: where Perfetto's merge manifest goes (default: FILE.manifest.json beside the"
                        + " output).",
                given -> manifest = given);
        arguments.writes("-o", "--manifest");
        merging.declarePath(arguments);
        compat.declare(arguments, "aorta");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        MergeDialect dialect = compat.part(MergeDialect.class);
        demandUsable();
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global)) {
            Run run = ranks.run(lockstep, progress).withoutMerged(target);
            RankSet<Boolean> read = ranks.asked(
                    dialect != null ? mergeAs(dialect, run, out) : merge(lockstep.merge(run), progress, out, err));
            progress.close();
            RankArguments.report(read, err);
            return global.status(read.isComplete() && isWhole);
        }
    }

    private void demandUsable() {
        merging.demandNoPathWith(compat);
        String lonely = merging.gpusPerNode() > 0 ? "--gpus-per-node" : manifest != null ? "--manifest" : null;
        if (lonely != null && (!merging.aligned() || compat.isGiven())) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    lonely + " says something about aligned clocks",
                    "Add --align collectives.");
        }
    }

    private RankSet<Boolean> merge(Merge plain, Progress progress, PrintWriter out, PrintWriter err)
            throws IOException {
        Merge merge = plain.with(merging.options());
        merge = merging.aligned() ? merge.withClocksAligned(merging.gpusPerNode()) : merge;
        merge = merging.criticalPath() == null ? merge : merge.withCriticalPath(merging.criticalPath());
        MergeResult result = (manifest == null ? merge : merge.withManifest(manifest)).writeTo(target);
        progress.close();
        if (!global.quiet()) {
            MergeText.summary(result, merging.criticalPath() != null, out);
        }
        MergeText.empty(result.summary(), err);
        isWhole = result.summary().isWhole();
        return result.ranks();
    }

    private RankSet<Boolean> mergeAs(MergeDialect dialect, Run run, PrintWriter out) throws IOException {
        Consumer<String> say = global.quiet() ? line -> {} : out::println;
        Output.demandNoInput(target, run.files());
        try (Output output = new Output()) {
            RankSet<Boolean> read;
            try (RankMerge merge = dialect.open(run.inputs(), target, output.file(target), say)) {
                read = run.readInOrder(Keep.RECORDING, merge::take);
                merge.finish();
            }
            output.commit();
            return read;
        }
    }
}
