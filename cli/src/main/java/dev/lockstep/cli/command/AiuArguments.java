// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.aiu.pipeline.AiuFormat;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.EventLimit;
import dev.lockstep.aiu.pipeline.PartialOverlap;
import dev.lockstep.cli.Arguments;
import dev.lockstep.codec.Secrets;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The options of acelyzer, by its letters and names. */
final class AiuArguments {
    private static final double DEFAULT_CORE_MHZ = 1100;

    private final AiuOptions.Builder options = new AiuOptions.Builder();
    private final CompatOption compat = new CompatOption();
    private boolean version;
    private boolean hasInput;
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
        if (hasInput == version) {
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
        return options.commandLine("acelyzer " + String.join(" ", new Secrets().words(given)))
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
        inputs(a);
        what(a);
        clocks(a);
        outputs(a);
        obsolete(a);
    }

    private void inputs(Arguments a) {
        text(
                a,
                "-i,--input",
                "FILES",
                "Input files: names or patterns, separated by commas; - for standard input.",
                value -> {
                    options.input(value);
                    hasInput = true;
                });
        flag(a, "--version", "Show the version and exit.", () -> version = true);
        text(a, "-c,--compiler_info", "PATHS", "Compiler logs, one per rank, or a folder.", options::compilerInfo);
        text(
                a,
                "--event_filter",
                "FILTERS",
                "Drop events: attribute:regex, separated by commas.",
                options::eventFilter);
        text(
                a,
                "--event_limit",
                "JSON",
                "Object with skip, count, ts_start, ts_end, no_count_types.",
                v -> options.limit(limit(v)));
        text(a, "-P,--profile", "FILE", "Which stages run: a file or a bundled profile.", options::profile);
        compat.declare(a, "acelyzer");
        flag(a, "-V,--verify", "Only verify the events.", () -> options.verify(true));
    }

    private void what(Arguments a) {
        a.optionalList("-C,--counter", "NAMES", "Counters: " + String.join(", ", AiuOptions.COUNTERS) + ".", names -> {
            meet("-C");
            counters(names);
        });
        flag(a, "--flow", "Detect flows of collectives.", () -> options.flow(true));
        flag(
                a,
                "-R,--build_coll_event",
                "Build an event for each collective; needs --flow.",
                () -> options.buildCollectives(true));
        flag(a, "--comm_summarize_seq", "Merge the steps of each transfer.", () -> options.summarizeSequences(true));
        flag(a, "-k,--skip_events", "Leave some pairs of events out of the power.", () -> options.skipEvents(true));
        flag(a, "--power-stats", "Print statistics of the power.", () -> options.powerStats(true));
        flag(a, "--drop_globals", "Drop wide host events.", () -> options.dropGlobals(true));
        flag(a, "--keep_prep", "Keep preparations besides their counter.", () -> options.keepPrep(true));
        flag(a, "-t,--no_stats", "Write no tables of statistics.", () -> options.stats(false));
        choice(
                a,
                "-O,--overlap",
                "What becomes of overlapping events.",
                v -> options.overlap(PartialOverlap.valueOf(v.toUpperCase(Locale.ROOT))),
                words(PartialOverlap.values(), PartialOverlap::word));
        number(a, "--max_tid_streams", "Further rows for each thread; -1 for no limit.", options::maxTidStreams);
    }

    private void clocks(Arguments a) {
        text(a, "--freq", "SOC[:CORE]", "Frequencies in MHz (default: 1000:1100).", v -> frequency = v);
        flag(a, "-M,--no_mp_sync", "Leave the clocks of several devices as they are.", () -> options.skipSync(true));
        flag(a, "-S,--use_mp_sync_v2", "Align clocks by the second method.", () -> options.syncV2(true));
        flag(a, "--flex_ts_fix", "Correct the times of each job.", () -> options.flexTsFix(true));
        flag(a, "--ignore_crit", "Go on where counters do not ascend.", () -> options.ignoreCritical(true));
    }

