// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.output.CategoryTable;
import dev.lockstep.aiu.output.CycleTable;
import dev.lockstep.aiu.output.PageTables;
import dev.lockstep.aiu.output.StatsFiles;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.AiuRules.Addition;
import dev.lockstep.aiu.pipeline.PartialOverlap;
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
    private final PageTables page;
    private final List<Stage> chosen = new ArrayList<>();
    private final @Nullable Utilization utilization;

    private Stages(AiuOptions options, Profile profile, AiuLog log, Output output, PageTables page) {
        this.page = page;
        this.options = options;
        this.profile = profile;
        this.log = log;
        this.output = output;
        String info = options.orNull(AiuOption.COMPILER_INFO);
        utilization = info == null || !options.counts("rcu_util")
                ? null
                : new Utilization(
                        options,
                        info,
                        new CategoryTable(options, output, page),
                        options.rules().result().has(Addition.CYCLE_TABLE) ? new CycleTable(options, output) : null,
                        log);
    }

    /**
     * All stages in their order.
     *
     * @param output takes the files that stages write
     * @param page takes the rows of their tables, too
     */
    public static List<Stage> of(AiuOptions options, Profile profile, AiuLog log, Output output, PageTables page) {
        Stages stages = new Stages(options, profile, log, output, page);
        if (options.get(AiuOption.VERIFY)) {
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
        PhaseCheck verification = new PhaseCheck();
        add(verification.check());
        add(verification.drop());
    }

    /** Stages 1 to 18: names, counters, and one clock. */
    private void clocks() {
        add(new Pass("drop_timestamp_reversed_events"));
        add(new Pass("create_slice_from_BE"));
        Normalization normalization = new Normalization(options, log);
        JobOffsets offsets = new JobOffsets(options.rules().clocks());
        add(normalization.first());
        add(options.get(AiuOption.FLEX_TS_FIX), offsets.collect());
        add(new Barrier());
        add(options.get(AiuOption.FLEX_TS_FIX), offsets.apply());
        add(normalization.second());
        add(new SanityChecks());
        add(options.get(AiuOption.OVERLAP) == PartialOverlap.ASYNC, new RemoveIds());
        add(new MapThreads());
        add(new CyclesToClock(options.get(AiuOption.SOC_MHZ)));
        add(new TightenByStep(options.get(AiuOption.SOC_MHZ)));
        add(options.get(AiuOption.SPLIT_EVENTS), new SplitPhases());
        if (options.rules().result().has(Addition.TORCH_CLOCK)) {
            // Not in profiles: without events of both kinds it changes nothing.
            chosen.add(new AlignTorch(log));
        }
        if (!options.get(AiuOption.SKIP_SYNC)) {
            add(
                    options.get(AiuOption.SYNC_V2)
                            ? new MpCalibration(log)
                            : new MpSync(options.rules().sync(), log));
        }
        add(
                options.counts("prep_queue"),
                new PrepQueue(options.get(AiuOption.KEEP_PREP), options.rules().preparations()));
        add(options.get(AiuOption.DROP_GLOBALS), new DropGlobals());
        add(new RecombineHost());
    }

    /** Stages 19 to 25: what can be shown on which row. */
    private void rows() {
        add(new SortEvents(false));
        add(new SequenceCheck(false, log));
        Overlap overlap = new Overlap(options.get(AiuOption.OVERLAP), options.get(AiuOption.MAX_TID_STREAMS), log);
        boolean byThread = options.get(AiuOption.OVERLAP) == PartialOverlap.TID;
        add(byThread, overlap.collect());
        add(byThread, new Barrier());
        add(overlap.resolve());
        add(new SequenceCheck(false, log));
        add(new IterationStats(options.rules().result().has(Addition.SHORT_ITERATIONS)));
    }

    /** Stages 26 to 33: power, bandwidth, utilisation. */
    private void counters() {
        if (options.counts("power_ts4") || options.counts("power_ts3")) {
            add(new PowerSamples(options.counts("power_ts4")));
            add(new SortSamples());
            add(new ComputePower(options));
            add(
                    options.get(AiuOption.POWER_STATS),
                    new PowerStats(options.rules().power(), log));
        }
        if (options.counts("bandwidth")) {
            add(new Pass("extract_data_transfer_event"));
            add(options.rules().transfers().haveSizes() ? new TransferBandwidth() : new Pass("compute_bandwidth"));
        }
        add(utilization != null, utilization == null ? new Barrier() : utilization.collect());
        add(new SequenceCheck(false, log));
    }

    /** Stages 34 to 39: steps of transfers, utilisation, and one order of all. */
    private void communication() {
        TransferSequences sequences = new TransferSequences(options.rules().transfers());
        add(options.get(AiuOption.SUMMARIZE_SEQUENCES), sequences.collect());
        add(new Barrier());
        add(options.get(AiuOption.SUMMARIZE_SEQUENCES), sequences.apply());
        add(utilization != null, utilization == null ? new Barrier() : utilization.apply());
        add(new SortEvents(true));
        add(new SequenceCheck(true, log));
    }

    /** Stages 40 to 44: launches and classes. */
    private void classes() {
        LaunchFlows launches = new LaunchFlows(options.rules().files().ranksApart());
        add(launches.collect());
        Categorize categorize = new Categorize(options.rules());
        add(categorize.collect());
        add(new Barrier());
        add(categorize.update());
        add(launches.create());
    }

    /** Stages 45 to 48: flows and bandwidth of collectives. */
    private void collectives() {
        add(
                options.get(AiuOption.FLOW),
                new PrepareFlows(options.rules().transfers().haveSizes()));
        add(options.get(AiuOption.FLOW), new ExtractFlows(options, log));
        if (options.counts("coll_bw")) {
            add(collectiveBandwidth());
        }
    }

    private Stage collectiveBandwidth() {
        if (options.get(AiuOption.BUILD_COLLECTIVES)) {
            return new CollectiveBandwidth(log);
        }
        return options.rules().transfers().haveSizes() ? new ReduceBandwidth() : new Reverse();
    }

    /** Stages 49 to 57: statistics and what viewers want. */
    private void results() {
        add(options.get(AiuOption.STATS), new KernelStats(new StatsFiles(options.target(), output, page, log)));
        add(!options.get(AiuOption.PHASES).isEmpty(), new PhaseFilter(options.get(AiuOption.PHASES)));
        add(new Cleanup.Flows());
        add(new Cleanup.DeviceClock());
        Refinement refinement = new Refinement(
                options.get(AiuOption.KEEP_NAMES), options.rules().labels());
        add(options.get(AiuOption.REFINE), refinement.intrusive());
        add(refinement.lightweight());
        add(new Cleanup.HostClock());
        add(
                options.get(AiuOption.STATS) && options.get(AiuOption.BUILD_COLLECTIVES),
                new StatsSummary(options.target(), options.rules().transfers().haveSizes(), output));
        add(new SortEvents(true));
    }
}
