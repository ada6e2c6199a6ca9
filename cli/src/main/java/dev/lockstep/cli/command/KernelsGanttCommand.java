// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.kernels.GanttChart;
import dev.lockstep.kernels.GanttLane;
import dev.lockstep.kernels.GanttLanes;
import dev.lockstep.kernels.KernelDialect;
import dev.lockstep.model.Trace;
import dev.lockstep.publish.figures.GanttFigure;
import dev.lockstep.publish.plot.PictureWriter;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CsvLines;
import dev.lockstep.write.Numbers;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code lockstep kernels gantt RANKS -o FILE}: when kernels ran, as a picture or a page. */
public final class KernelsGanttCommand implements Command {
    private static final Pattern WINDOW =
            Pattern.compile("([\\d.]+)?\\s*(ns|us|ms|s)?\\.\\.([\\d.]+)?\\s*(ns|us|ms|s)?");
    private static final long NS_PER_MS = 1_000_000;

    private final RankArguments ranks = new RankArguments();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // required
    private Path target;

    private @Nullable Path csv;
    private @Nullable String window;
    private Set<String> devices = Set.of();
    private int most;
    private double threshold = 0.5;
    private final CompatOption compat = new CompatOption();

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        ranks.declare(arguments);
        arguments.required(
                "-o,--output",
                "FILE",
                Path.class,
                "The picture or page: .png, .svg or .html (with --compat: a folder).",
                given -> target = given);
        arguments.option(
                "--csv",
                "DIR",
                Path.class,
                "Also list the kernels of each rank and device: kernels_rankN_gpuM.csv.",
                given -> csv = given);
        arguments.option(
                "--window",
                "FROM..TO",
                String.class,
                "Show a part of the time since the first kernel, such as 10ms..12ms.",
                given -> window = given);
        arguments.option(
                "--devices",
                "N,...",
                String.class,
                "Show only these devices.",
                given -> devices = new HashSet<>(KernelsExtractCommand.split(given)));
        compat.declare(arguments, "piep");
        arguments.option(
                "--max-kernels",
                "N",
                Integer.class,
                "With --compat: chart so many kernels (default 0: all).",
                given -> most = given);
        arguments.option(
                "--comm-threshold",
                "SHARE",
                Double.class,
                "With --compat: a stream with this share of communication counts as such (default 0.5).",
                given -> threshold = given);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        KernelDialect dialect = compat.part(KernelDialect.class);
        if (dialect != null) {
            return draw(dialect, out, err);
        }
        String ending = ending(target);
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global)) {
            RankSet<GanttLanes> read = ranks.run(lockstep, progress).readEach(trace -> GanttLanes.of(trace, devices));
            List<GanttChart.Rank> present = present(read);
            if (present.isEmpty()) {
                throw nothing(read);
            }
            GanttChart chart = windowed(GanttChart.of(present));
            progress.step("drawing");
            List<Path> written = write(lockstep.session(), chart, ending);
            progress.close();
            if (!global.quiet()) {
                out.println(String.format(
                        Locale.ROOT,
                        "%,d kernels, copies and fills of %d %s in %d lanes, %,.3f ms",
                        chart.kernels(),
                        present.size(),
                        present.size() == 1 ? "rank" : "ranks",
                        chart.rows().size(),
                        (double) (chart.to() - chart.from()) / NS_PER_MS));
                written.forEach(path -> out.println("wrote " + path));
            }
            RankArguments.report(read, err);
            return global.status(ranks.isAnsweredBy(read));
        }
    }

    private static UserException nothing(RankSet<GanttLanes> read) {
        long leftOut = 0;
        for (RankSet.Member<GanttLanes> member : read.present()) {
            GanttLanes lanes = member.kept();
            leftOut += lanes == null ? 0 : lanes.leftOut();
        }
        return new UserException(
                ErrorCode.NOTHING_TO_DO,
                "there is no device activity to draw",
                leftOut > 0 ? "--devices leaves out all of " + leftOut + "." : Inputs.RECORD_DEVICES);
    }

    private static List<GanttChart.Rank> present(RankSet<GanttLanes> read) {
        List<GanttChart.Rank> present = new ArrayList<>();
        for (RankSet.Member<GanttLanes> member : read.present()) {
            GanttLanes lanes = member.kept();
            if (lanes != null && !lanes.lanes().isEmpty()) {
                present.add(new GanttChart.Rank(member.rank(), member.source(), lanes, 0));
            }
        }
        present.sort(Comparator.comparingInt(GanttChart.Rank::number));
        return present;
    }

    private static String ending(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        return List.of(".png", ".svg", ".html").stream()
                .filter(name::endsWith)
                .findFirst()
                .orElseThrow(() -> new UserException(
                        ErrorCode.OPTION_INVALID, file + ": of what kind shall it be?", "Endings: .png, .svg, .html"));
    }

    private GanttChart windowed(GanttChart chart) {
        if (window == null) {
            return chart;
        }
        Matcher matcher = WINDOW.matcher(window.strip());
        if (!matcher.matches()) {
            throw invalidWindow();
        }
        long from = matcher.group(1) == null
                ? 0
                : time(matcher.group(1), Objects.requireNonNullElse(matcher.group(2), matcher.group(4)));
        long to = matcher.group(3) == null ? chart.to() : time(matcher.group(3), matcher.group(4));
        if (from >= Math.min(to, chart.to())) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--window " + window + " holds nothing",
                    String.format(Locale.ROOT, "The kernels end after %.3f ms.", (double) chart.to() / NS_PER_MS));
        }
        return chart.within(from, to);
    }

    private long time(String number, @Nullable String unit) {
        double scale = switch (Objects.requireNonNullElse(unit, "")) {
            case "ns" -> 1;
            case "us" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            default -> throw invalidWindow();
        };
        try {
            return Math.round(Double.parseDouble(number) * scale);
        } catch (NumberFormatException e) {
            throw invalidWindow();
        }
    }

    private UserException invalidWindow() {
        return new UserException(
                ErrorCode.OPTION_INVALID, "--window " + window + " is no window", "For example 10ms..1.5s, 200us..");
    }

    private List<Path> write(Session session, GanttChart chart, String ending) throws IOException {
        List<Path> written = new ArrayList<>(List.of(target));
        try (Output output = new Output()) {
            Output.demandNoInput(target, ranks.files());
            Path staged = output.file(target);
            String source = String.join(", ", ranks.inputs());
            switch (ending) {
                case ".png" -> Files.write(staged, PictureWriter.png(GanttFigure.of(chart)));
                case ".svg" ->
                    Files.writeString(staged, PictureWriter.svg(GanttFigure.of(chart)), StandardCharsets.UTF_8);
                default -> session.registry().writer("html").write(chart.report(source), staged, CellStyle.PLAIN);
            }
            if (csv != null) {
                lists(chart, output.directory(csv));
                written.add(csv);
            }
            output.commit();
        }
        return written;
    }

    /** A file for each rank and device: kernels by start. */
    private static void lists(GanttChart chart, Path folder) throws IOException {
        for (GanttChart.Rank rank : chart.ranks()) {
            Map<String, List<GanttLane>> byDevice = new TreeMap<>();
            for (GanttLane lane : rank.lanes().lanes()) {
                byDevice.computeIfAbsent(lane.device(), d -> new ArrayList<>()).add(lane);
            }
            for (Map.Entry<String, List<GanttLane>> device : byDevice.entrySet()) {
                String name = "kernels_rank" + rank.number() + "_gpu"
                        + device.getKey().replaceAll("[^\\w.-]", "_") + ".csv";
                list(rank, device.getValue(), folder.resolve(name));
            }
        }
    }

    private static void list(GanttChart.Rank rank, List<GanttLane> lanes, Path file) throws IOException {
        record Place(GanttLane lane, int row) {}
        List<Place> places = new ArrayList<>();
        for (GanttLane lane : lanes) {
            for (int i = 0; i < lane.size(); i++) {
                places.add(new Place(lane, i));
            }
        }
        places.sort(Comparator.comparingLong((Place p) -> p.lane.start()[p.row]));
        KernelClass[] classes = KernelClass.values();
        try (Writer out = Files.newBufferedWriter(file)) {
            out.write("name,start_ms,dur_ms,device,stream,category\n");
            for (Place place : places) {
                GanttLane lane = place.lane;
                int i = place.row;
                CsvLines line = new CsvLines("\n");
                line.line(List.of(
                        rank.lanes().names().get(lane.name()[i]),
                        Numbers.plain(lane.start()[i] - rank.origin(), NS_PER_MS),
                        Numbers.plain(lane.end()[i] - lane.start()[i], NS_PER_MS),
                        lane.device(),
                        lane.stream(),
                        classes[lane.kind()[i]].name().toLowerCase(Locale.ROOT)));
                out.write(line.text());
            }
        }
    }

    private int draw(KernelDialect dialect, PrintWriter out, PrintWriter err) throws IOException {
        KernelDialect.Charted what = new KernelDialect.Charted(Math.max(0, most), threshold);
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global);
                Output output = new Output()) {
            Path folder = output.directory(target);
            RankSet<Integer> read = ranks.run(lockstep, progress)
                    .readInOrder(Keep.EVERYTHING, trace -> charts(dialect, what, trace, folder));
            if (read.members().stream().allMatch(m -> m.kept() == null || m.kept() == 0)) {
                throw new UserException(ErrorCode.NOTHING_TO_DO, "there are no kernels to draw", Inputs.RECORD_DEVICES);
            }
            output.commit();
            progress.close();
            if (!global.quiet()) {
                out.println("wrote " + target);
            }
            RankArguments.report(read, err);
            return global.status(ranks.isAnsweredBy(read));
        }
    }

    private static int charts(KernelDialect dialect, KernelDialect.Charted what, Trace trace, Path folder) {
        try {
            return dialect.charts(what, trace, Math.max(0, trace.info().rank().index()), folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
