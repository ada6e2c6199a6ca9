// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import dev.lockstep.session.Builtins;
import dev.lockstep.session.Registry;
import dev.lockstep.write.Output;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Stack;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Collects the arguments that a command takes. Arguments are declared by calls and not by annotations, because looking
 * at annotations takes longer than many a command runs.
 */
public final class Arguments {
    /** What is wrong with the empty word as a path. */
    static final String NO_NAME = "an empty word names no file and no folder";

    private final CommandSpec spec;
    private final boolean complete;
    private final GlobalOptions global = new GlobalOptions();
    private final Set<OptionSpec> written = new LinkedHashSet<>();
    private boolean abridged;
    private boolean exports;

    /** @param complete whether options that other modules bring are declared, too */
    Arguments(CommandSpec spec, boolean complete) {
        this.spec = spec;
        this.complete = complete;
    }

    /**
     * The writers of reports, each of which gets an option. To find those of other modules takes a while, so that they
     * are left out at first; a command line with options that nothing explains is read with all of them.
     */
    public List<ReportWriter> reportWriters() {
        abridged = !complete;
        return complete ? new Registry().reportWriters() : Builtins.REPORT_WRITERS;
    }

    /** Whether options were left out, and these arguments may mean one of them or ask what there is. */
    boolean lackFor(String[] given) {
        return abridged
                && Arrays.stream(given)
                        .filter(word -> word.startsWith("-"))
                        .map(word -> word.contains("=") ? word.substring(0, word.indexOf('=')) : word)
                        .anyMatch(name -> name.equals("-h")
                                || name.equals("--help")
                                || !spec.optionsMap().containsKey(name));
    }

    /** What {@code --color} says. */
    Screen.Colouring colouring() {
        return global.colouring;
    }

    /** Whether recordings of Nsight Systems are to be exported. */
    boolean exports() {
        return exports;
    }

    CommandSpec spec() {
        return spec;
    }

