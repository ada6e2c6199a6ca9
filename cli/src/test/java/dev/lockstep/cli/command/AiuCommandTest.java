// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.Main;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AiuCommandTest {
    @TempDir
    Path folder;

    private String input = "";
    private String said = "";

    @BeforeEach
    void makeInput() throws IOException {
        input = Files.writeString(
                        folder.resolve("in.json"),
                        "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"pid\":0,\"tid\":1}]")
                .toString();
    }

    private int run(String... arguments) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        List<String> all = new ArrayList<>(List.of("aiu"));
        all.addAll(List.of(arguments));
        int status = Main.run(out, out, all.toArray(String[]::new));
        said = text.toString();
        return status;
    }

    @Test
    void writesTheTraceAndItsTables() {
        assertThat(run("-i", input, "-o", folder + "/out.json", "--compat", "acelyzer"))
                .isZero();

        assertThat(folder.resolve("out.json")).content().contains("\"displayTimeUnit\": \"ns\"");
        assertThat(folder.resolve("out_summary.csv")).exists();
        assertThat(said).contains("INFO Starting Test parser").contains("Exported events:  7");
    }

    @Test
    void longOptionsMayBeCutShort() {
        assertThat(run("--inp", input, "--outp", folder + "/out.json", "--no_s"))
                .isZero();

        assertThat(folder.resolve("out_summary.csv")).doesNotExist();
    }

    @Test
    void countersMayBeNoneAtAll() {
        assertThat(run("-i", input, "-o", folder + "/out.json", "-C")).isZero();

        assertThat(folder.resolve("out.json")).content().contains("\"counter\": []");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abcd", "560:defg", "560.0:-800", "-500.0"})
    void frequenciesArePositiveNumbers(String frequency) {
        assertThat(run("-i", input, "-o", folder + "/out.json", "--freq", frequency))
                .isEqualTo(2);

        assertThat(folder.resolve("out.json")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"bad\":1}", "{\"skip\":\"x\"}", "[]", "{", "{} {}"})
    void limitsAreObjectsOfKnownMembers(String limit) {
        assertThat(run("-i", input, "--event_limit", limit)).isEqualTo(2);
    }

    @Test
    void eventsOutsideOfTheWindowAreLeftOut() {
        assertThat(run("-i", input, "-o", folder + "/out.json", "--event_limit", "{\"ts_start\": 4}"))
                .isZero();

        assertThat(folder.resolve("out.json")).content().contains("\"traceEvents\": []");
    }

    @Test
    void needsAnInput() {
        assertThat(run("-o", "x.json")).isEqualTo(2);
        assertThat(run("-i", input, "--version")).isEqualTo(2);
        assertThat(run("--version")).isZero();
    }

    @Test
    void countersOfPowerExcludeEachOther() {
        assertThat(run("-i", input, "-C", "power_ts3", "power_ts4")).isEqualTo(2);
        assertThat(run("-i", input, "-C", "power_ts3,power_ts4")).isEqualTo(2);
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThat(run("-i", folder + "/none.json")).isEqualTo(3);

        assertThat(said).contains("no input files found");
    }

    @Test
    void anOptionGivenAgainIsAnErrorOrReplacesTheFirst() {
        String first = folder + "/first.json";
        String last = folder + "/last.json";
        assertThat(run("-i", input, "-o", first, "-o", last)).isEqualTo(2);
        assertThat(said).contains("option '-o' should be specified only once");
        assertThat(run("-i", input, "--flow", "--flow")).isEqualTo(2);
        assertThat(run("-i", input, "-C", "coll_bw", "-C", "coll_bw")).isEqualTo(2);
        assertThat(run("-i", input, "-D", "1", "-D", "2")).isEqualTo(2);

        assertThat(run("-i", "none.json", "-o", first, "-i", input, "--output", last, "--compat", "acelyzer"))
                .isZero();

        assertThat(Path.of(first)).doesNotExist();
        assertThat(Path.of(last)).exists();
        assertThat(said).doesNotContain("picocli");
    }

    @Test
    void thePluginsNameOfACompilersLogIsTaken() {
        for (String option : List.of("--compiler_log", "--compiler-log")) {
            assertThat(run("-i", input, "-o", folder + "/out.json", option, folder + "/none.log"))
                    .isZero();
            assertThat(said).contains(option + " is called --compiler_info now");
        }
    }

    @Test
    void acelyzersStatusesAreOneForFailuresAndTwoForUsage() {
        List<String> compat = List.of("--compat", "acelyzer");
        for (List<String> failing : List.of(
                List.of("-i", folder + "/none.json"),
                List.of("-i", input, "--freq", "abcd"),
                List.of("-i", input, "--freq_scaling", "2"),
                List.of("-i", input, "-P", "nope.json"),
                List.of("-i", input, "-C", "power_ts3", "power_ts4"))) {
            List<String> all = new ArrayList<>(failing);
            all.addAll(compat);
            assertThat(run(all.toArray(String[]::new))).as("%s", failing).isEqualTo(1);
        }
        assertThat(run("--compat", "acelyzer")).isEqualTo(2);
        assertThat(run("-i", input, "-C", "other", "--compat", "acelyzer")).isEqualTo(2);
        assertThat(run("-i", input, "-i", input, "--version", "--compat", "acelyzer"))
                .isEqualTo(2);
    }

    @Test
    void standardInputIsAnInput() throws IOException {
        InputStream before = System.in;
        try {
            for (String name : List.of("-", "/dev/stdin", "api://buffer")) {
                System.setIn(Files.newInputStream(Path.of(input)));
                assertThat(run("-i", name, "-o", folder + "/out.json", "-t")).isZero();
                assertThat(folder.resolve("out.json"))
                        .content()
                        .contains("\"name\": \"a\"")
                        .contains("\"input\": \"" + name + "\"");
                Files.delete(folder.resolve("out.json"));
            }
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void aBufferMayHoldWhatWasProcessedBefore() throws IOException {
        run("-i", input, "-o", folder + "/out.json", "-t");
        assertThat(run("-i", folder + "/out.json", "-o", folder + "/again.json", "-t"))
                .isZero();
        assertThat(folder.resolve("again.json")).content().doesNotContain("\"name\": \"a\"");

        InputStream before = System.in;
        try {
            System.setIn(Files.newInputStream(folder.resolve("out.json")));
            assertThat(run("-i", "api://buffer", "-o", folder + "/again.json", "-t"))
                    .isZero();
        } finally {
            System.setIn(before);
        }
        assertThat(folder.resolve("again.json")).content().contains("\"name\": \"a\"");
    }

    @Test
    void aCopyOfTheTraceIsMade() {
        Path elsewhere = folder.resolve("elsewhere");
        assertThat(run("-i", input, "-o", folder + "/out.json", "--disable_file", "--copy_to", elsewhere.toString()))
                .isZero();

        assertThat(elsewhere).content().contains("\"name\": \"a\"");
        assertThat(folder.resolve("out.json")).doesNotExist();
        assertThat(folder.resolve("out_summary.csv")).exists();

        for (List<String> more : List.of(List.<String>of(), List.of("--tb"), List.of("-f", "pddf"))) {
            List<String> all = new ArrayList<>(
                    List.of("-i", input, "-o", folder + "/all.pt.trace.json", "--copy_to", elsewhere.toString()));
            all.addAll(more);
            assertThat(run(all.toArray(String[]::new))).isZero();
            assertThat(elsewhere).hasSameBinaryContentAs(folder.resolve("all.pt.trace.json"));
        }
    }

    @Test
    void anUnknownFormatIsRefused() {
        assertThat(run("-i", input, "-o", folder + "/out.pb", "-f", "protobuf")).isEqualTo(2);
        assertThat(run("-i", input, "-o", folder + "/out.pb", "-f", "protobuf", "--compat", "acelyzer"))
                .isZero();
    }
}
