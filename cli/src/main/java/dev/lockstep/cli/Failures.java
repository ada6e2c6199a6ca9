// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.ThreadLimit;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.write.ScratchFolder;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.PicocliException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says on standard error what went wrong and what to do about it, and knows the exit status for it. */
final class Failures {
    private static final int LONGEST_MESSAGE = 10_000;

    private final PrintWriter err;
    private final List<String> arguments;

    /** @param arguments of the command line; what is secret among them is not repeated */
    Failures(PrintWriter err, String... arguments) {
        this.err = err;
        this.arguments = List.of(arguments);
    }

    /** Reports what a command threw; returns the exit status. */
    int report(Throwable failure, boolean debug) {
        if (failure instanceof AnotherStatus other) {
            report(other.failure(), debug);
            return other.status();
        }
        Optional<InvalidPathException> noPath = noPath(failure);
        if (noPath.isPresent()) {
            return say(noPath.get());
        }
        int status = switch (failure) {
            case UserException e when isClosedPipe(e.getCause()) -> e.code().exitStatus();
            case UserException e -> unusable(e.getMessage(), hint(e), e.code());
            case TraceFormatException e -> unusable(e.getMessage(), e.hint(), e.code());
            case UncheckedIOException e when e.getCause() != null -> unreadable(e.getCause());
            case IOException e -> unreadable(e);
            case OutOfMemoryError e
            when ThreadLimit.isReached(e) ->
                say(
                        "no more threads can be started: the system allows this user or container no more",
                        "Allow more processes (ulimit -u, or the container's limit), or take fewer threads: --jobs=1",
                        ErrorCode.TOO_LARGE.exitStatus());
            case OutOfMemoryError e ->
                say(
                        "out of memory: what is kept of the inputs and made of them takes more than the heap of "
                                + (Runtime.getRuntime().maxMemory() >> 20) + " MB",
                        TraceFormat.MORE_MEMORY,
                        ErrorCode.TOO_LARGE.exitStatus());
            case StackOverflowError e ->
                say(
                        "something in the inputs or settings lies deeper inside of itself than the stack of the program holds",
                        "--debug shows where it was; where nothing lies deep, that is a bug: please report it",
                        ErrorCode.TOO_LARGE.exitStatus());
            default -> bug(failure, debug);
        };
        if (debug) {
            failure.printStackTrace(err);
        }
        return status;
    }

    /** Says why something that was named cannot be used, and what it is instead. */
    private int unusable(@Nullable String problem, @Nullable String hint, ErrorCode code) {
        return switch (code) {
            case INPUT_NOT_FOUND, FORMAT_UNKNOWN, FORMAT_CORRUPT, NOTHING_TO_DO, DATA_MISSING -> {
                UnusableInput input = UnusableInput.of(arguments, String.valueOf(problem), hint);
                yield say(
                        input.problem(), input.hint(), input.isEmptyFolder() ? ExitStatus.NOTHING : code.exitStatus());
            }
            default -> say(problem, hint, code.exitStatus());
        };
    }

    /** The hint of the library, and the options by which it is followed. */
    private static @Nullable String hint(UserException failure) {
        return failure.code() == ErrorCode.RANK_AMBIGUOUS
                ? failure.hint() + " (--step N, --trace-name NAME, --latest)"
                : OptionHints.of(failure);
    }