    private void outputs(Arguments a) {
        text(a, "-o,--output", "FILE", "Output file; side files derive from it.", options::output);
        a.option(
                "--copy_to",
                "FILE",
                Path.class,
                "A copy of the trace, also with --disable_file.",
                file -> copyTo = file);
        a.writes("-o", "--copy_to");
        choice(
                a,
                "-f,--format",
                "Format of the output.",
                v -> options.format(AiuFormat.valueOf(v.toUpperCase(Locale.ROOT))),
                words(AiuFormat.values(), AiuFormat::word));
        text(a, "-F,--filter", "PHASES", "Keep only events of these phases.", options::phases);
        flag(a, "-I,--intermediate", "Write what leaves each stage, too.", () -> options.intermediate(true));
        flag(a, "--keep_names", "Keep numbers in names.", () -> options.keepNames(true));
        flag(a, "--disable_tb", "Do not refine names for TensorBoard.", () -> options.refine(false));
        flag(a, "--tb", "Write for TensorBoard; changes the default profile.", () -> options.tensorBoard(true));
        flag(a, "--disable_file", "Do not write the trace.", () -> options.writesFile(false));
        choice(a, "--time_unit", "Unit that viewers show.", options::timeUnit, "ms", "ns");
        number(a, "-D,--loglevel", "0 errors, 1 warnings, 2 information, 3 debugging, 4 all.", v -> {
            if (v < 0 || v > 4) {
                throw invalid("--loglevel takes 0 to 4, not " + v);
            }
            options.logLevel(v);
        });
    }

    private void obsolete(Arguments a) {
        a.option("--freq_scaling", "FACTOR", Double.class, "Obsolete.", v -> scaling = v);
        flag(a, "-s,--split_events", "Obsolete: split events into their phases.", () -> options.splitEvents(true));
        flag(a, "-T,--sync_to_dev", "Accepted, without effect.", () -> options.syncToDevice(true));
        text(a, "--autopilot_data", "FILE", "Accepted, without effect.", options::autopilotData);
        flag(a, "--disable_input_warnings", "Accepted, without effect.", () -> {});
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

    private void number(Arguments a, String names, String description, Consumer<Integer> given) {
        a.option(names, "N", Integer.class, description, value -> {
            meet(names);
            given.accept(value);
        });
    }

    private void choice(Arguments a, String names, String description, Consumer<String> given, String... known) {
        text(a, names, "WHAT", description + " One of " + String.join(", ", known) + ".", value -> {
            if (!List.of(known).contains(value)) {
                throw invalid(names + " does not know '" + value + "'; it takes " + String.join(", ", known));
            }
            given.accept(value);
        });
    }

    private static <T> String[] words(T[] values, Function<T, String> word) {
        return Arrays.stream(values).map(word).toArray(String[]::new);
    }

    private void counters(List<String> names) {
        for (String name : names) {
            if (!AiuOptions.COUNTERS.contains(name)) {
                throw invalid(
                        "--counter does not know '" + name + "'; it takes " + String.join(", ", AiuOptions.COUNTERS));
            }
        }
        options.counters(names);
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
        options.socMhz(soc).coreMhz(core);
    }

    private static EventLimit limit(String text) {
        long skip = EventLimit.NONE.skip();
        long count = EventLimit.NONE.count();
        double start = EventLimit.NONE.tsStart();
        double end = EventLimit.NONE.tsEnd();
        String free = EventLimit.NONE.free();
        try (JsonParser json = new JsonFactory().createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw invalid("--event_limit takes a JSON object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String key = json.currentName();
                JsonToken value = json.nextToken();
                boolean whole = value == JsonToken.VALUE_NUMBER_INT;
                boolean number = whole || value == JsonToken.VALUE_NUMBER_FLOAT;
                boolean string = value == JsonToken.VALUE_STRING;
                if (key.equals("skip") && whole) {
                    skip = json.getLongValue();
                } else if (key.equals("count") && whole) {
                    count = json.getLongValue();
                } else if (key.equals("ts_start") && number) {
                    start = json.getDoubleValue();
                } else if (key.equals("ts_end") && number) {
                    end = json.getDoubleValue();
                } else if (key.equals("no_count_types") && string) {
                    free = json.getText();
                } else {
                    throw invalid("--event_limit does not take " + key + " with that value");
                }
            }
            if (json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
                throw invalid("--event_limit takes one JSON object");
            }
        } catch (IOException e) {
            throw invalid("--event_limit takes a JSON object: " + text);
        }
        return new EventLimit(skip, count, start, end, free);
    }

    private static UserException invalid(String problem) {
        return new UserException(ErrorCode.OPTION_INVALID, problem, null);
    }
}
