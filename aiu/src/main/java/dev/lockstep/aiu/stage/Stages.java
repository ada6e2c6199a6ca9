// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.output.CategoryTable;
import dev.lockstep.aiu.output.CycleTable;
import dev.lockstep.aiu.output.StatsFiles;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.Profile;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.write.Output;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts the pipeline together: the stages that the options ask for and the profile allows, in their order. */
public final class Stages {
    private final AiuOptions options;
    private final Profile profile;
    private final AiuLog log;
    private final Output output;
    private final List<Stage> chosen = new ArrayList<>();
    private final @Nullable Utilization utilization;

    private Stages(AiuOptions options, Profile profile, AiuLog log, Output output) {
        this.options = options;
        this.profile = profile;
        this.log = log;
        this.output = output;
        String info = options.compilerInfo;
        utilization = info == null || !options.counts("rcu_util")
                ? null
                : new Utilization(
                        options,
                        info,
                        new CategoryTable(options, output),
                        options.rules.writesOnlyTheirs() ? null : new CycleTable(options, output),
                        log);
    }

    /** @param output takes the files that stages write */
    public static List<Stage> of(AiuOptions options, Profile profile, AiuLog log, Output output) {
        Stages stages = new Stages(options, profile, log, output);
        if (options.verify) {
            stages.verification();
        } else {
            stages.clocks();
            stages.rows();
            stages.counters();
            stages.communication();
            stages.classes();
            stages.collectives();
            stages.results();
        }
        return List.copyOf(stages.chosen);
    }

    private void add(Stage stage) {
        if (profile.takes(stage.name())) {
            chosen.add(stage);
        } else {
            log.info("DAH: Skipping registration of " + stage.name() + " : disabled in profile.");
        }
    }

    private void add(boolean asked, Stage stage) {
        if (asked) {
            add(stage);
        }
    }

    private void verification() {
        Verification verification = new Verification();
        add(verification.check());
        add(verification.drop());
    }

    /** Stages 1 to 18: names, counters, and one clock. */
    private void clocks() {
        add(new Pass("drop_timestamp_reversed_events"));
        add(new Pass("create_slice_from_BE"));
        Normalization normalization = new Normalization(options, log);
        JobOffsets offsets = new JobOffsets(options.rules);
        add(normalization.first());
        add(options.flexTsFix, offsets.collect());
        add(new Barrier());
        add(options.flexTsFix, offsets.apply());
        add(normalization.second());
        add(new SanityChecks());
        add(options.overlap.equals("async"), new RemoveIds());
        add(new MapThreads());
        add(new CyclesToClock(options.socMhz));
        add(new TightenByStep(options.socMhz));
        add(options.splitEvents, new SplitPhases());
        if (!options.rules.writesOnlyTheirs()) {
            // Not in profiles: without events of both kinds it changes nothing.
            chosen.add(new AlignTorch(log));
        }
        if (!options.skipSync) {
            add(options.syncV2 ? new MpCalibration(log) : new MpSync(options.rules, log));
        }
        add(options.counts("prep_queue"), new PrepQueue(options.keepPrep, options.rules));
        add(options.dropGlobals, new DropGlobals());
        add(new RecombineHost());
    }

    /** Stages 19 to 25: what can be shown on which row. */
    private void rows() {
        add(new SortEvents(false));
        add(new SequenceCheck(false, log));
        Overlap overlap = new Overlap(options.overlap, options.maxTidStreams, log);
        boolean byThread = options.overlap.equals("tid");
        add(byThread, overlap.collect());
        add(byThread, new Barrier());
        add(overlap.resolve());
        add(new SequenceCheck(false, log));
        add(new IterationStats());
    }

    /** Stages 26 to 33: power, bandwidth, utilisation. */
    private void counters() {
        if (options.counts("power_ts4") || options.counts("power_ts3")) {
            add(new PowerSamples(options.counts("power_ts4")));
            add(new SortSamples());
            add(new ComputePower(options));
            add(options.powerStats, new PowerStats(options.rules, log));
        }
        if (options.counts("bandwidth")) {
            add(new Pass("extract_data_transfer_event"));
            add(options.rules.knowsSizes() ? new TransferBandwidth() : new Pass("compute_bandwidth"));
        }
        add(utilization != null, utilization == null ? new Barrier() : utilization.collect());
        add(new SequenceCheck(false, log));
    }

    /** Stages 34 to 39: steps of transfers, utilisation, and one order of all. */
    private void communication() {
        TransferSequences sequences = new TransferSequences(options.rules);
        add(options.summarizeSequences, sequences.collect());
        add(new Barrier());
        add(options.summarizeSequences, sequences.apply());
        add(utilization != null, utilization == null ? new Barrier() : utilization.apply());
        add(new SortEvents(true));
        add(new SequenceCheck(true, log));
    }

    /** Stages 40 to 44: launches and classes. */
    private void classes() {
        LaunchFlows launches = new LaunchFlows(options.rules);
        add(launches.collect());
        Categorize categorize = new Categorize(options.rules);
        add(categorize.collect());
        add(new Barrier());
        add(categorize.update());
        add(launches.create());
    }

    /** Stages 45 to 48: flows and bandwidth of collectives. */
    private void collectives() {
        add(options.flow, new PrepareFlows(options.rules.knowsSizes()));
        add(options.flow, new ExtractFlows(options, log));
        if (options.counts("coll_bw")) {
            add(collectiveBandwidth());
        }
    }

    private Stage collectiveBandwidth() {
        if (options.buildCollectives) {
            return new CollectiveBandwidth(log);
        }
        return options.rules.knowsSizes() ? new ReduceBandwidth() : new Reverse();
    }

    /** Stages 49 to 57: statistics and what viewers want. */
    private void results() {
        add(options.stats, new KernelStats(new StatsFiles(options.target(), output, log)));
        add(!options.phases.isEmpty(), new PhaseFilter(options.phases));
        add(new Cleanup.Flows());
        add(new Cleanup.DeviceClock());
        Refinement refinement = new Refinement(options.keepNames, options.rules);
        add(options.refine, refinement.intrusive());
        add(refinement.lightweight());
        add(new Cleanup.HostClock());
        add(
                options.stats && options.buildCollectives,
                new StatsSummary(options.target(), options.rules.knowsSizes(), output));
        add(new SortEvents(true));
    }
}
