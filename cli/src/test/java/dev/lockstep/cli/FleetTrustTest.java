// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.codec.Json;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A fleet can be believed as far as the same ranks in other reports, from its traces as from a dataset of them. */
class FleetTrustTest {
    private static final int RANKS = 4;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    /** What is wrong with the traces, and which reason says so. */
    private enum Damage {
        LOST("lost_activity") {
            @Override
            String to(int rank, String trace, Random random) {
                return rank == 1 ? some(trace, "void", text -> random.nextInt(2) == 0 ? text : gone(text)) : trace;
            }
        },
        UNTIED("unaligned_clocks") {
            @Override
            String to(int rank, String trace, Random random) {
                return rank == 2 ? some(trace, "nccl", Damage::gone) : trace;
            }
        },
        CONTRADICTORY("group_contradiction") {
            @Override
            String to(int rank, String trace, Random random) {
                return trace.replace("\"Group size\": " + RANKS, "\"Group size\": " + (RANKS - 2));
            }
        },
        UNREAD("unread_events") {
            @Override
            String to(int rank, String trace, Random random) {
                return some(trace, "void", text -> text.replace("\"cat\": \"kernel\"", "\"cat\": \"work\""));
            }
        };

        private final String code;

        Damage(String code) {
            this.code = code;
        }

        abstract String to(int rank, String trace, Random random);

        static String some(String trace, String name, UnaryOperator<String> change) {
            return Pattern.compile("\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"" + name)
                    .matcher(trace)
                    .replaceAll(kernel -> change.apply(kernel.group()));
        }

        /** An instant in the place of an activity. */
        static String gone(String kernel) {
            return kernel.replace("\"X\"", "\"i\"");
        }
    }

    private int run(Object... arguments) {
        return TestProgram.run(out, err, arguments);
    }

    private Path traces(Damage damage, long seed) throws IOException {
        Path traces = folder.resolve("traces");
        SyntheticRun.write(
                traces,
                SyntheticTraces.smallRecipe(RANKS)
                        .withStraggler(TraceRecipe.NO_STRAGGLER, 1)
                        .withSeed(seed),
                Layout.flat());
        Random random = new Random(seed);
        for (int rank = 0; rank < RANKS && damage != null; rank++) {
            Path trace = traces.resolve("rank" + rank + "_trace.json");
            Files.writeString(trace, damage.to(rank, Files.readString(trace), random));
        }
        return traces;
    }

    private Json trust(int status, Object... command) throws IOException {
        Path json = folder.resolve("out.json");
        Files.deleteIfExists(json);
        Object[] all = java.util.Arrays.copyOf(command, command.length + 2);
        all[command.length] = "--json";
        all[command.length + 1] = json;
        assertThat(run(all)).as(err.toString()).isEqualTo(status);
        return ((Json.Members) Json.parse(Files.readString(json))).get("trust");
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void whatSpeaksAgainstTheTracesIsSaidOfTheFleetToo(Damage damage) throws IOException {
        Path traces = traces(damage, 3 + damage.ordinal());
        int status = damage == Damage.CONTRADICTORY || damage == Damage.UNTIED
                ? run("collectives", traces, "--csv", folder.resolve("csv"))
                : ExitStatus.PARTIAL;
        Json expected = trust(status, "collectives", traces);
        assertThat(expected.toString()).contains(damage.code);

        assertThat(trust(status, "fleet", traces)).isEqualTo(expected);
        Path data = folder.resolve("data");
        assertThat(run("dataset", traces, "-o", data, "--level", "sketch")).isZero();
        assertThat(trust(status, "fleet", data)).isEqualTo(expected);
        assertThat(trust(0, "fleet", data, "--allow-partial")).isEqualTo(expected);
        assertThat(run("sql", data, "SELECT code FROM trust WHERE rank IS NULL", "--csv"))
                .isZero();
        assertThat(out.toString()).contains(damage.code);
    }

    @Test
    void soundTracesGetNoWordOfTrust() throws IOException {
        Path traces = traces(null, 9);
        assertThat(run("fleet", traces, "--csv", folder.resolve("csv"))).isZero();
        assertThat(out.toString()).doesNotContain("Trace:");
        assertThat(trust(0, "fleet", traces).toString()).contains("sound");
    }

    @Test
    void whoIsSlowIsWithheldWhereNothingTiesTheClocks() throws IOException {
        Path traces = folder.resolve("alone");
        SyntheticRun.write(traces, SyntheticTraces.smallRecipe(RANKS), Layout.flat());
        for (int rank = 0; rank < RANKS; rank++) {
            Path trace = traces.resolve("rank" + rank + "_trace.json");
            Files.writeString(
                    trace,
                    Files.readString(trace)
                            .replaceAll("\"Process Group Name\": \"", "\"Process Group Name\": \"of " + rank + " "));
        }
        assertThat(run("fleet", traces, "--csv", folder.resolve("csv"), "--html", folder.resolve("page.html")))
                .isEqualTo(ExitStatus.PARTIAL);
        assertThat(out.toString()).contains("Trace: limited.").doesNotContain("is slow", "are slow");
        assertThat(Files.readString(folder.resolve("page.html"))).contains("No collective or message ties the clocks");
    }
}