    /** What was named or stands in a folder, and can be no file's name here: what was made of it. */
    private Optional<InvalidPathException> noPath(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidPathException path
                    && (isOfLocale(path)
                            || arguments.stream().anyMatch(argument -> argument.contains(path.getInput())))) {
                return Optional.of(path);
            }
        }
        return Optional.empty();
    }

    private static boolean isOfLocale(InvalidPathException failure) {
        return failure.getInput().indexOf('\0') < 0;
    }

    private int say(InvalidPathException failure) {
        return say(
                "no name of a file: " + failure.getInput(),
                isOfLocale(failure) ? WorkingFolder.LOCALE : null,
                ExitStatus.USAGE);
    }

    /**
     * Reports wrong arguments. What a command says about its option's value stands alone; what else goes wrong with it is
     * reported as anywhere, for the library would list all arguments.
     */
    int usage(ParameterException failure) {
        Optional<InvalidPathException> noPath = noPath(failure);
        if (noPath.isPresent()) {
            return say(noPath.get());
        }
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof UserException said) {
                return say(said.getMessage(), hint(said), said.code().exitStatus());
            }
        }
        if (failure.getCause() instanceof PicocliException setting
                && !(setting instanceof TypeConversionException)
                && setting.getCause() != null) {
            return report(setting.getCause(), arguments.contains("--debug"));
        }
        CommandLine command = failure.getCommandLine();
        String help = command.getCommandSpec().qualifiedName() + " --help";
        return say(failure.getMessage(), "see " + help + spelling(failure), ExitStatus.USAGE);
    }

    /**
     * Reports that there is no such command, and which one may have been meant.
     *
     * @param group the words before the name, with a space at their end
     */
    int unknownCommand(String group, String name, List<String> known) {
        Optional<String> nearest = NearestName.nearest(name, known);
        return say(
                "unknown " + (name.startsWith("-") ? "option" : "command") + " '" + group + name + "'",
                nearest.map(match -> "did you mean '" + group + match + "'? ").orElse("") + "Known commands: "
                        + String.join(", ", known),
                ExitStatus.USAGE);
    }

    /** Which option may have been meant by the first word that nothing takes. */
    private static String spelling(ParameterException failure) {
        if (!(failure instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        String word = unmatched.getUnmatched().getFirst();
        String name = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
        return name.startsWith("--")
                ? NearestName.nearest(
                                name,
                                failure.getCommandLine()
                                        .getCommandSpec()
                                        .optionsMap()
                                        .keySet())
                        .map(option -> "; did you mean " + option + "?")
                        .orElse("")
                : "";
    }

    private int unreadable(IOException failure) {
        return switch (failure) {
            case TraceFormatException e -> unusable(e.getMessage(), e.hint(), e.code());
            case NoSuchFileException e -> say(e.getFile() + ": no such file", null, ExitStatus.UNREADABLE);
            case AccessDeniedException e -> say(e.getFile() + ": permission denied", null, ExitStatus.UNREADABLE);
            case IOException e when isFull(e) -> full(e);
            case FileSystemException e -> say(e.getMessage(), null, ExitStatus.UNREADABLE);
            default -> say(text(failure), "--debug shows where", ExitStatus.UNREADABLE);
        };
    }

    /**
     * Says that standard output did not take everything; where its reader had enough, nobody wants to know.
     *
     * @param failure what went wrong there; null where nothing did
     * @param status of the command
     * @return the status with which the program ends
     */
    int printed(@Nullable IOException failure, int status) {
        if (failure == null) {
            return status;
        }
        if (!isClosedPipe(failure)) {
            say("cannot write to standard output: " + failure.getMessage(), null, status);
        }
        return status == ExitStatus.COMPLETE ? ErrorCode.OUTPUT_FAILED.exitStatus() : status;
    }

    private int full(IOException failure) {
        String file = failure instanceof FileSystemException e ? e.getFile() : null;
        return say(
                "cannot write " + (file == null ? "" : file) + ": "
                        + (isTooLarge(failure) ? "no file may be so large here" : "no space is left" + room(file)),
                "Other outputs of this run are incomplete and were removed. Earlier ones stay.",
                ErrorCode.OUTPUT_FAILED.exitStatus());
    }

    /** How much the disk has left; empty where that cannot be told. */
    private static String room(@Nullable String file) {
        for (Path folder = file == null ? null : Path.of(file).toAbsolutePath();
                folder != null;
                folder = folder.getParent()) {
            if (Files.isDirectory(folder)) {
                try {
                    return " (" + (Files.getFileStore(folder).getUsableSpace() >> 10) + " kB are free without it)";
                } catch (IOException e) {
                    return "";
                }
            }
        }
        return "";
    }

    private static boolean isClosedPipe(@Nullable Throwable failure) {
        return failure instanceof IOException
                && String.valueOf(failure.getMessage()).contains("Broken pipe");
    }

    /** Whether a disk is full or a quota reached; the system's words are all that tells. */
    private static boolean isFull(IOException failure) {
        String message = Objects.requireNonNullElse(failure.getMessage(), "");
        return isTooLarge(failure)
                || message.contains("No space left")
                || message.contains("not enough space")
                || message.contains("quota");
    }

    /** Whether a file has reached the limit that the system sets to all. */
    private static boolean isTooLarge(IOException failure) {
        return Objects.requireNonNullElse(failure.getMessage(), "").contains("File too large");
    }

    private int bug(Throwable failure, boolean debug) {
        String hint = debug ? "please report it with what follows" : "--debug shows where; please report it with that";
        return say("this is a bug in lockstep: " + text(failure), hint, ExitStatus.BUG);
    }

    private static String text(Throwable failure) {
        String message = failure.getMessage();
        String type = failure.getClass().getSimpleName();
        return message == null ? type : type + ": " + message;
    }

    private int say(@Nullable String problem, @Nullable String hint, int status) {
        Screen screen = Screen.of(err);
        err.print(screen.paint(Screen.Paint.WORSE, "lockstep:"));
        err.println(" " + shown(String.valueOf(problem)));
        if (hint != null) {
            err.print(screen.paint(Screen.Paint.BOLD, "Hint:"));
            err.println(" " + shown(hint));
        }
        return status;
    }

    /** What a file holds may stand in a message, however long it is: the rest of it is left out, but only behind its secrets. */
    private String shown(String text) {
        String head = Unicode.head(text, 10 * LONGEST_MESSAGE);
        String hidden = HiddenValues.in(arguments).hide(ScratchFolder.withoutScratch(head));
        return hidden.length() <= LONGEST_MESSAGE
                ? hidden
                : Unicode.head(hidden, LONGEST_MESSAGE) + "… [cut; " + text.length() + " characters]";
    }
}
