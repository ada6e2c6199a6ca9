// SPDX-License-Identifier: Apache-2.0
package dev.lockstep;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.UserException;
import dev.lockstep.inference.Additions;
import dev.lockstep.merge.MergeFilter;
import dev.lockstep.merge.TracePart;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.path.RankPart;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.ranks.PartRoom;
import dev.lockstep.ranks.trust.RunTrust;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Report;
import dev.lockstep.report.RunPages;
import dev.lockstep.report.RunPages.RankPage;
import dev.lockstep.report.Trust;
import dev.lockstep.reporting.PerformanceReport;
import dev.lockstep.reporting.RankFigures;
import dev.lockstep.reporting.RunOverview;
import dev.lockstep.reporting.RunPaths;
import dev.lockstep.reporting.ServingTrace;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.Registry;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is to be said of a run: its ranks side by side and what they did together, and a report of each rank. On
 * pages the one leads to the others.
 */
public final class RunReport {
    private static final String CSV = "csv";

    private final Lockstep lockstep;
    private final Run run;
    private final MergeFilter filter;
    private final @Nullable RankSheets beside;

    private final PartRoom room;

    /** Files of ranks, until all are known to be whole. */
    private final Queue<Output> outputs = new ConcurrentLinkedQueue<>();

    RunReport(Lockstep lockstep, Run run) {
        this(lockstep, run, MergeFilter.none(), null);
    }

    private RunReport(Lockstep lockstep, Run run, MergeFilter filter, @Nullable RankSheets beside) {
        this.lockstep = lockstep;
        this.run = run;
        this.filter = filter;
        this.beside = beside;
        room = new PartRoom(run.files().size());
    }

    /** Writes further sheets of the run beside its CSV files. */
    public interface RankSheets {
        /**
         * Writes the sheets of a rank. Called for several ranks at a time.
         *
         * @param trace of the rank, as far as it is reported
         * @param folder takes them; nobody else sees it
         * @throws IOException when writing fails
         */
        void write(Trace trace, Path folder) throws IOException;

        /**
         * Writes those of the run, once those of all ranks are there.
         *
         * @param ranks the folders of the ranks, by rank
         * @param folder of the run's CSV files
         * @throws IOException when reading or writing fails
         */
        void writeRun(SortedMap<Integer, Path> ranks, Path folder) throws IOException;
    }

    /**
     * {@return the report of the parts of the ranks that pass a filter}
     *
     * @param kept what passes; windows of time count from the first slice of each rank
     */
    public RunReport of(MergeFilter kept) {
        return new RunReport(lockstep, run, kept, beside);
    }

    /**
     * {@return the same report with further sheets beside the CSV files of a run of several ranks}
     *
     * @param more writes them
     */
    public RunReport beside(RankSheets more) {
        return new RunReport(lockstep, run, filter, more);
    }

    /**
     * What was written.
     *
     * @param report of the run, or of its only rank
     * @param ranks which ranks were read, which are damaged and which are missing
     * @param files files and folders of the run
     * @param rankFiles those of its ranks
     */
    public record Written(Report report, RankSet<?> ranks, List<Path> files, List<Path> rankFiles) {
        /** Copies the lists. */
        public Written {
            files = List.copyOf(files);
            rankFiles = List.copyOf(rankFiles);
        }
    }

    /** A rank whose files are written, but not yet in their place; its report only where it is the only one, since a report holds on to the trace. */
    private record Reported(
            int rank,
            @Nullable Report report,
            RankFigures figures,
            @Nullable Answer answer,
            Trust trust,
            @Nullable RankPart part,
            @Nullable Path sheets,
            Output output) {
        KeptRank ofRun() {
            return new KeptRank(figures.collectives(), figures.ofRun(), part, trust);
        }
    }

    /**
     * Writes the reports. All files appear together at the end, or none; none takes the place of a trace.
     *
     * @param folder where {@code report.html}, {@code report.xlsx} and the folder {@code csv} of the run go, or those of its
     *     only rank; files of several ranks lie beside them in {@code rank0} and so on. It is made if need be
     * @param formats {@code csv}, {@code html}, {@code json}, {@code xlsx} if the module {@code dev.lockstep.publish} is
     *     there, and the names of other writers that modules bring
     * @return the files and folders that were written
     * @throws UserException when nothing writes one of the formats, or a place cannot be written
     * @throws IOException when no trace can be read
     */
    public List<Path> writeTo(Path folder, String... formats) throws IOException {
        Registry registry = lockstep.session().registry();
        Map<ReportWriter, Path> targets = new LinkedHashMap<>();
        for (String format : formats) {
            ReportWriter writer = registry.writer(format);
            targets.put(writer, folder.resolve(writer.fileName()));
        }
        Written written = writeTo(targets);
        return Stream.concat(written.files().stream(), written.rankFiles().stream())
                .toList();
    }