    /** Declares the options that every command has. */
    public GlobalOptions global() {
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help and exit.")
                .build());
        flag("--quiet", "Print results only: no progress, no summary.", () -> global.quiet = true);
        option(
                "--color",
                "WHEN",
                Screen.Colouring.class,
                "auto (default: on terminals, unless NO_COLOR is set), always or never.",
                value -> global.colouring = value);
        flag("--debug", "Show stack traces of errors.", () -> global.debug = true);
        flag("--strict", "Treat any damage in an input as a failure (exit status 3).", () -> global.strict = true);
        flag(
                "--allow-partial",
                "Exit with 0 instead of 4 when a part of the input is missing.",
                () -> global.allowPartial = true);
        flag(
                "--export",
                "Export recordings of Nsight Systems (.nsys-rep) with nsys, beside them, and take the exports.",
                () -> exports = true);
        number("--jobs", "N", 1, "Worker threads (default: one for each core).", value -> global.jobs = value);
        return global;
    }

    /** Lets long options be cut short, as long as it is clear which one is meant. */
    public void allowPrefixes() {
        spec.parser().abbreviatedOptionsAllowed(true);
    }

    /** Lets options be given again, each time with the consumer told; the command says what that means. */
    public void allowRepeats() {
        spec.parser().overwrittenOptionsAllowed(true);
        CommandLine.tracer().setLevel(CommandLine.TraceLevel.OFF); // it would warn of each
    }

    /** An option that takes all arguments up to the next option; there may be none. */
    public void optionalList(String names, String label, String description, Consumer<List<String>> given) {
        spec.addOption(
                listed(names, "0..*", label, String[].class, description, given).build());
    }

    /**
     * An option without a value.
     *
     * @param names separated by commas, the short one first
     */
    public void flag(String names, String description, Runnable given) {
        spec.addOption(OptionSpec.builder(names.split(","))
                .type(boolean.class)
                .arity("0")
                .description(description)
                .setter(setter(Boolean.class, value -> {
                    if (value) {
                        given.run();
                    }
                }))
                .build());
    }

    /**
     * An option with a value.
     *
     * @param names separated by commas, the short one first
     * @param label stands for the value in the help
     */
    public <T> void option(String names, String label, Class<T> type, String description, Consumer<T> given) {
        spec.addOption(valued(names, label, type, description, given).build());
    }

    /**
     * An option with a whole number.
     *
     * @param least the smallest number that it takes
     */
    public void number(String names, String label, int least, String description, IntConsumer given) {
        option(names, label, Integer.class, description, value -> {
            if (value < least) {
                String name = names.substring(names.lastIndexOf(',') + 1);
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        name + " wants a number of at least " + least + ", not " + value,
                        null);
            }
            given.accept(value);
        });
    }

    /**
     * An option with one whole number or several, divided by spaces; all up to the next option belong to it. It may be given
     * again; the consumer gets those of each time.
     */
    public void numbers(String name, String label, String description, Consumer<List<Integer>> given) {
        spec.addOption(listed(name, "1..*", label, Integer[].class, description, given)
                .hideParamSyntax(true)
                .build());
    }

    /**
     * An option with one value or several, divided by spaces; all up to the next option belong to it. It may be given again; the
     * consumer gets those of each time.
     */
    public void list(String names, String label, String description, Consumer<List<String>> given) {
        spec.addOption(listed(names, "1..*", label, String[].class, description, given)
                .hideParamSyntax(true)
                .build());
    }

    /** Words that are passed on as they are, usually behind {@code --}; there may be none. The consumer gets all so far. */
    public void words(String label, String description, Consumer<List<String>> given) {
        spec.addPositional(allWords("0..*", label, description, given).build());
    }

    /** An option with a value that must be given. */
    public <T> void required(String names, String label, Class<T> type, String description, Consumer<T> given) {
        spec.addOption(
                valued(names, label, type, description, given).required(true).build());
    }

    /**
     * An option with one path or more, up to the next option; given again, its values are added.
     *
     * @param needed whether it must be given
     */
    public void several(String names, String label, boolean needed, String description, Consumer<List<String>> given) {
        spec.addOption(listed(names, "1..*", label, String[].class, description, named(names, given))
                .required(needed)
                .build());
    }

    /** An option with a value that may be given several times; the consumer gets each when it is met. */
    public void repeated(String names, String label, String description, Consumer<List<String>> given) {
        spec.addOption(
                listed(names, "1", label, String[].class, description, given).build());
    }

    /** An option whose value may be left out; it takes one only behind {@code =}, never the argument that follows it. */
    public <T> void optionWithDefault(
            String name, String label, Class<T> type, String fallback, String description, Consumer<T> given) {
        spec.addOption(valued(name, label, type, description, given)
                .arity("0..1")
                .fallbackValue(fallback)
                .preprocessor(new AttachedValue())
                .build());
    }

    /** An argument that is no option; it must be given. Such arguments stand in the order in which they are declared. */
    public <T> void argument(String label, Class<T> type, String description, Consumer<T> given) {
        spec.addPositional(PositionalParamSpec.builder()
                .index(Integer.toString(spec.positionalParameters().size()))
                .arity("1")
                .required(true)
                .paramLabel(label)
                .type(type)
                .description(description)
                .setter(setter(type, given))
                .build());
    }

    /** Paths and patterns, all arguments that are no options; there must be one at least. The consumer gets all that were met so far. */
    public void arguments(String label, String description, Consumer<List<String>> given) {
        argumentsAndText(label, description, named(label, given));
    }

    /** As above, where the last one may be a text and empty. */
    public void argumentsAndText(String label, String description, Consumer<List<String>> given) {
        spec.addPositional(
                allWords("1..*", label, description, given).required(true).build());
    }

    /**
     * Says of options that files are written where they point to; of all others they are taken to be read.
     *
     * @param names each of an option that was declared, with its dashes
     */
    public void writes(String... names) {
        for (String name : names) {
            written.add(spec.optionsMap().get(name));
        }
    }

    /** The options that say where files are written. */
    Set<OptionSpec> written() {
        return written;
    }

    /**
     * Demands that no file is to be written which another option names to be read. Of arguments that are no options the commands
     * know better which files they stand for.
     *
     * @throws UserException when one is
     */
    void demandNoInputWritten(ParseResult given) throws IOException {
        List<Path> read = given.matchedOptions().stream()
                .filter(option -> !written.contains(option))
                .flatMap(Arguments::files)
                .toList();
        for (OptionSpec option : given.matchedOptions()) {
            if (written.contains(option)) {
                for (Path file : files(option).toList()) {
                    Output.demandNoInput(file, read);
                }
            }
        }
    }

    /** Files, not folders, that are there and that a value names, or one of several values between commas. */
    private static Stream<Path> files(OptionSpec option) {
        return option.originalStringValues().stream()
                .filter(value -> value.indexOf('\0') < 0)
                .flatMap(value -> Stream.concat(Stream.of(value), Arrays.stream(value.split(","))))
                .map(FileNames::path)
                .filter(Files::isRegularFile);
    }

    /** Refuses the empty word: as a path it would be the current folder. */
    private Consumer<List<String>> named(String what, Consumer<List<String>> given) {
        return words -> {
            if (words.contains("")) {
                throw new ParameterException(spec.commandLine(), "Invalid value for " + what + ": " + NO_NAME);
            }
            given.accept(words);
        };
    }

    /** Command lines that show at the end of the help what the command is for. */
    public void examples(String... lines) {
        spec.usageMessage().footerHeading("%nExamples:%n");
        spec.usageMessage()
                .footer(Arrays.stream(lines)
                        .map(line -> "  " + line.replace("%", "%%"))
                        .toArray(String[]::new));
    }

    private static <T> OptionSpec.Builder valued(
            String names, String label, Class<T> type, String description, Consumer<T> given) {
        return OptionSpec.builder(names.split(","))
                .type(type)
                .arity("1")
                .paramLabel(label)
                .description(description)
                .setter(setter(type, given));
    }

    private static <T> OptionSpec.Builder listed(
            String names, String arity, String label, Class<T[]> type, String description, Consumer<List<T>> given) {
        return OptionSpec.builder(names.split(","))
                .type(type)
                .auxiliaryTypes(type.getComponentType())
                .arity(arity)
                .paramLabel(label)
                .description(description)
                .setter(setter(type, values -> given.accept(List.of(values))));
    }

    private static PositionalParamSpec.Builder allWords(
            String arity, String label, String description, Consumer<List<String>> given) {
        Collected collected = new Collected(given);
        return PositionalParamSpec.builder()
                .index("0..*")
                .type(String[].class)
                .auxiliaryTypes(String.class)
                .arity(arity)
                .paramLabel(label)
                .description(description)
                .getter(collected)
                .setter(collected);
    }

    /** All words so far: picocli hands them over in pieces where options stand between them, and adds to what it gets. */
    private static final class Collected implements IGetter, ISetter {
        private final Consumer<List<String>> given;
        private String @Nullable [] words;

        private Collected(Consumer<List<String>> given) {
            this.given = given;
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"
        }) // the interface's; the type is that of the field
        public <V> @Nullable V get() {
            return (V) words;
        }

        @Override
        public <V> @Nullable V set(@Nullable V value) {
            if (value instanceof String[] all) {
                words = all;
                given.accept(List.of(all));
            }
            return value;
        }
    }

    /** Picocli also sets initial values, which are null here and mean nothing. */
    private static <T> ISetter setter(Class<T> type, Consumer<T> given) {
        return new ISetter() {
            @Override
            public <V> @Nullable V set(@Nullable V value) {
                if (value != null) {
                    given.accept(type.cast(value));
                }
                return value;
            }
        };
    }

    private static final class AttachedValue implements IParameterPreprocessor {
        @Override
        @SuppressWarnings("JdkObsolete") // the interface wants a Stack
        public boolean preprocess(Stack<String> args, CommandSpec command, ArgSpec argument, Map<String, Object> info) {
            if (!"=".equals(info.get("separator")) && argument instanceof OptionSpec option) {
                args.push(option.fallbackValue());
            }
            return false;
        }
    }
}
