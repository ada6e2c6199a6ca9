// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

class FailuresTest {
    private final StringWriter err = new StringWriter();
    private final Failures failures = new Failures(new PrintWriter(err));

    @ParameterizedTest
    @EnumSource(value = ErrorCode.class, mode = EnumSource.Mode.EXCLUDE, names = "RANK_AMBIGUOUS")
    void requestThatCannotBeMetEndsWithTheStatusOfItsCode(ErrorCode code) {
        int status = failures.report(new UserException(code, "no shapes", "record_shapes=True"), false);

        assertThat(status).isEqualTo(code.exitStatus());
        assertThat(err.toString()).isEqualToNormalizingNewlines("""
            lockstep: no shapes
            Hint: record_shapes=True
            """);
    }

    @Test
    void optionsThatTellTracesOfARankApartAreNamed() {
        int status = failures.report(new UserException(ErrorCode.RANK_AMBIGUOUS, "two traces", "Say which."), false);

        assertThat(status).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("Hint: Say which. (--step N, --trace-name NAME, --latest)");
    }

    @Test
    void aMessageOfAnyLengthIsCut() {
        failures.report(
                new UserException(ErrorCode.OPTION_INVALID, "x".repeat(5_000_000), "y".repeat(5_000_000)), false);

        assertThat(err.toString()).hasSizeLessThan(30_000).contains("[cut; 5000000 characters]");
    }

    @Test
    void brokenInputIsUnreadable() {
        var broken = new TraceFormatException(ErrorCode.FORMAT_CORRUPT, "a.json", 12, "expected ','", null);

        assertThat(failures.report(broken, false)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(failures.report(new UncheckedIOException(broken), false)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("a.json: byte 12: expected ','");
    }

    @Test
    void missingFileIsNamed() {
        assertThat(failures.report(new NoSuchFileException("gone.json"), false)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("gone.json: no such file");
    }

    @Test
    void aFullDiskIsNoFaultOfTheInput() {
        IOException full = new IOException("No space left on device");

        assertThat(failures.report(full, false)).isEqualTo(ErrorCode.OUTPUT_FAILED.exitStatus());
        assertThat(failures.report(new UncheckedIOException(full), false))
                .isEqualTo(ErrorCode.OUTPUT_FAILED.exitStatus());
        assertThat(err.toString()).contains("no space is left");

        IOException limited = new FileSystemException("out.csv", null, "File too large");
        assertThat(failures.report(limited, false)).isEqualTo(ErrorCode.OUTPUT_FAILED.exitStatus());
        assertThat(err.toString()).contains("cannot write out.csv: no file may be so large here");
    }

    @Test
    void namesThatTheLocaleLacksAreNoBug() {
        var failure = new InvalidPathException(
                "rank0_\ufffd.json", "Malformed input or input contains unmappable characters");

        assertThat(failures.report(new IllegalStateException(failure), false)).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("rank0_", "LC_ALL=C.UTF-8");
    }

    @Test
    void whatFailsWithAnOptionsValueShowsNoOtherArguments() {
        Arguments arguments = new Arguments(CommandSpec.create(), true);
        arguments.option("--other", "X", String.class, "", value -> {});
        arguments.option("--value", "X", String.class, "", value -> {
            throw new IllegalStateException("row 3");
        });
        CommandLine line = new CommandLine(arguments.spec());
        ParameterException failure =
                catchThrowableOfType(ParameterException.class, () -> line.parseArgs("--other", "a", "--value", "b"));

        assertThat(failures.usage(failure)).isEqualTo(ExitStatus.BUG);
        assertThat(err.toString())
                .contains("this is a bug in lockstep: IllegalStateException: row 3")
                .doesNotContain("--other");
    }

    @Test
    void anythingElseIsOurBugAndDebugShowsWhere() {
        var failure = new IllegalStateException("row 3");

        assertThat(failures.report(failure, false)).isEqualTo(ExitStatus.BUG);
        assertThat(err.toString()).contains("this is a bug", "row 3", "--debug").doesNotContain("\tat ");

        assertThat(failures.report(failure, true)).isEqualTo(ExitStatus.BUG);
        assertThat(err.toString()).contains("\tat ");
    }

    @Test
    void aLimitOnThreadsIsNoLackOfMemory() {
        OutOfMemoryError refused = new OutOfMemoryError(
                "unable to create native thread: possibly out of memory or process/resource limits reached");
        assertThat(failures.report(refused, false)).isEqualTo(ErrorCode.TOO_LARGE.exitStatus());
        assertThat(err.toString())
                .contains("no more threads can be started", "ulimit -u", "--jobs=1")
                .doesNotContain("memory");
    }

    @Test
    void whatLiesTooDeepIsSaid() {
        assertThat(failures.report(new StackOverflowError(), false)).isEqualTo(ErrorCode.TOO_LARGE.exitStatus());
        assertThat(err.toString())
                .contains("lies deeper inside of itself than the stack", "--debug shows where it was")
                .doesNotContain("StackOverflowError");
    }

    @Test
    void tooSmallAHeapIsSaid() {
        assertThat(failures.report(new OutOfMemoryError("Java heap space"), false))
                .isEqualTo(ErrorCode.TOO_LARGE.exitStatus());
        assertThat(err.toString()).contains("out of memory", "LOCKSTEP_HEAP");
    }
}
