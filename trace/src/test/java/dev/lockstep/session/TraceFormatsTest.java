// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.TraceFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceFormatsTest {
    private final TraceFormats formats = new TraceFormats();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.json",
                "a.JSON",
                "a.pt.trace.json.gz",
                "a.zip",
                "a.pftrace",
                "a.pftrace.gz",
                "a.perfetto-trace",
                "a.perfetto-trace.gz"
            })
    void whatIsReadHasTheNameOfATrace(String name) {
        assertThat(formats.isTrace(Path.of("run", name))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"truth.json", "a.gz", "a.csv", "json", "a.json.bak", "a.json/b"})
    void whatIsNotReadHasNot(String name) {
        assertThat(formats.isTrace(Path.of("run", name))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.json",
                "r.nsys-rep",
                "R.QDREP",
                "a.json.zst",
                "a.pftrace.xz",
                "run.tar.gz",
                "a.hatchet",
                "a.0.et"
            })
    void whatIsLostWhereItCannotBeReadIsLookedAt(String name) {
        assertThat(formats.isOfRun(Path.of("run", name))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"truth.json", "a.csv", "a.log.zst", "model.bin.xz", "a.gz", "notes.md"})
    void whatIsNoRecordingIsNot(String name) {
        assertThat(formats.isOfRun(Path.of("run", name))).isFalse();
    }

    @Test
    void theMostGeneralFormatOfAnEndingIsMeant() {
        assertThat(formats.named("a.json.gz")).contains(TraceFormat.KINETO);
        assertThat(formats.named("a.perfetto-trace")).contains(TraceFormat.PERFETTO);
        assertThat(formats.named("a.txt")).isEmpty();
    }

    @Test
    void theHintNamesEachEndingOnce() {
        String hint = formats.hint();
        assertThat(hint)
                .startsWith("Traces end in .json, .json.gz, .json.zst, .zip, ")
                .endsWith(".");
        String[] named =
                hint.substring("Traces end in ".length(), hint.length() - 1).split(", | or ", -1);
        Set<String> endings = new HashSet<>();
        formats.all().forEach(format -> endings.addAll(format.allEndings()));
        assertThat(named).containsExactlyInAnyOrderElementsOf(endings);
    }

    @ParameterizedTest
    @CsvSource({
        "a.pt.trace.json.gz, a",
        "a.b.json, a.b",
        "A.JSON, A",
        "a.perfetto-trace.gz, a",
        "a.pftrace, a",
        "a.trace, a",
        "a.csv, a.csv",
        ".json, .json"
    })
    void aStemIsTheNameWithoutEndings(String name, String stem) {
        assertThat(formats.stem(Path.of("run.json", name))).isEqualTo(stem);
    }

    /** JSON packs up to 18 times; files of Perfetto are packed inside. */
    @ParameterizedTest
    @CsvSource({"a.json, 10", "a.json.gz, 180", "a.zip, 180", "a.pftrace, 160", "a.pftrace.gz, 180", "a.other, 10"})
    void sizesAreThoseOfUnpackedContent(String name, long bytes, @TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve(name), new byte[10]);
        assertThat(formats.unpackedSize(file)).isEqualTo(bytes);
        assertThat(formats.unpackedSize(folder.resolve("missing.json"))).isZero();
    }
}