    /**
     * Writes the reports. All files appear together at the end, or none; none takes the place of a trace.
     *
     * @param targets where the report of the run goes, by writer. Beside a file, those of ranks lie in folders {@code rank0} and
     *     so on where the file is called {@code report}, else in a folder with its name and {@code _ranks}; in a folder,
     *     those of ranks are folders within. Without targets, nothing is written
     * @return what was written
     * @throws UserException when a place cannot be written
     * @throws IOException when no trace can be read
     */
    @SuppressWarnings("exports")
    public Written writeTo(Map<ReportWriter, Path> targets) throws IOException {
        List<Path> files = run.files();
        try (Output output = new Output().sparing(files)) {
            for (Path target : targets.values()) {
                Output.demandNoInput(target, files);
            }
            boolean alone = files.size() == 1 && run.isOfOneRank(files.getFirst());
            RankSet<Reported> ranks = read(alone, alone ? Map.of() : targets, output);
            Report only = Objects.requireNonNull(ranks.present().getFirst().kept()).report;
            Report report = only == null ? overview(ranks, targets) : only;
            for (Map.Entry<ReportWriter, Path> target : targets.entrySet()) {
                write(report, target.getKey(), target.getValue(), output);
            }
            List<Path> ofRanks = new ArrayList<>();
            if (only == null) {
                writeBeside(ranks, targets, output);
                for (Member<Reported> member : ranks.present()) {
                    Objects.requireNonNull(member.kept()).output.demandFree();
                }
                for (Member<Reported> member : ranks.present()) {
                    Reported rank = Objects.requireNonNull(member.kept());
                    rank.output.commit();
                    for (Map.Entry<ReportWriter, Path> target : targets.entrySet()) {
                        if (hasRanks(target)) {
                            ofRanks.add(placeOf(target.getKey(), target.getValue(), rank.rank));
                        }
                    }
                }
            }
            output.commit();
            return new Written(report, ranks, List.copyOf(targets.values()), ofRanks);
        } finally {
            outputs.forEach(Output::close);
            outputs.forEach(Output::close); // a folder that one of them has made is empty only when all are closed
        }
    }

    /**
     * Writes the sheets that stand {@linkplain #beside beside} a report, and no report. All appear together, or none.
     *
     * @param folders take them, each the same
     * @return which ranks were read, which are damaged and which are missing
     * @throws UserException when a place cannot be written
     * @throws IOException when no trace can be read
     */
    @SuppressWarnings("exports")
    public RankSet<?> writeSheetsTo(List<Path> folders) throws IOException {
        RankSheets sheets = Objects.requireNonNull(beside, "nothing stands beside the report");
        try (Output output = new Output().sparing(run.files())) {
            for (Path folder : folders) {
                Output.demandNoInput(folder, run.files());
            }
            Path first = folders.getFirst();
            RankSet<Path> ranks = run.readInOrder(Keep.MEANING, trace -> sheets(trace, sheets, first, output));
            SortedMap<Integer, Path> ofRanks = new TreeMap<>();
            ranks.present().forEach(member -> ofRanks.put(member.rank(), Objects.requireNonNull(member.kept())));
            for (Path folder : folders) {
                sheets.writeRun(ofRanks, output.directory(folder));
            }
            output.commit();
            return ranks;
        }
    }

