// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two equal settings; in one of them rank 2 computes 15 % longer. Every command that compares says so, and of equals nothing. */
class LateRankInComparisonsTest {
    private static final String SETTING = "256thread/nccl_28channels";
    private static final String WAITING = "of waiting for the last rank and";

    @TempDir
    private static Path folder;

    @BeforeAll
    static void makeRuns() throws IOException {
        make("even", 1, -1);
        make("other", 3, -1);
        make("late", 2, 2);
    }

    private static void make(String name, int seed, int straggler) throws IOException {
        Path made = folder.resolve("made").resolve(name);
        run(
                "synth",
                "--ranks",
                "4",
                "--layers",
                "2",
                "--steps",
                "12",
                "--clock-offset",
                "0",
                "--seed",
                seed,
                "--straggler",
                straggler,
                "--slowdown",
                "1.15",
                "-o",
                made,
                "--quiet");
        for (Path run :
                List.of(folder.resolve(name), folder.resolve("sweep_" + name).resolve(SETTING))) {
            for (int rank = 0; rank < 4; rank++) {
                Path into = Files.createDirectories(run.resolve("torch_profiler/rank" + rank));
                Files.copy(made.resolve("rank" + rank + "_trace.json"), into.resolve("trace.json"));
            }
        }
    }

    private static String run(Object... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        assertThat(TestProgram.run(out, err, args)).as("%s", err).isZero();
        return out.toString().replaceAll("\\s+", " ");
    }

    private static Path at(String name) {
        return folder.resolve(name);
    }

    @Test
    void configCompare() throws IOException {
        String said = run("config", "compare", "--baseline", at("even"), "--test", at("late"), "-o", at("config"));
        assertThat(said).contains(WAITING, "Rank 2 is slow in late. Without that the difference would be about");
        assertThat(Files.readString(at("config/csv/configurations.csv")).lines().findFirst())
                .hasValueSatisfying(
                        head -> assertThat(head).contains("waiting for last rank ms,exposed transfer ms,late ranks"));
        Path plots = at("plotted");
        assertThat(run(
                        "config",
                        "compare",
                        "--baseline",
                        at("even"),
                        "--test",
                        at("late"),
                        "-o",
                        plots,
                        "--skip-reports",
                        "--generate-plots"))
                .contains("Rank 2 is slow");
        assertThat(plots.resolve("plots")).isNotEmptyDirectory();
        assertThat(run("config", "compare", "--baseline", at("even"), "--test", at("other"), "-o", at("equal")))
                .doesNotContain("is slow", "slower");
    }

    @Test
    void sweepAllAndHtml() throws IOException {
        Path both = at("both");
        for (String channels : List.of("28", "56")) {
            Path from = at(channels.equals("28") ? "even" : "late").resolve("torch_profiler");
            for (int rank = 0; rank < 4; rank++) {
                Path into = Files.createDirectories(
                        both.resolve("256thread/nccl_" + channels + "channels/torch_profiler/rank" + rank));
                Files.copy(from.resolve("rank" + rank + "/trace.json"), into.resolve("trace.json"));
            }
        }
        assertThat(run("sweep", "all", both, "--no-merge"))
                .contains(WAITING, "Rank 2 is slow in 256thread_56ch. Without that");
        run("sweep", "all", at("sweep_even"), "--no-merge");
        run("sweep", "all", at("sweep_late"), "--no-merge");
        Path page = at("page.html");
        run("sweep", "html", "--sweep1", at("sweep_even"), "--sweep2", at("sweep_late"), "--output", page);
        assertThat(Files.readString(page))
                .contains(WAITING, "Rank 2 is slow in sweep_late. Without that the difference would be about ")
                .contains("waiting for the last rank, ms");
    }

    @Test
    void diffOfTwoRunsComparesTheRankThatComesLate() {
        assertThat(run("diff", at("made/even"), at("made/late"), "-o", at("difference")))
                .contains("rank2_trace.json", WAITING, "Rank 2 is slow in the candidate. Without that");
        assertThat(run("diff", at("made/even"), at("made/late"), "--rank", "0", "-o", at("difference")))
                .contains("rank0_trace.json", "Rank 2 is slow in the candidate");
        assertThat(run("diff", at("made/even"), at("made/other"), "-o", at("difference")))
                .contains("rank0_trace.json")
                .doesNotContain("is slow");
    }

    /** Few steps tell a rank that is clearly late; its kernels are compared beside no communication, as those that wait are slowed. */
    @Test
    void threeStepsAreEnoughForARankThatIsClearlyLate() {
        Path made = at("made/short");
        run(
                "synth",
                "--ranks",
                "4",
                "--layers",
                "2",
                "--steps",
                "3",
                "--seed",
                "4",
                "--straggler",
                "2",
                "--slowdown",
                "1.15",
                "-o",
                made,
                "--quiet");
        assertThat(run("collectives", made, "-v", "--csv", at("short")))
                .contains("Rank 2 is slow", "If it kept pace, the run would be", "Every kernel on it runs 1")
                .contains("as at a lower clock");
    }

    @Test
    void compareOfReportsOnCollectives() {
        for (String name : List.of("even", "late")) {
            run("collectives", at("made").resolve(name), "--xlsx", at(name + ".xlsx"));
        }
        assertThat(run("compare", at("even.xlsx"), at("late.xlsx"), "-o", at("compared")))
                .contains(
                        WAITING,
                        "Rank 2 is slow in late. At the pace of the others, late would save",
                        "Summed up over nccl_summary");
    }
}
