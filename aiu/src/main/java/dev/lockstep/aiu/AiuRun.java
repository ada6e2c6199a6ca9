// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu;

import dev.lockstep.aiu.input.Ingestion;
import dev.lockstep.aiu.output.AiuPage;
import dev.lockstep.aiu.output.EventTable;
import dev.lockstep.aiu.output.PageFigures;
import dev.lockstep.aiu.output.PageTables;
import dev.lockstep.aiu.output.TensorBoardTraces;
import dev.lockstep.aiu.output.TraceJson;
import dev.lockstep.aiu.output.TraceSink;
import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuFormat;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.AiuRules.Addition;
import dev.lockstep.aiu.pipeline.Profile;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.aiu.pipeline.StageChain;
import dev.lockstep.aiu.stage.Stages;
import dev.lockstep.codec.EnvironmentJson;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.merge.PerfettoCopy;
import dev.lockstep.write.BlockMakers;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One run: reads the inputs, sends their events through the pipeline, writes what comes out. */
final class AiuRun {
    private AiuOptions options;
    private final AiuLog log;
    private final Output output;
    private final BlockMakers makers;
    private final AiuPlaces places;
    private final @Nullable PageFigures figures;
    private final PageTables tables = new PageTables();
    private long exported;

    /** Where the result stands as JSON when another format is wanted. */
    private @Nullable Path asJson;

    /**
     * @param output takes all files; the caller commits it
     * @param makers who spells the events of the result
     */
    AiuRun(AiuOptions options, AiuLog log, Output output, BlockMakers makers, AiuPlaces places) {
        this.makers = makers;
        this.places = places;
        this.options = options;
        this.log = log;
        this.output = output;
        boolean page = options.rules().result().has(Addition.PAGE)
                && options.get(AiuOption.STATS)
                && !options.get(AiuOption.VERIFY);
        figures = page ? new PageFigures() : null;
    }

    /** Reads, processes and writes; what was written lies in the output, not committed. */
    AiuResult run() throws IOException {
        Profile profile = Profile.load(options.profileName());
        Ingestion ingestion = new Ingestion(options, log);
        ingestion.load(places.inputs(), places.copy());
        if (options.orNull(AiuOption.COMPILER_INFO) == null && !ingestion.logs().isEmpty()) {
            options = options.toBuilder()
                    .with(AiuOption.COMPILER_INFO, String.join(",", ingestion.logs()))
                    .build();
        }
        List<Stage> stages = new ArrayList<>();
        stages.add(new RequiredMembers(options.rules().result().has(Addition.TIMELESS_METADATA), log));
        int number = 0;
        for (Stage stage : Stages.of(options, profile, log, output, tables)) {
            stages.add(stage);
            if (options.get(AiuOption.INTERMEDIATE)) {
                stages.add(intermediate(number++, stage.name()));
            }
        }
        try (TraceSink trace = trace(ingestion)) {
            StageChain pipeline = new StageChain(stages, event -> export(event, trace));
            ingestion.run(pipeline::accept);
            pipeline.finish(log);
        }
        if (asJson != null) {
            PerfettoCopy.write(asJson, options.target(), output.file(Path.of(options.target())));
            Files.delete(asJson);
        }
        copy();
        if (figures != null) {
            new AiuPage(options.target(), output, figures, tables).write();
        }
        log.info("Finishing Test parser. Return code= 0");
        ingestion.finish();
        log.info("Exported events:  " + exported);
        return new AiuResult(
                output.targets(),
                ingestion.events(),
                exported,
                ingestion.isComplete(),
                log.problems(),
                log.problemCount());
    }

    private void copy() throws IOException {
        Path copy = places.copy();
        if (copy != null && options.get(AiuOption.WRITES_FILE)) {
            Files.copy(
                    Objects.requireNonNull(output.staged(named())),
                    output.file(copy),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private void export(AiuEvent event, @Nullable TraceSink trace) {
        exported++;
        if (figures != null) {
            figures.add(event);
        }
        if (trace != null) {
            trace.add(event);
        }
    }

    private @Nullable TraceSink trace(Ingestion ingestion) throws IOException {
        Path target = options.get(AiuOption.WRITES_FILE) ? named() : places.copy();
        if (options.writesTensorBoard()) {
            if (writesPerfetto()) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        options.target() + ": TensorBoard reads no trace in Perfetto's format",
                        "Write none for TensorBoard, or choose a name that ends in .json.");
            }
            return new TensorBoardTraces(
                    options,
                    target == null ? null : json(output.file(target), metadata(ingestion)),
                    (file, rank, device) -> {
                        Map<String, String> metadata = ingestion.metadata(rank);
                        if (device) {
                            metadata.putIfAbsent("deviceProperties", TraceJson.device(rank));
                        }
                        hideEnvironment(metadata);
                        return json(output.file(file), metadata);
                    },
                    log);
        }
        if (target == null) {
            return null;
        }
        if (options.get(AiuOption.FORMAT) == AiuFormat.PDDF) {
            return new EventTable(output.file(target), options.rules().result().has(Addition.ALL_DIGITS));
        }
        if (!writesPerfetto()) {
            return json(output.file(target), metadata(ingestion));
        }
        asJson = output.scratch(target);
        return json(asJson, metadata(ingestion));
    }

    /** Where the options say that the trace goes. */
    private Path named() {
        return options.writesTensorBoard() ? TensorBoardTraces.whole(options.target()) : Path.of(options.target());
    }

    private TraceJson json(Path file, Map<String, String> metadata) throws IOException {
        return TraceJson.result(file, options, metadata, makers, log);
    }

    /** What goes into the result of what stands beside the events. */
    private Map<String, String> metadata(Ingestion ingestion) {
        Map<String, String> metadata = ingestion.metadata();
        long hidden = hideEnvironment(metadata);
        if (hidden > 0) {
            log.info("EXPORT: " + hidden
                    + " values of environment variables and other secrets have been left out of the metadata");
        }
        return metadata;
    }

    private long hideEnvironment(Map<String, String> metadata) {
        if (!options.rules().result().has(Addition.NO_ENVIRONMENT)) {
            return 0;
        }
        long[] values = new long[1];
        metadata.replaceAll((key, json) -> {
            EnvironmentJson without = EnvironmentJson.of(key, json);
            values[0] += without.values();
            return without.json();
        });
        return values[0];
    }

    private boolean writesPerfetto() {
        return options.get(AiuOption.WRITES_FILE)
                && options.rules().result().has(Addition.PERFETTO)
                && PerfettoCopy.isAskedBy(options.target());
    }

    private Stage intermediate(int number, String stage) throws IOException {
        String target = options.target() + "_" + (number < 10 ? "0" : "") + number + "_" + stage;
        return new Intermediate(TraceJson.intermediate(file(target), target, options, makers, log));
    }

    private Path file(String target) throws IOException {
        return output.file(Path.of(target));
    }
}
