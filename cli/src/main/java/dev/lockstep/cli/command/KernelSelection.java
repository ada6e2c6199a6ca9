// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import static dev.lockstep.cli.command.KernelArguments.split;

import dev.lockstep.dialect.Dialects;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.kernels.KernelCategories;
import dev.lockstep.kernels.KernelDialect;
import dev.lockstep.kernels.KeyField;
import dev.lockstep.kernels.UniqueKernels.Selection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which kernels the user wants, and what tells them apart; null for what was not given.
 *
 * @param stepAnnotation annotations that mark steps
 * @param forwards how often the model ran; 0 to find out
 * @param categories a file of rules, or the name of another tool that has such rules
 */
record KernelSelection(
        @Nullable List<String> fields,
        @Nullable List<String> devices,
        @Nullable List<String> exclude,
        @Nullable String stepAnnotation,
        int forwards,
        @Nullable String categories) {
    /** The options that select. */
    static final class Arguments {
        private @Nullable List<String> fields;
        private @Nullable List<String> devices;
        private @Nullable List<String> exclude;
        private @Nullable String stepAnnotation;
        private int forwards;
        private @Nullable String categories;

        void declareKernels(dev.lockstep.cli.Arguments arguments) {
            arguments.option(
                    "--sig-fields",
                    "FIELD,...",
                    String.class,
                    "What tells kernels apart, besides names and bytes (default: grid,block,shared"
                            + " memory,op,shapes,types).",
                    given -> fields = split(given));
            arguments.option(
                    "--devices", "N,...", String.class, "Keep only these devices.", given -> devices = split(given));
            arguments.option(
                    "--exclude",
                    "TEXT,...",
                    String.class,
                    "Leave out kernels with one of these in their names.",
                    given -> exclude = split(given));
            arguments.option(
                    "--categories",
                    "FILE|piep",
                    String.class,
                    "Kinds of kernels: lines of a name and a regular expression (default: those that ship).",
                    given -> categories = given);
        }

        void declarePasses(dev.lockstep.cli.Arguments arguments) {
            StepAnnotationOption.declare(arguments, given -> stepAnnotation = given);
            arguments.number(
                    "--forwards",
                    "N",
                    1,
                    "How often the model ran (default: told from steps, repetition or counts).",
                    given -> forwards = given);
        }

        KernelSelection chosen() {
            return new KernelSelection(fields, devices, exclude, stepAnnotation, forwards, categories);
        }
    }

    /**
     * As the library takes it.
     *
     * @param operators whether these are listed, and not kernels
     * @throws UserException when a field or a file of rules does not exist
     */
    Selection of(boolean operators) throws IOException {
        return new Selection(
                fields == null ? KeyField.standard() : KeyField.parse(fields),
                devices == null ? Set.of() : new HashSet<>(devices),
                exclude == null ? List.of() : exclude,
                stepAnnotation,
                forwards,
                kinds(operators));
    }

    private KernelCategories kinds(boolean operators) throws IOException {
        if (categories == null) {
            return operators ? KernelCategories.operators() : KernelCategories.standard();
        }
        Path rules = FileNames.path(categories);
        KernelDialect dialect = Files.exists(rules) ? null : dialect(categories);
        if (dialect != null && operators) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--categories " + categories + " tells kernels apart; this execution trace holds operators",
                    "Name a file with rules for operators, or leave the option out.");
        }
        return dialect != null ? dialect.categories() : KernelCategories.parse(NamedFiles.settings(rules), categories);
    }

    private static @Nullable KernelDialect dialect(String name) {
        return Dialects.named(name)
                .flatMap(tool -> tool.part(KernelDialect.class))
                .orElse(null);
    }
}
