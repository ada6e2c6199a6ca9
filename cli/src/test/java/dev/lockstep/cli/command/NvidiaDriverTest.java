// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvidiaDriverTest {
    @TempDir
    Path proc;

    private void says(String version) throws IOException {
        Files.createDirectories(proc.resolve("driver/nvidia"));
        Files.writeString(proc.resolve("driver/nvidia/version"), version);
    }

    private String old() {
        return String.valueOf(NvidiaDriver.beforeCuda13(proc, proc.resolve("libcuda.so.1")));
    }

    @Test
    void driversOfCuda12AreTooOld() throws IOException {
        says("""
            NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024
            GCC version:  gcc version 12.3.0
            """);
        assertThat(old()).isEqualTo("550.54.15");
        says("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86  Release Build  (x)\n");
        assertThat(old()).isEqualTo("570.86");
    }

    @Test
    void newerOnesAndThoseThatDoNotSayAreNot() throws IOException {
        assertThat(old()).isEqualTo("null");
        says("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  (x)\n");
        assertThat(old()).isEqualTo("null");
        says("something else\n");
        assertThat(old()).isEqualTo("null");
    }

    @Test
    void theLibraryForNewerVersionsHelpsAnOldOne() throws IOException {
        says("NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5\n");
        Files.createFile(proc.resolve("libcuda.so.1"));
        assertThat(old()).isEqualTo("null");
    }
}
