// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schedules from PyTorch traces, and what is done with schedules afterwards. */
class GoalSchedulesTest {
    private static final String SOUND = """
        num_ranks 2
        rank 0 {
        a: calc 1000
        b: send 101b to 1 tag 4
        b requires a
        }
        rank 1 {
        recv 101b from 0 tag 4
        }
        """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private int run(Object... args) {
        return TestProgram.run(out, err, args);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private void demandJson() throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(out.toString())) {
            parser.nextToken();
            parser.skipChildren();
            assertThat(parser.nextToken()).isNull();
        }
    }

    @Test
    void tracesOfPyTorchBecomeSchedulesThatRun() throws IOException {
        Path traces = folder.resolve("traces");
        SyntheticRun.write(traces, SyntheticTraces.smallRecipe(4), Layout.flat());
        Path first = folder.resolve("first");
        Path second = folder.resolve("second");

        assertThat(run("goal", "-i", traces, "-o", first, "--gpus-per-node", "2", "--jobs", "1"))
                .isZero();
        assertThat(err.toString()).contains("protocols are chosen by size", "measured to cost on GH200");
        assertThat(run("goal", "-i", traces, "-o", second, "--gpus-per-node", "2", "--jobs", "4", "--from", "kineto"))
                .isZero();

        for (String name : new String[] {"output.goal", "ranks.tsv", "collectives.tsv", "assumptions.tsv"}) {
            assertThat(first.resolve(name)).as(name).hasSameBinaryContentAs(second.resolve(name));
        }
        assertThat(first.resolve("assumptions.tsv")).content().contains("assumed\tprotocol_assumed\t");
        assertThat(run("goal", "verify", first.resolve("output.goal")))
                .as(err.toString())
                .isZero();
        assertThat(run("goal", "simulate", "--quiet", first.resolve("output.goal"), "--scale-network", "2"))
                .isZero();
        assertThat(out.toString())
                .contains(
                        "what if the network were 2 times as fast",
                        "left out: how long transfers took in the recording, and kernels that computed beside them",
                        "lockstep collectives --what-if 'collective:*=x0.5' with the recorded traces counts both");
        assertThat(run("goal", "simulate", "--quiet", first.resolve("output.goal"), "--scale-network", "2", "--json"))
                .isZero();
        assertThat(out.toString()).contains("left_out", "computing_beside_transfers");
        assertThat(run("goal", "simulate", "--quiet", first.resolve("output.goal"), "--scale-compute", "2"))
                .isZero();
        assertThat(out.toString()).doesNotContain("left out");
        assertThat(run("goal", "report", first.resolve("output.goal"))).isZero();
        assertThat(first.resolve("output_report/report.html"))
                .content()
                .contains("Data by pair", "Collectives by kind and size", "Ranks over time");
    }

    @Test
    void verifyingSaysWhatIsWrongAndWhere() throws IOException {
        assertThat(run("goal", "verify", write("x.goal", SOUND))).isZero();
        assertThat(out.toString()).contains("correct: 2 ranks, 3 operations, 1 dependencies, 1 messages");
        Path broken = write("y.goal", SOUND.replace("recv 101b", "recv 102b"));
        assertThat(run("goal", "verify", broken)).isEqualTo(ExitStatus.GATE_FAILED);
        assertThat(err.toString())
                .contains("101 bytes are sent (rank 0 line 4 (b)), 102 bytes are received (rank 1 line 8)");
        assertThat(run("goal", "verify", "--json", broken)).isEqualTo(ExitStatus.GATE_FAILED);
        demandJson();
        assertThat(out.toString()).contains("\"correct\" : false", "\"error_count\" : 1");
        assertThat(run("goal", "verify", write("z.goal", "num_ranks 1\nrank 0 {\ncalc x\n}\n")))
                .isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("line 3: expected a duration in ns, found 'x'");
        assertThat(run("goal", "verify", folder.resolve("absent"))).isEqualTo(ExitStatus.UNREADABLE);
    }

    @Test
    void simulatingSaysWhenRanksAreDone() throws IOException {
        Path file = write("x.goal", SOUND);
        assertThat(run("goal", "simulate", file, "-L", 100, "-o", 10, "-g", 1, "-O", 0, "-G", 2, "-S", 1000))
                .isZero();
        // 1000 for the calculation, 10 for sending, 100 + 100 * 2 on the way, 1 + 10 for receiving.
        assertThat(out.toString()).contains("makespan 1,321 ns");
        assertThat(run("goal", "simulate", file, "--json", "--scale-compute", "2"))
                .isZero();
        demandJson();
        assertThat(out.toString()).contains("\"what_if\" : \"what if calculations were 2 times as fast\"");
        assertThat(run("goal", "simulate", file, "--scale-network", "0")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("goal", "simulate", file, "-L", "-5")).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void aScheduleThatTakesNoTimeIsAsFastOnAnyNetwork() throws IOException {
        Path file = write("x.goal", "num_ranks 1\nrank 0 {\n}\n");

        assertThat(run("goal", "simulate", file, "--scale-network", "2")).isZero();
        assertThat(out.toString()).contains("makespan 0 ns (0.000000 s), 1.000 times as fast");
        assertThat(run("goal", "simulate", file, "--scale-network", "2", "--json"))
                .isZero();
        assertThat(out.toString()).contains("\"times_as_fast\" : 1.0");
    }

    @Test
    void aScheduleWithinANodeIsShownByItsMessages() throws IOException {
        Path file = write("x.goal", SOUND.replace("101b", "0b"));

        assertThat(run("goal", "report", file, "--html", folder.resolve("x.html")))
                .isZero();
        assertThat(folder.resolve("x.html"))
                .content()
                .contains("Messages by pair", "All messages are empty")
                .doesNotContain("Data by pair");
    }

    /** After a shorter transfer the long calculation begins first, and what another rank waits for stands behind it. */
    @Test
    void simulatingSaysWhyMoreBandwidthMayTakeLonger() throws IOException {
        Path queue = write("queue.goal", """
            num_ranks 2
            rank 0 {
            t: calc 100 cpu 1
            x: calc 1000000 cpu 0
            x requires t
            p: calc 90 cpu 2
            s: send 8b to 1 tag 0 cpu 0
            s requires p
            }
            rank 1 {
            r: recv 8b from 0 tag 0 cpu 0
            c: calc 5000000 cpu 0
            c requires r
            }
            """);
        write("transfers.tsv", "rank\toperation\tbytes\n0\t0\t30000\n");
        assertThat(run("goal", "simulate", queue, "--scale-node-bandwidth", 2)).isZero();
        assertThat(out.toString())
                .contains("it takes longer although it has more", "a time above the makespan counts as 0.0%");
    }

    @Test
    void simulatingSaysWhyMoreBandwidthChangesNothing() throws IOException {
        Path near = write(
                "near.goal",
                "num_ranks 2\nrank 0 {\na: send 0b to 1\nb: calc 500\nb requires a\n}\nrank 1 {\nrecv 0b from 0\n}\n");

        assertThat(run("goal", "simulate", near, "--scale-bandwidth", 2)).isZero();
        assertThat(out.toString()).contains("1.000 times as fast", "no message carries data; transfers within nodes");

        write("transfers.tsv", "rank\toperation\tbytes\n0\t1\t150000\n");
        assertThat(run("goal", "simulate", near, "--scale-bandwidth", 2)).isZero();
        assertThat(out.toString())
                .contains(
                        "all transfers stay within nodes; --scale-node-bandwidth", "transfers within nodes take 10.9%");
        assertThat(run("goal", "simulate", near, "--scale-node-bandwidth", 2)).isZero();
        assertThat(out.toString()).contains("transfers within nodes had 2 times the bandwidth");
        assertThat(run("goal", "simulate", near, "--node-bandwidth", 3, "--json"))
                .isZero();
        demandJson();
        assertThat(out.toString()).contains("\"makespan_ns\" : 54105", "\"transfers_within_nodes\" : 0.9");
    }

    @Test
    void deadlocksAreSaidWithTheOperationsThatWait() throws IOException {
        Path file = write("x.goal", SOUND.replace("tag 4\n}", "tag 5\n}"));

        assertThat(run("goal", "simulate", file)).isEqualTo(ExitStatus.GATE_FAILED);
        assertThat(err.toString())
                .contains("deadlock: 2 operations never end", "rank 1 line 8: recv 101b from 0 tag 5");
    }

    @Test
    void schedulesWithWrongLinesAreNotRun() throws IOException {
        Path file = write("x.goal", SOUND.replace("to 1", "to 7"));

        assertThat(run("goal", "simulate", file)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("names rank 7, but there are only 2 ranks", "lockstep goal verify");
    }
}
