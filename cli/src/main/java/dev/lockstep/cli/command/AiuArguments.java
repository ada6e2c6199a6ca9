// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.cli.Arguments;
import dev.lockstep.codec.Secrets;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The options of acelyzer, by its letters and names. */
final class AiuArguments {
    private static final double DEFAULT_CORE_MHZ = 1100;
    private static final String KNOWN_COUNTERS = String.join(", ", AiuOptions.NAMES_OF_COUNTERS);

    private final AiuOptions.Builder options = new AiuOptions.Builder();
    private final CompatOption compat = new CompatOption();
    private boolean version;
    private double scaling;
    private String frequency = "";
    private @Nullable Path copyTo;
    private final List<String> given = new ArrayList<>();
    private final Set<String> met = new HashSet<>();
    private @Nullable String repeated;

    /** Demands what the command cannot be understood without. */
    void demandUsage() {
        if (repeated != null && !compat.isGiven()) {
            throw invalid("option '" + repeated + "' should be specified only once");
        }
        if (options.has(AiuOption.INPUT) == version) {
            throw invalid(
                    version ? "-i and --version exclude each other" : "one of -i/--input and --version is needed");
        }
    }

    /**
     * The options as they were given, of those given again the last; says which frequencies are in force where only one
     * was.
     */
    AiuOptions options(PrintWriter out) {
        frequencies(out);
        options.rules(compat.or(AiuRules.OWN, AiuRules.class));
        return options.with(AiuOption.COMMAND_LINE, "acelyzer " + String.join(" ", new Secrets().words(given)))
                .build();
    }

    /** Whether the command stands in for acelyzer. */
    boolean imitates() {
        return compat.isGiven();
    }

    /** Where a copy of the trace goes; null for none. */
    @Nullable
    Path copyTo() {
        return copyTo;
    }

    boolean wantsVersion() {
        return version;
    }

    void declare(Arguments a) {
        a.allowPrefixes();
        a.allowRepeats();
        AiuOption.ALL.forEach(option -> declare(a, option));
        others(a);
    }

    /** Options that the rows do not say alone: what is no option of the pipeline, or sets several of them. */
    private void others(Arguments a) {
        flag(a, "--version", "Show the version and exit.", () -> version = true);
        compat.declare(a, "acelyzer");
        a.optionalList("-C,--counter", "NAMES", "Counters: " + KNOWN_COUNTERS + ".", names -> {
            meet("-C");
            counters(names);
        });
        text(a, "--freq", "SOC[:CORE]", "Frequencies in MHz (default: 1000:1100).", v -> frequency = v);
        a.option(
                "--copy_to",
                "FILE",
                Path.class,
                "A copy of the trace, also with --disable_file.",
                file -> copyTo = file);
        a.writes("-o", "--copy_to");
        a.option("--freq_scaling", "FACTOR", Double.class, "Obsolete.", v -> scaling = v);
        flag(a, "--disable_input_warnings", "Accepted, without effect.", () -> {});
    }

    private <T> void declare(Arguments a, AiuOption<T> option) {
        if (option.names().isEmpty()) {
            return;
        }
        switch (option.takes()) {
            case NOTHING -> flag(a, option.names(), option.sentence(), () -> options.with(option, option.parse("")));
            case TEXT ->
                text(
                        a,
                        option.names(),
                        option.label(),
                        option.sentence(),
                        value -> options.with(option, option.parse(value)));
            case NUMBER ->
                a.option(option.names(), option.label(), Integer.class, option.sentence(), value -> {
                    meet(option.names());
                    options.with(option, option.parse(value.toString()));
                });
        }
    }

    private void flag(Arguments a, String names, String description, Runnable given) {
        a.flag(names, description, () -> {
            note(names);
            given.run();
        });
    }

    private void text(Arguments a, String names, String label, String description, Consumer<String> given) {
        a.option(names, label, String.class, description, value -> {
            note(names);
            this.given.add(value);
            given.accept(value);
        });
    }

    private void note(String names) {
        String name = names.substring(0, names.indexOf(',') < 0 ? names.length() : names.indexOf(','));
        meet(name);
        given.add(name);
    }

    private void meet(String name) {
        repeated = met.add(name) ? repeated : name;
    }

    private void counters(List<String> names) {
        for (String name : names) {
            if (!AiuOptions.NAMES_OF_COUNTERS.contains(name)) {
                throw invalid("--counter does not know '" + name + "'; it takes "
                        + String.join(", ", AiuOptions.NAMES_OF_COUNTERS));
            }
        }
        options.with(AiuOption.COUNTERS, List.copyOf(names));
    }

    private void frequencies(PrintWriter out) {
        if (Math.abs(scaling) > 1e-9) {
            throw invalid("ERROR: Use of obsolete cmdline '--freq_scaling'. Use '--freq=<soc>:<core>' instead!");
        }
        if (frequency.isEmpty()) {
            return;
        }
        String[] parts = frequency.split(":", -1);
        if (parts.length == 1) {
            out.println("HINT: --freq only specified SoC freqency " + frequency + ". Using default core freq "
                    + DEFAULT_CORE_MHZ + ". You may specify both by using: --freq=<soc>:<core>");
        }
        double soc;
        double core;
        try {
            soc = Double.parseDouble(parts[0]);
            core = parts.length == 1 ? DEFAULT_CORE_MHZ : Double.parseDouble(parts[1]);
        } catch (NumberFormatException e) {
            throw invalid("ERROR: Frequency setting requires float values.");
        }
        if (!(soc > 0 && core > 0) || Double.isInfinite(soc + core)) {
            throw invalid("Frequency settings are required to be a positive non-zero float value.");
        }
        options.with(AiuOption.SOC_MHZ, soc).with(AiuOption.CORE_MHZ, core);
    }

    private static UserException invalid(String problem) {
        return new UserException(ErrorCode.OPTION_INVALID, problem, null);
    }
}
