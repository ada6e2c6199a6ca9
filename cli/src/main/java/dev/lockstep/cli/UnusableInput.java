// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why a command cannot use what it was given, with what that is: commands know what they expected and what they found,
 * but not which other command takes it.
 *
 * @param problem the message
 * @param isEmptyFolder whether all that is wrong is that there is nothing in it
 */
public record UnusableInput(String problem, @Nullable String hint, boolean isEmptyFolder) {
    /** Commands and groups of them whose inputs are no files of traces; in all others a trace is what it should be. */
    private static final Set<String> TAKE_NO_TRACE = Set.of(
            "compare",
            "config",
            "gemm",
            "goal algorithms",
            "goal report",
            "goal simulate",
            "goal verify",
            "hangs",
            "links",
            "replay compare",
            "replay energy",
            "replay export",
            "replay run",
            "sweep");

    /** Options whose files people write by hand; in all others something else is expected. */
    private static final Set<String> SETTINGS = Set.of(
            "--algorithm",
            "--arch",
            "--categories",
            "--config",
            "--file",
            "--hosts",
            "--meta",
            "--models",
            "--profile",
            "--topology",
            "-P",
            "-c",
            "-f");

    /**
     * @param arguments of the command line
     * @param problem what the command says; names what it is about
     * @param hint what the command advises
     */
    public static UnusableInput of(List<String> arguments, String problem, @Nullable String hint) {
        String named = arguments.stream()
                .map(argument -> argument.startsWith("-") ? argument.substring(argument.indexOf('=') + 1) : argument)
                .flatMap(argument -> Stream.of(argument, argument.replaceFirst("/+$", "")))
                .filter(argument -> isAbout(problem, argument) && exists(argument))
                .min(Comparator.comparingInt(problem::indexOf))
                .orElse(null);
        if (named == null) {
            return new UnusableInput(problem, hint, false);
        }
        Path path = FileNames.path(named);
        if (FileKind.isEmptyFolder(path)) {
            return new UnusableInput(named + ": this folder is empty", hint, true);
        }
        FileKind kind = FileKind.of(path).orElse(null);
        if (kind == null || isTakenBy(kind, arguments) || (kind.mayBeSettings() && isSetting(named, arguments))) {
            return new UnusableInput(problem, hint, false);
        }
        String said = hint == null ? "" : hint;
        return new UnusableInput(problem, (kind.advice(problem + " " + said) + " " + said).strip(), false);
    }

    private static boolean isSetting(String file, List<String> arguments) {
        int at = arguments.indexOf(file);
        return at > 0
                ? SETTINGS.contains(arguments.get(at - 1))
                : SETTINGS.stream().anyMatch(option -> arguments.contains(option + "=" + file));
    }

    /** Whether the command is for what it was given, so that something else is wrong with that. */
    private static boolean isTakenBy(FileKind kind, List<String> arguments) {
        String group = arguments.getFirst();
        String second = arguments.size() < 2 ? "" : arguments.get(1);
        List<String> names = group.equals("goal") && second.startsWith("-")
                ? List.of("goal generate")
                : List.of(group, group + " " + second);
        return kind.mayHoldTraces()
                ? names.stream().noneMatch(TAKE_NO_TRACE::contains)
                : names.stream().anyMatch(kind.takers()::contains);
    }

    /** Whether a message names a path as a whole, or a file in it. */
    private static boolean isAbout(String problem, String path) {
        int at = problem.indexOf(path);
        int end = at + path.length();
        return !path.isEmpty()
                && at >= 0
                && (at == 0 || problem.charAt(at - 1) == ' ')
                && (end == problem.length() || ":/, ".indexOf(problem.charAt(end)) >= 0);
    }

    private static boolean exists(String name) {
        try {
            return Files.exists(FileNames.path(name));
        } catch (InvalidPathException | UserException e) {
            return false;
        }
    }
}
