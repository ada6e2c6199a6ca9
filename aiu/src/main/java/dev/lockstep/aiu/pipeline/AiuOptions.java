// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of a run of the AIU pipeline. Made by {@link #of} or a {@link Builder}; nothing changes it.
 *
 * @param selection what is read, and which of it goes through the pipeline
 * @param clocks how cycle counters become times, and times of several devices one
 * @param derivation what is derived from the events
 * @param shape what the events of the result look like
 * @param result what is written, and where
 * @param noted what the trace records of the command without any effect on the pipeline
 * @param rules how stages decide what other tools decide differently
 */
public record AiuOptions(
        Selection selection,
        Clocks clocks,
        Derivation derivation,
        Shape shape,
        Result result,
        Noted noted,
        AiuRules rules) {
    /** Counters that can be asked for. */
    public static final List<String> COUNTERS =
            List.of("power_ts4", "power_ts3", "coll_bw", "bandwidth", "prep_queue", "rcu_util");

    /** Counters that are made when none are named, separated by blanks. */
    public static final String DEFAULT_COUNTERS = "power_ts4 coll_bw prep_queue rcu_util";

    /**
     * What is read, and which of it goes through the pipeline.
     *
     * @param input names of files and patterns, separated by commas or blanks
     * @param compilerInfo logs of the compiler, separated by commas, one for each rank, or a folder; null for none
     * @param eventFilter events to drop: pairs of attribute and regular expression, {@code name:^Barrier,cat:x}
     * @param limit which events are let in by number and time
     * @param profile a file that says which stages run, or the name of a bundled one; null for the usual one
     * @param verify whether events are only counted and checked
     */
    public record Selection(
            String input,
            @Nullable String compilerInfo,
            String eventFilter,
            EventLimit limit,
            @Nullable String profile,
            boolean verify) {}

    /**
     * How cycle counters become times, and times of several devices one.
     *
     * @param socMhz MHz of the counters TS1 to TS5
     * @param coreMhz MHz of the cores, in whose cycles compilers count
     * @param skipSync whether the clocks of several devices stay as they are
     * @param syncV2 whether clocks are aligned by the ends of all-reduces, rates included
     * @param flexTsFix whether events of a job are moved into the time for which the host waited for it
     */
    public record Clocks(double socMhz, double coreMhz, boolean skipSync, boolean syncV2, boolean flexTsFix) {}

    /**
     * What is derived from the events.
     *
     * @param counters counters, of {@link #COUNTERS}; null for {@link #DEFAULT_COUNTERS}
     * @param flow whether sends are connected with their receives
     * @param buildCollectives whether each collective gets an event on each rank; needs {@code flow}
     * @param summarizeSequences whether the steps of a transfer become one event
     * @param skipEvents whether power leaves out pairs of neighbours that mean little
     * @param powerStats whether statistics of power are said
     * @param stats whether tables of kernels are written
     */
    public record Derivation(
            @Nullable List<String> counters,
            boolean flow,
            boolean buildCollectives,
            boolean summarizeSequences,
            boolean skipEvents,
            boolean powerStats,
            boolean stats) {
        public Derivation {
            counters = counters == null ? null : List.copyOf(counters);
        }

        /** Whether a counter is made. */
        public boolean counts(String counter) {
            return (counters == null ? List.of(DEFAULT_COUNTERS.split(" ")) : counters).contains(counter);
        }
    }

    /**
     * What the events of the result look like.
     *
     * @param dropGlobals whether host events that span much and tell little are dropped
     * @param keepPrep whether preparations stay besides their counter
     * @param splitEvents whether events of the device are split into their phases
     * @param overlap what becomes of events that overlap without one lying within the other
     * @param maxTidStreams further rows for each thread, -1 for as many as it needs
     * @param phases letters of the phases that are kept; empty for all
     * @param keepNames whether numbers in names of device events stay
     * @param refine whether names, categories and processes are made ready for viewers
     */
    public record Shape(
            boolean dropGlobals,
            boolean keepPrep,
            boolean splitEvents,
            PartialOverlap overlap,
            int maxTidStreams,
            String phases,
            boolean keepNames,
            boolean refine) {}

    /**
     * What is written, and where.
     *
     * @param output the file of the result, from which names of side files derive; null for the usual one
     * @param format format of the result
     * @param intermediate whether the events that leave each stage are written, too
     * @param tensorBoard whether the result is for TensorBoard
     * @param writesFile whether the trace itself is written
     * @param timeUnit unit that viewers show, ms or ns
     */
    public record Result(
            @Nullable String output,
            AiuFormat format,
            boolean intermediate,
            boolean tensorBoard,
            boolean writesFile,
            String timeUnit) {}

    /**
     * What the trace records of the command without any effect on the pipeline.
     *
     * @param commandLine the command
     * @param logLevel 0 errors to 4 everything
     * @param syncToDevice accepted for the sake of commands that have it
     * @param autopilotData accepted for the sake of commands that have it
     * @param ignoreCritical accepted for the sake of commands that have it
     */
    public record Noted(
            String commandLine, int logLevel, boolean syncToDevice, String autopilotData, boolean ignoreCritical) {}

    /** The usual options for these files or patterns, separated by commas or blanks. */
    public static AiuOptions of(String input) {
        return new Builder().input(input).build();
    }

    /** A builder that begins with these options. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** The file that the result goes to, and from whose name those of side files derive. */
    public String target() {
        String output = result.output();
        if (output != null) {
            return output;
        }
        return shape.refine() ? "processed_trace.pt.trace.json" : "processed_trace.json";
    }

    /** Whether the result is for TensorBoard. */
    public boolean writesTensorBoard() {
        return result.tensorBoard() && shape.refine();
    }

    /** Whether a counter is made. */
    public boolean counts(String counter) {
        return derivation.counts(counter);
    }

    /** The profile in force: a file, or the name of a bundled one. */
    public String profileName() {
        String profile = selection.profile();
        if (profile != null) {
            return profile;
        }
        if (selection.verify()) {
            return "verification.json";
        }
        return result.tensorBoard() ? "torch_minimal.json" : "default.json";
    }

    /** Collects options, each of which has a default; they are documented at the records of {@link AiuOptions}. */
    public static final class Builder {
        private String input = "";
        private @Nullable String compilerInfo;
        private String eventFilter = "";
        private EventLimit limit = EventLimit.NONE;
        private @Nullable String profile;
        private boolean verify;
        private double socMhz = 1000;
        private double coreMhz = 1100;
        private boolean skipSync;
        private boolean syncV2;
        private boolean flexTsFix;
        private @Nullable List<String> counters;
        private boolean flow;
        private boolean buildCollectives;
        private boolean summarizeSequences;
        private boolean skipEvents;
        private boolean powerStats;
        private boolean stats = true;
        private boolean dropGlobals;
        private boolean keepPrep;
        private boolean splitEvents;
        private PartialOverlap overlap = PartialOverlap.TID;
        private int maxTidStreams = 5;
        private String phases = "";
        private boolean keepNames;
        private boolean refine = true;
        private @Nullable String output;
        private AiuFormat format = AiuFormat.JSON;
        private boolean intermediate;
        private boolean tensorBoard;
        private boolean writesFile = true;
        private String timeUnit = "ns";
        private String commandLine = "";
        private int logLevel = 2;
        private boolean syncToDevice;
        private String autopilotData = "ai_kernel.db";
        private boolean ignoreCritical;
        private AiuRules rules = AiuRules.OWN;

        public Builder() {}

        private Builder(AiuOptions from) {
            input = from.selection.input;
            compilerInfo = from.selection.compilerInfo;
            eventFilter = from.selection.eventFilter;
            limit = from.selection.limit;
            profile = from.selection.profile;
            verify = from.selection.verify;
            socMhz = from.clocks.socMhz;
            coreMhz = from.clocks.coreMhz;
            skipSync = from.clocks.skipSync;
            syncV2 = from.clocks.syncV2;
            flexTsFix = from.clocks.flexTsFix;
            counters = from.derivation.counters;
            flow = from.derivation.flow;
            buildCollectives = from.derivation.buildCollectives;
            summarizeSequences = from.derivation.summarizeSequences;
            skipEvents = from.derivation.skipEvents;
            powerStats = from.derivation.powerStats;
            stats = from.derivation.stats;
            dropGlobals = from.shape.dropGlobals;
            keepPrep = from.shape.keepPrep;
            splitEvents = from.shape.splitEvents;
            overlap = from.shape.overlap;
            maxTidStreams = from.shape.maxTidStreams;
            phases = from.shape.phases;
            keepNames = from.shape.keepNames;
            refine = from.shape.refine;
            output = from.result.output;
            format = from.result.format;
            intermediate = from.result.intermediate;
            tensorBoard = from.result.tensorBoard;
            writesFile = from.result.writesFile;
            timeUnit = from.result.timeUnit;
            commandLine = from.noted.commandLine;
            logLevel = from.noted.logLevel;
            syncToDevice = from.noted.syncToDevice;
            autopilotData = from.noted.autopilotData;
            ignoreCritical = from.noted.ignoreCritical;
            rules = from.rules;
        }

        public Builder input(String value) {
            input = value;
            return this;
        }

        public Builder compilerInfo(@Nullable String value) {
            compilerInfo = value;
            return this;
        }

        public Builder eventFilter(String value) {
            eventFilter = value;
            return this;
        }

        public Builder limit(EventLimit value) {
            limit = value;
            return this;
        }

        public Builder profile(@Nullable String value) {
            profile = value;
            return this;
        }

        public Builder verify(boolean value) {
            verify = value;
            return this;
        }

        public Builder socMhz(double value) {
            socMhz = value;
            return this;
        }

        public Builder coreMhz(double value) {
            coreMhz = value;
            return this;
        }

        public Builder skipSync(boolean value) {
            skipSync = value;
            return this;
        }

        public Builder syncV2(boolean value) {
            syncV2 = value;
            return this;
        }

        public Builder flexTsFix(boolean value) {
            flexTsFix = value;
            return this;
        }

        public Builder counters(@Nullable List<String> value) {
            counters = value;
            return this;
        }

        public Builder flow(boolean value) {
            flow = value;
            return this;
        }

        public Builder buildCollectives(boolean value) {
            buildCollectives = value;
            return this;
        }

        public Builder summarizeSequences(boolean value) {
            summarizeSequences = value;
            return this;
        }

        public Builder skipEvents(boolean value) {
            skipEvents = value;
            return this;
        }

        public Builder powerStats(boolean value) {
            powerStats = value;
            return this;
        }

        public Builder stats(boolean value) {
            stats = value;
            return this;
        }

        public Builder dropGlobals(boolean value) {
            dropGlobals = value;
            return this;
        }

        public Builder keepPrep(boolean value) {
            keepPrep = value;
            return this;
        }

        public Builder splitEvents(boolean value) {
            splitEvents = value;
            return this;
        }

        public Builder overlap(PartialOverlap value) {
            overlap = value;
            return this;
        }

        public Builder maxTidStreams(int value) {
            maxTidStreams = value;
            return this;
        }

        public Builder phases(String value) {
            phases = value;
            return this;
        }

        public Builder keepNames(boolean value) {
            keepNames = value;
            return this;
        }

        public Builder refine(boolean value) {
            refine = value;
            return this;
        }

        public Builder output(@Nullable String value) {
            output = value;
            return this;
        }

        public Builder format(AiuFormat value) {
            format = value;
            return this;
        }

        public Builder intermediate(boolean value) {
            intermediate = value;
            return this;
        }

        public Builder tensorBoard(boolean value) {
            tensorBoard = value;
            return this;
        }

        public Builder writesFile(boolean value) {
            writesFile = value;
            return this;
        }

        public Builder timeUnit(String value) {
            timeUnit = value;
            return this;
        }

        public Builder commandLine(String value) {
            commandLine = value;
            return this;
        }

        public Builder logLevel(int value) {
            logLevel = value;
            return this;
        }

        public Builder syncToDevice(boolean value) {
            syncToDevice = value;
            return this;
        }

        public Builder autopilotData(String value) {
            autopilotData = value;
            return this;
        }

        public Builder ignoreCritical(boolean value) {
            ignoreCritical = value;
            return this;
        }

        public Builder rules(AiuRules value) {
            rules = value;
            return this;
        }

        public AiuOptions build() {
            return new AiuOptions(
                    new Selection(input, compilerInfo, eventFilter, limit, profile, verify),
                    new Clocks(socMhz, coreMhz, skipSync, syncV2, flexTsFix),
                    new Derivation(counters, flow, buildCollectives, summarizeSequences, skipEvents, powerStats, stats),
                    new Shape(dropGlobals, keepPrep, splitEvents, overlap, maxTidStreams, phases, keepNames, refine),
                    new Result(output, format, intermediate, tensorBoard, writesFile, timeUnit),
                    new Noted(commandLine, logLevel, syncToDevice, autopilotData, ignoreCritical),
                    rules);
        }
    }
}