    private Path sheets(Trace trace, RankSheets sheets, Path target, Output output) {
        try {
            Path folder = output.scratchFolder(target);
            sheets.write(TracePart.of(trace, filter), folder);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writeBeside(RankSet<Reported> ranks, Map<ReportWriter, Path> targets, Output output)
            throws IOException {
        SortedMap<Integer, Path> sheets = new TreeMap<>();
        for (Member<Reported> member : ranks.present()) {
            Path folder = Objects.requireNonNull(member.kept()).sheets;
            if (folder != null) {
                sheets.put(member.rank(), folder);
            }
        }
        for (Map.Entry<ReportWriter, Path> target : targets.entrySet()) {
            if (beside != null && target.getKey().id().equals(CSV)) {
                beside.writeRun(sheets, output.directory(target.getValue()));
            }
        }
    }

    private static void write(Report report, ReportWriter writer, Path target, Output output) throws IOException {
        writer.write(report, writer.isFolder() ? output.directory(target) : output.file(target), CellStyle.PLAIN);
    }

    private Report overview(RankSet<Reported> ranks, Map<ReportWriter, Path> targets) {
        MatchedRanks matched = new MatchedRanks(
                ranks.withKept(member -> Objects.requireNonNull(member.kept()).ofRun()),
                run.source(),
                CollectiveOptions.standard(),
                lockstep.session());
        SortedMap<Integer, RankFigures> figures = new TreeMap<>();
        SortedMap<Integer, Answer> answers = new TreeMap<>();
        List<RankPage> pages = new ArrayList<>();
        Path page = page(targets);
        for (Member<Reported> member : ranks.present()) {
            RankFigures kept = Objects.requireNonNull(member.kept()).figures;
            figures.put(member.rank(), kept);
            Answer answer = Objects.requireNonNull(member.kept()).answer;
            if (answer != null) {
                answers.put(member.rank(), answer);
            }
            if (page != null) {
                pages.add(new RankPage(member.rank(), target(page, member.rank())));
            }
        }
        Report report = RunOverview.of(matched, figures, answers);
        if (run.options().paths().isAsked()) {
            report = RunPaths.add(report, matched, run.options().paths());
        }
        return report.among(new RunPages("", "", -1, pages)).believing(RunTrust.of(matched));
    }

    // ---- ranks ----

    /** Reads and writes several ranks at a time where it is clear from the start whose the files are, else one by one. */
    private RankSet<Reported> read(boolean alone, Map<ReportWriter, Path> targets, Output output) throws IOException {
        List<Integer> known = List.copyOf(run.numbered().keySet());
        return known.isEmpty()
                ? run.readInOrder(Keep.MEANING, trace -> reported(trace, alone, List.of(), targets, output.another()))
                : run.readByRank(
                        trace -> reported(trace, alone, known, targets, output.another()),
                        reported -> reported.output.close());
    }

    private Reported reported(
            Trace trace, boolean alone, List<Integer> others, Map<ReportWriter, Path> targets, Output output) {
        int rank = trace.info().rank().index();
        ReportOptions how = run.options();
        outputs.add(output);
        try {
            Trace part = TracePart.of(trace, filter);
            DerivedCache cache = DerivedCache.believing(ServingTrace.prepare(
                    lockstep.session(), part, how.serving(), PerformanceReport.rules(how), Additions.WITHIN));
            PerformanceReport.OfRank made = PerformanceReport.ofRank(cache, how);
            Report among = made.report().among(around(rank, others, targets));
            Path sheets = null;
            for (Map.Entry<ReportWriter, Path> target : targets.entrySet()) {
                if (!hasRanks(target)) {
                    continue;
                }
                Path place = placeOf(target.getKey(), target.getValue(), rank);
                write(among, target.getKey(), place, output);
                if (beside != null && target.getKey().id().equals(CSV)) {
                    sheets = output.scratchFolder(place);
                    beside.write(part, sheets);
                }
            }
            AnalysisRules rules = PerformanceReport.rules(how);
            RankPart joined = alone
                    ? null
                    : how.paths().isAsked()
                            ? RankPart.of(cache, rules, how.paths().window())
                            : room.part(cache, rules);
            return new Reported(
                    rank,
                    alone ? made.report() : null,
                    made.figures(),
                    made.report().answer(),
                    made.report().trust(),
                    joined,
                    sheets,
                    output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether those of ranks are written, too: beside a stream there is no place. */
    private static boolean hasRanks(Map.Entry<ReportWriter, Path> target) throws IOException {
        return target.getKey().isFolder() || !Output.isStream(target.getValue());
    }

    /** The other pages, seen from that of a rank. */
    private static RunPages around(int rank, List<Integer> others, Map<ReportWriter, Path> targets) {
        Path page = page(targets);
        if (page == null) {
            return RunPages.NONE;
        }
        Path own = page.resolveSibling(target(page, rank)).normalize();
        return new RunPages(
                relative(own, page.toAbsolutePath().normalize()),
                "rank/" + rank,
                rank,
                others.stream()
                        .sorted()
                        .map(other -> new RankPage(
                                other,
                                relative(
                                        own,
                                        page.resolveSibling(target(page, other)).normalize())))
                        .toList());
    }

    private static String relative(Path from, Path to) {
        Path home = Objects.requireNonNull(from.toAbsolutePath().getParent());
        return slashes(home.relativize(to.toAbsolutePath()));
    }

    private static @Nullable Path page(Map<ReportWriter, Path> targets) {
        return targets.entrySet().stream()
                .filter(target -> target.getKey().id().equals("html"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static String target(Path page, int rank) {
        String name = String.valueOf(page.getFileName());
        return slashes(besides(name, rank));
    }

    private static String slashes(Path path) {
        return path.toString().replace(path.getFileSystem().getSeparator(), "/");
    }

    /** Where the file of a rank lies, seen from that of the run. */
    private static Path besides(String name, int rank) {
        int dot = name.lastIndexOf('.');
        String stem = dot <= 0 ? name : name.substring(0, dot);
        String ending = dot <= 0 ? "" : name.substring(dot);
        return stem.equals("report") ? Path.of("rank" + rank, name) : Path.of(stem + "_ranks", "rank" + rank + ending);
    }

    private static Path placeOf(ReportWriter writer, Path target, int rank) {
        return writer.isFolder()
                ? target.resolve("rank" + rank)
                : target.resolveSibling(besides(String.valueOf(target.getFileName()), rank));
    }
}
