// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchFolderTest {
    private static final long NO_PROCESS = 999_999_999;

    @TempDir
    Path folder;

    @Test
    void whatIsInItGoesWithIt() throws IOException {
        try (ScratchFolder scratch = ScratchFolder.in(folder.resolve("new/deep"))) {
            Files.writeString(scratch.path().resolve("a"), "half");
            Files.createDirectories(scratch.path().resolve("b/c"));
            assertThat(scratch.path().getFileName().toString()).startsWith(".");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void severalThreadsMayShareAParentThatEachOfThemWouldRemove() {
        Path parent = folder.resolve("new/deep");
        assertThat(IntStream.range(0, 400).parallel().mapToObj(i -> inAndOut(parent)))
                .containsOnly("");
    }

    @Test
    void closingOneAgainRemovesNoneThatWasMadeMeanwhile() throws IOException {
        ScratchFolder first = ScratchFolder.in(folder);
        first.close();
        try (ScratchFolder second = ScratchFolder.in(folder)) {
            first.close();
            assertThat(second.path()).isDirectory();
        }
    }

    private static String inAndOut(Path parent) {
        try (ScratchFolder scratch = ScratchFolder.in(parent)) {
            Path file = Files.writeString(scratch.path().resolve("file"), "");
            Thread.yield();
            return Files.exists(file) ? "" : "missing";
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void foldersThatHoldWhatWasMadeStay() throws IOException {
        try (ScratchFolder scratch = ScratchFolder.in(folder.resolve("new/deep"))) {
            assertThat(scratch.path()).isDirectory();
            Files.writeString(folder.resolve("new/a"), "whole");
        }
        assertThat(folder.resolve("new").toFile().list()).containsExactly("a");
    }

    @Test
    void whatAKilledProcessLeftIsRemoved() throws IOException {
        ScratchOwner self = ScratchOwner.current();
        Path dead = leftover(new ScratchOwner(self.host(), NO_PROCESS, 1).folder(1));
        Path earlierOfThisId = leftover(new ScratchOwner(self.host(), self.process(), 1).folder(1));

        ScratchFolder.in(folder).close();

        assertThat(dead).doesNotExist();
        assertThat(earlierOfThisId).doesNotExist();
    }

    @Test
    void whatMayBeInUseStays() throws IOException {
        ScratchOwner self = ScratchOwner.current();
        ProcessHandle parent = ProcessHandle.current().parent().orElseThrow();
        Path running = leftover(new ScratchOwner(self.host(), parent.pid(), 0).folder(1));
        Path elsewhere = leftover(new ScratchOwner("12345678", NO_PROCESS, 1).folder(1));
        Path other = leftover(".lockstep-notes");
        Path file = Files.writeString(folder.resolve(new ScratchOwner(self.host(), NO_PROCESS, 1).folder(2)), "");
        try (ScratchFolder own = ScratchFolder.in(folder)) {
            ScratchFolder.in(folder).close();

            assertThat(own.path()).exists();
        }
        for (Path there : new Path[] {running, elsewhere, other, file}) {
            assertThat(there).exists();
        }
    }

    @Test
    void whatNobodyElsewhereTouchedForLongIsRemoved() throws IOException {
        Path old = leftover(new ScratchOwner("12345678", NO_PROCESS, 1).folder(1));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(8))));

        ScratchFolder.in(folder).close();

        assertThat(old).doesNotExist();
    }

    @Test
    void textsNameWhatWillStandThere() {
        String name = ScratchOwner.current().folder(12);
        assertThat(ScratchFolder.withoutScratch("cannot write out/" + name + "/csv/a.csv: full"))
                .isEqualTo("cannot write out/csv/a.csv: full");
        assertThat(ScratchFolder.withoutScratch("cannot write out/" + name + "/1.scratch/hta.csv: full"))
                .isEqualTo("cannot write out/hta.csv: full");
        assertThat(ScratchFolder.withoutScratch("out/.lockstep-notes")).isEqualTo("out/.lockstep-notes");
    }

    private Path leftover(String name) throws IOException {
        Path left = Files.createDirectory(folder.resolve(name));
        Files.writeString(left.resolve("rank0_trace.json"), "{");
        Files.setLastModifiedTime(left, FileTime.from(Instant.now()));
        return left;
    }
}
