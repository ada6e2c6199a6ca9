// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What any writer writes depends on the input alone: not on time zone, language, user or number of threads. */
class SameBytesTest {
    private final Locale locale = Locale.getDefault();
    private final TimeZone zone = TimeZone.getDefault();
    private final String user = System.getProperty("user.name");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @AfterEach
    void restore() {
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
        System.setProperty("user.name", user);
    }

    @Test
    void everyWriterGivesTheSameBytesEverywhere() throws IOException {
        run(List.of("synth", "-o", folder.resolve("in"), "--ranks", 2, "--size", "150kB"));
        Map<String, String> here = written("UTC", "en-US", "root", 1);

        for (String[] place :
                new String[][] {{"Pacific/Kiritimati", "ar-EG-u-nu-arab", "user"}, {"America/St_Johns", "tr-TR", "ünal"}
                }) {
            Map<String, String> there = written(place[0], place[1], place[2], 3);

            assertThat(there.keySet()).isEqualTo(here.keySet());
            here.forEach((file, content) ->
                    assertThat(there.get(file).equals(content)).as(file).isTrue());
        }
        assertThat(here.keySet())
                .contains("report/report.xlsx", "report/report.html", "report/csv/gpu_timeline.csv", "report.json")
                .contains("merged.json", "merged.json.gz", "merged.pftrace", "compare/report.xlsx", "gantt.png")
                .contains("dataset/_runs/in.json", "dataset/slices/run=in/rank_block=00000/part-0.parquet")
                .anyMatch(file -> file.startsWith("demo/") && file.endsWith(".html"));
    }

    private Map<String, String> written(String timeZone, String language, String name, int jobs) throws IOException {
        TimeZone.setDefault(TimeZone.getTimeZone(timeZone));
        Locale.setDefault(Locale.forLanguageTag(language));
        System.setProperty("user.name", name);
        Path to = folder.resolve("out"); // one place: aiu records its command line
        Path in = folder.resolve("in");
        Path rank = in.resolve("rank0_trace.json");
        Path other = in.resolve("rank1_trace.json");
        List<List<?>> commands = List.of(
                List.of("report", rank, "-o", to.resolve("report")),
                List.of("report", rank, "--json", to.resolve("report.json")),
                List.of("report", rank, "--compat", "tracelens", "--xlsx", to.resolve("tracelens.xlsx")),
                List.of("collectives", in, "-o", to.resolve("collectives")),
                List.of("dataset", in, "-o", to.resolve("dataset"), "--findings"),
                List.of(
                        "compare",
                        to.resolve("report/report.xlsx"),
                        to.resolve("report/csv"),
                        "-o",
                        to.resolve("compare")),
                List.of("diff", rank, other, "-o", to.resolve("diff")),
                List.of("merge", in, "-o", to.resolve("merged.json")),
                List.of("merge", in, "-o", to.resolve("merged.json.gz"), "--align", "collectives"),
                List.of("merge", in, "-o", to.resolve("merged.pftrace")),
                List.of("merge", in, "-o", to.resolve("aorta.json"), "--compat", "aorta"),
                List.of("split", rank, "-o", to.resolve("split")),
                List.of("kernels", "extract", rank, "-o", to.resolve("kernels")),
                List.of("kernels", "gantt", rank, "-o", to.resolve("gantt.png")),
                List.of("kernels", "gantt", rank, "-o", to.resolve("gantt.svg")),
                List.of("kernels", "gantt", rank, "-o", to.resolve("gantt.html")),
                List.of("replay", "plan", rank, "-o", to.resolve("plan.json")),
                List.of("goal", "-i", in, "-o", to.resolve("goal")),
                List.of("aiu", "-i", rank, "-o", to.resolve("aiu.json")),
                List.of("demo", "-o", to.resolve("demo"), "--quiet"),
                List.of("goal", "report", to.resolve("goal/output.goal"), "-o", to.resolve("schedule")),
                List.of("synth", "-o", to.resolve("synth"), "--ranks", 1, "--size", "100kB", "--gz"));
        for (List<?> command : commands) {
            List<Object> line = new ArrayList<>(command);
            line.add("--jobs");
            line.add(jobs);
            run(line);
        }
        Map<String, String> files = TestProgram.files(to);
        Files.move(to, folder.resolve(language));
        return files;
    }

    private void run(List<?> line) {
        assertThat(TestProgram.run(out, err, line.toArray()))
                .as("%s: %s", line, err)
                .isIn(ExitStatus.COMPLETE, ExitStatus.PARTIAL, ExitStatus.NOTHING);
    }
}
