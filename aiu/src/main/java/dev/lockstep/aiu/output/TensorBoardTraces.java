// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.write.BlockMakers;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes traces for TensorBoard: all events in one, and those of each rank in another when there are several. */
public final class TensorBoardTraces implements TraceSink {
    private static final String ENDING = ".pt.trace.json";
    private static final long HOST = 1000;

    private final AiuOptions options;
    private final Output output;
    private final BlockMakers makers;
    private final AiuLog log;
    private final TraceJson whole;
    private final Map<Long, List<AiuEvent>> ranks = new TreeMap<>();

    public TensorBoardTraces(
            AiuOptions options, Map<String, String> metadata, Output output, BlockMakers makers, AiuLog log)
            throws IOException {
        this.options = options;
        this.output = output;
        this.makers = makers;
        this.log = log;
        String target = options.target();
        boolean plain = target.endsWith(".json") && !target.endsWith(ENDING);
        Path file = Path.of(plain ? target.replace(".json", ENDING) : target);
        whole = TraceJson.result(output.file(file), options, metadata, makers, log);
    }

    @Override
    public void add(AiuEvent event) {
        whole.add(event);
        if (event.other == null || !event.other.has("pid")) {
            long rank = event.pid >= HOST ? event.pid - HOST : event.pid;
            ranks.computeIfAbsent(rank, key -> new ArrayList<>()).add(event);
        }
    }

    @Override
    public void close() throws IOException {
        whole.close();
        List<Long> workers = options.rules().result().workers().apply(List.copyOf(ranks.keySet()));
        if (workers.size() == 1) {
            log.warn("TB_EXPORTER: Only 1 AIU is used, no distributed view");
            return;
        }
        for (long rank : workers) {
            worker(rank);
        }
    }

    private void worker(long rank) throws IOException {
        Path file = Path.of(base() + "_worker_" + rank + ENDING);
        try (TraceJson trace = TraceJson.result(output.file(file), options, Map.of(), makers, log)) {
            ranks.getOrDefault(rank, List.of()).forEach(trace::add);
        }
    }

    private String base() {
        String target = options.target();
        if (target.endsWith(ENDING)) {
            return target.substring(0, target.length() - ENDING.length());
        }
        int dot = target.lastIndexOf('.');
        return dot <= target.lastIndexOf('/') + 1 ? target : target.substring(0, dot);
    }
}
